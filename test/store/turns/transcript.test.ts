import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import type { LogEntry } from "../../../src/core/history.ts";
import type { BegunTurn, Commit, TurnStore } from "../../../src/core/ports.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import type { Reply } from "../../../src/store/redis/redis.ts";
import { TranscriptCache } from "../../../src/store/turns/transcript-cache.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  committed,
  compaction,
  expireLease,
  finishing,
  message,
  newChat,
  reset,
  said,
  stateOf,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);

/** What may happen to a chat between two looks at it, by one of three processes. */
const step = fc.record({
  who: fc.nat({ max: 2 }),
  what: fc.constantFrom(
    "turn" as const,
    "long turn" as const,
    "reset" as const,
    "compact" as const,
    "give back" as const,
    "die" as const,
    "expire" as const,
  ),
  entries: fc.nat({ max: 4 }),
  /** How much of what is in view a compaction stands for: from nothing to everything. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe("the transcript", () => {
  it("is the same for every process, whatever it remembers, as for one that remembers nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const processes = Array.from({ length: 3 }, () => turnStoreOn(store));
        const chat = newChat();
        // What a person would remember of it, from which position on.
        let model: LogEntry[] = [];
        let viewStart = 0;
        for (const [index, { who, what, entries, share }] of steps.entries()) {
          const turns = processes[who] as TurnStore;
          if (what === "expire") {
            const { state, log } = chatKeys(chat);
            await redis.del(state, log);
            model = [];
            viewStart = 0;
          }
          await inbox.append(chat, message(`m${index}`));
          const turn = await begun(turns, chat);
          model.push(message(`m${index}`));
          expect(turn).toMatchObject({ transcript: model, viewStart });
          const more = Array.from({ length: entries }, (_, n) => said(index, `${index}.${n}`));
          model.push(...more);
          const hidden = Math.round(share * model.length);
          const last = lastCommit(what, index, viewStart + hidden);
          await playOut({ turns, chat, turn, what, more, index, last });
          if (what === "reset") {
            viewStart += model.length + 1;
            model = [said(index, "after the reset")];
          }
          if (what === "compact") {
            viewStart += hidden;
            model = [...model.slice(hidden), compaction(viewStart - 1)];
          }
          if (what === "long turn") model.push(said(index, "second"));
          model.push(said(index, "end"));
        }
        await inbox.append(chat, message("last"));
        const cold = await begun(turnStoreOn(store), chat);
        expect(cold.transcript).toEqual([...model, message("last")]);
        expect(cold.viewStart).toBe(viewStart);
        await expireLease(redis, chat, "lease");
        for (const turns of processes) {
          const { transcript, viewStart } = await begun(turns, chat);
          expect(transcript).toEqual(cold.transcript);
          expect(viewStart).toBe(cold.viewStart);
          await expireLease(redis, chat, "lease");
        }
      }),
      { numRuns: 60 },
    );
  });

  it("costs what is new, not what is old", async () => {
    const { turns, fetched } = counting();
    const chat = newChat();
    await inbox.append(chat, message("m0"));
    await committed(turns, await begun(turns, chat), {
      ...finishing(1),
      append: Array.from({ length: 500 }, (_, n) => said(1, `${n}`)),
    });
    for (const id of ["m1", "m2", "m3"]) {
      await inbox.append(chat, message(id));
      const turn = await begun(turns, chat);
      expect(turn.transcript.length).toBeGreaterThan(500);
      await committed(turns, turn, finishing(stateOf(turn).turn));
    }
    // m0 alone; then 500 answers and m1; then an answer and a message each.
    expect(fetched).toEqual([1, 501, 2, 2]);
  });

  it("costs a process that remembers nothing no more than what a compaction left", async () => {
    const chat = newChat();
    const [one, other] = [counting(), counting()];
    await inbox.append(chat, message("m0"));
    await committed(one.turns, await begun(one.turns, chat), {
      ...finishing(1),
      append: Array.from({ length: 500 }, (_, n) => said(1, `${n}`)),
    });
    await inbox.append(chat, message("m1"));
    const turn = await begun(one.turns, chat);
    await committed(one.turns, turn, finishing(2, { append: [compaction(497)], viewStart: 498 }));
    await inbox.append(chat, message("m2"));
    const after = await begun(other.turns, chat);
    expect(after.transcript).toEqual([
      said(1, "497"),
      said(1, "498"),
      said(1, "499"),
      message("m1"),
      compaction(497),
      message("m2"),
    ]);
    expect(other.fetched).toEqual([6]);
    await expireLease(redis, chat, "lease");
    expect((await begun(one.turns, chat)).transcript).toEqual(after.transcript);
    expect(one.fetched).toEqual([1, 501, 2]);
  });

  it("of a log that is shorter than remembered is read again", async () => {
    const turns = turnStoreOn(store);
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await committed(turns, await begun(turns, chat), {
      ...finishing(1),
      append: [said(1, "lost"), said(1, "lost too")],
    });
    await inbox.append(chat, message("m2"));
    await committed(turns, await begun(turns, chat), finishing(2));
    // A failover that lost the newest writes.
    await redis.ltrim(chatKeys(chat).log, 0, 0);
    await inbox.append(chat, message("m3"));
    expect((await begun(turns, chat)).transcript).toEqual([message("m1"), message("m3")]);
  });
});

/** A process, and how many log entries each of its `begin`s has fetched. */
function counting() {
  const fetched: number[] = [];
  const turns = turnStoreOn({
    ...store,
    async run(name, keys, values) {
      const reply = await store.run(name, keys, values);
      if (name === "begin") fetched.push(((reply as readonly Reply[])[12] as []).length);
      return reply;
    },
  });
  return { turns, fetched };
}

interface Played {
  readonly turns: TurnStore;
  readonly chat: ChatKey;
  readonly turn: BegunTurn;
  readonly what: string;
  readonly more: readonly LogEntry[];
  readonly index: number;
  readonly last: Partial<Commit>;
}

/** What the turn's last commit does to the view. */
function lastCommit(what: string, index: number, viewStart: number): Partial<Commit> {
  const end = said(index, "end");
  switch (what) {
    case "reset":
      return {
        append: [reset(`r${index}`), said(index, "after the reset"), end],
      };
    case "compact":
      return { append: [compaction(viewStart - 1), end], viewStart };
    default:
      return { append: [end] };
  }
}

async function playOut(played: Played) {
  const { turns, chat, turn, what, more, index, last } = played;
  const open = stateOf(turn);
  const first = await committed(turns, turn, {
    state: open,
    turn: open.turn,
    append: more,
  });
  let owner = { session: turn.session, revision: first.revision };
  if (what === "give back") {
    await turns.release(turn.session);
    owner = await begun(turns, chat);
  }
  if (what === "die") {
    await expireLease(redis, chat, "lease");
    owner = await begun(turnStoreOn(store), chat);
  }
  if (what === "long turn") {
    const { revision } = await committed(turns, owner, {
      state: open,
      turn: open.turn,
      append: [said(index, "second")],
    });
    owner = { session: owner.session, revision };
  }
  await committed(turns, owner, {
    ...finishing(open.turn),
    outbox: [],
    ...last,
  });
}

const fill = (cache: TranscriptCache, chat: ChatKey, count: number) =>
  cache.extend(chat, {
    epoch: "e",
    from: Math.max(0, cache.known(chat).position),
    viewStart: 0,
    entries: Array.from({ length: count }, (_, n) => said(n)),
    size: count * 1_000,
  });

describe("the cache", () => {
  const chats = ["a", "b", "c"] as ChatKey[];

  it("forgets the chats that were used longest ago, never the one in use", () => {
    const cache = new TranscriptCache(11_500);
    for (const chat of chats) fill(cache, chat, 4);
    expect(chats.map((chat) => cache.known(chat).position)).toEqual([-1, 4, 4]);
    fill(cache, "b" as ChatKey, 1);
    fill(cache, "a" as ChatKey, 3);
    expect(chats.map((chat) => cache.known(chat).position)).toEqual([3, 5, -1]);
    fill(cache, "c" as ChatKey, 50);
    expect(chats.map((chat) => cache.known(chat).position)).toEqual([-1, -1, 50]);
    expect(fill(cache, "c" as ChatKey, 1)).toHaveLength(51);
  });

  it("forgets what lies before the view, and takes nothing for its continuation that is none", () => {
    const chat = "a" as ChatKey;
    const cache = new TranscriptCache();
    fill(cache, chat, 4);
    const extend = (from: number, viewStart: number, ...ids: number[]) =>
      cache.extend(chat, {
        epoch: "e",
        from,
        viewStart,
        entries: ids.map((id) => said(id)),
        size: ids.length,
      });
    expect(extend(4, 3, 9)).toEqual([said(3), said(9)]);
    expect(cache.known(chat).position).toBe(5);
    // The view begins where the memory ends, then behind it.
    expect(extend(5, 5, 10)).toEqual([said(10)]);
    expect(extend(8, 8, 11)).toEqual([said(11)]);
    expect(cache.known(chat).position).toBe(9);
    expect(extend(9, 9)).toEqual([]);
    expect(extend(9, 9, 12)).toEqual([said(12)]);
  });
});
