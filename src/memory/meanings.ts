import type { ChatKey, Person } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { Spender } from "../core/limits.ts";
import type { Embedder, PayForTexts } from "../core/memory.ts";
import type { PlacedEntry } from "../core/ports.ts";
import type { VectorStore } from "../store/memory/vectors.ts";
import { rangesOf, type OpenIndex, type WindowStore } from "../store/memory/windows.ts";
import { likeness, packVector } from "./vectors.ts";
import { linesOf } from "./windows.ts";

/** Texts of one request. */
const batch = 64;
/** What one request may take: a local server may be slow, but a question must not wait. Milliseconds. */
const batchMs = 30_000;
const queryMs = 2_000;
/** After a failure the endpoint is left alone for this long. Milliseconds. */
const restMs = 60_000;
/** Vectors of one chat that are compared, the newest. */
const maxCompared = 20_000;
/** Chats whose vectors a process holds. */
const maxHeld = 20;

export interface MeaningDeps {
  readonly windows: WindowStore;
  readonly vectors: VectorStore;
  readonly embedder: Embedder;
  readonly pay: PayForTexts;
  readonly monotonic: () => number;
  readonly report: (message: string) => void;
}

interface Held {
  readonly known: string;
  readonly vectors: ReadonlyMap<number, Buffer>;
}

/** Windows of a ranking. */
const most = 50;

/**
 * The windows' vectors. Where the endpoint fails, or limits leave no room, there are none for a
 * while, and keywords are all that is searched: `used → failing → used`.
 */
export class Meanings {
  readonly #deps: MeaningDeps;
  readonly #held = new Map<ChatKey, Held>();
  #restsUntilMs = -Infinity;

  constructor(deps: MeaningDeps) {
    this.#deps = deps;
  }

  get state(): "used" | "failing" {
    return this.#rests() ? "failing" : "used";
  }

  #rests(): boolean {
    return this.#deps.monotonic() < this.#restsUntilMs;
  }

  /**
   * Makes the vectors of the next windows that have none and will not change. @throws when the store
   * cannot be reached.
   */
  async step(chat: ChatKey, signal: AbortSignal): Promise<"done" | "more" | "later" | "no room"> {
    const { windows, vectors, embedder } = this.#deps;
    const open = await windows.open(chat);
    const { head } = open;
    if (head === undefined) return "done";
    if (this.#rests()) return "later";
    const { model, next, payer } = await vectors.open(chat);
    const isSame = model.startsWith(`${embedder.model} `);
    const from = Math.max(open.first, isSame ? next : 0);
    const stored = await windows.windows(chat, from, Math.min(head.id, from + batch));
    const all = stored.filter((place) => place !== undefined);
    // Some were removed since: they are indexed again first.
    if (all.length === 0 || all.length < stored.length) return "done";
    // One person is charged for a request.
    const isPaid = all.map(({ t }) => isSame && payer && t >= payer.from && t < payer.to);
    const count = isPaid.findIndex((each) => each !== isPaid[0]);
    const places = count < 0 ? all : all.slice(0, count);
    const read = await windows.entries(chat, open.base, places.map(rangesOf));
    if (read === undefined) return "done";
    const texts = places.map(
      (place, index) =>
        linesOf(read[index] ?? [], place)
          .map(({ who, text }) => `${who ?? "Bot"}: ${text}`)
          .join("\n") || "-",
    );
    const person = payer && isPaid[0] ? payer.person : lastWriter(read.flat());
    const spender = { chat, person };
    const made = await this.#embed(spender, texts, { signal, timeoutMs: batchMs });
    if (made === "no room") return made;
    const dimensions = made?.[0]?.length;
    if (made === undefined || dimensions === undefined) {
      if (signal.aborted) return "more";
      return this.#rests() ? "later" : "done";
    }
    const named = `${embedder.model} ${dimensions}`;
    // Another dimension under the same name: all of them are made again.
    if (isSame && from > open.first && named !== model) {
      await vectors.write(chat, { open, model: named, from: open.first, vectors: [] });
      return "more";
    }
    const packed = made.map(packVector);
    const isWritten = await vectors.write(chat, {
      open,
      model: named,
      from,
      vectors: packed,
      isPaid: payer !== undefined && places.some(({ t }) => t >= payer.to),
    });
    return isWritten && from + places.length < head.id ? "more" : "done";
  }

  /** The windows most like the words, the best first; empty where that can't be known now. */
  async rank(
    chat: ChatKey,
    words: string,
    {
      open,
      by,
      signal,
      allows,
    }: {
      readonly open: OpenIndex;
      readonly by: Person;
      readonly signal: AbortSignal;
      readonly allows: (id: number) => boolean;
    },
  ): Promise<readonly number[]> {
    if (this.#rests()) return [];
    const [made, vectors] = await Promise.all([
      this.#embed({ chat, person: by }, [words], { signal, timeoutMs: queryMs }),
      this.#vectorsOf(chat, open),
    ]);
    if (made === undefined || made === "no room") return [];
    const [vector] = made;
    if (vector === undefined) return [];
    const asked = packVector(vector);
    const scored = [...vectors]
      .filter(([id]) => allows(id))
      .map(([id, each]) => ({ id, score: likeness(asked, each) }));
    // A turn waits for this, and numbers are sorted far faster than objects.
    const least =
      Float64Array.from(scored, ({ score }) => score)
        .sort()
        .at(-most) ?? 0;
    return scored
      .filter(({ score }) => score > 0 && score >= least)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, most)
      .map(({ id }) => id);
  }

  async #vectorsOf(chat: ChatKey, open: OpenIndex): Promise<ReadonlyMap<number, Buffer>> {
    const { vectors, embedder } = this.#deps;
    const { model, next } = await vectors.open(chat);
    if (!model.startsWith(`${embedder.model} `)) return new Map();
    const known = `${open.head?.built} ${model} ${next}`;
    const held = this.#held.get(chat);
    if (held?.known === known) return held.vectors;
    const found = new Map<number, Buffer>();
    for (let from = Math.max(open.first, next - maxCompared); from < next; from += 1_000) {
      const read = await vectors.read(chat, from, Math.min(next, from + 1_000));
      for (const [index, each] of read.entries()) if (each !== null) found.set(from + index, each);
    }
    this.#held.delete(chat);
    this.#held.set(chat, { known, vectors: found });
    const [oldest] = this.#held.keys();
    if (this.#held.size > maxHeld && oldest !== undefined) this.#held.delete(oldest);
    return found;
  }

  /**
   * Undefined: there are none now. The endpoint rests after its own failures alone: one person's
   * limit or stop, or a store that fails, is no reason to leave it alone for all.
   */
  async #embed(
    spender: Spender,
    texts: readonly string[],
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<readonly (readonly number[])[] | "no room" | undefined> {
    const { embedder, pay, monotonic, report } = this.#deps;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const settle = await pay(spender, texts);
      if (settle === undefined) {
        report("a limit leaves no room for embeddings");
        return "no room";
      }
      let isMade = false;
      try {
        const made = await embedder.embed(texts, limited);
        isMade = true;
        return made;
      } catch (error) {
        if (!signal.aborted) this.#restsUntilMs = monotonic() + restMs;
        throw error;
      } finally {
        // One that was too slow may have been made.
        await settle(isMade || limited.aborted);
      }
    } catch (error) {
      if (!signal.aborted) report(messageOf(error));
      return undefined;
    }
  }
}

/** Where all of it was said by the bot, no one is to be charged but the chat. */
const noOne: Person = { id: "parley:memory", name: "Parley" };

/** Whose messages led to it: summaries are charged the same way. */
const lastWriter = (entries: readonly PlacedEntry[]): Person =>
  entries.flatMap(({ entry }) => (entry.kind === "message" ? [entry.person] : [])).at(-1) ?? noOne;
