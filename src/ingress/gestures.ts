import { performance } from "node:perf_hooks";
import { continuesGesture, gestureBurst, gestureGapMs, type Piece } from "../core/gesture.ts";
import type { ChatKey } from "../core/chat.ts";
import type { InboundMessage } from "../core/inbound.ts";
import { ownFiles } from "./pointed-at.ts";

interface Message {
  readonly inbound: InboundMessage;
  readonly chat: ChatKey;
}

/** A piece that names no bot is kept for this long, for a mention behind it. Milliseconds. */
const asideMs = gestureGapMs + 200;
/** Messages count as one for so long: else no limit would end a stream of files. Milliseconds. */
const maxCountedMs = 10_000;
/** Of each kind, how many are remembered. */
const maxRemembered = 1_000;

interface Aside<Arrived> {
  readonly arrived: Arrived;
  /** Its event needn't come again after a crash. */
  readonly settle: () => void;
}

interface Newest {
  readonly arrived: Message;
  readonly countedAs: string;
  /** When the first of them that is counted so was written. */
  readonly sinceMs: number;
}

/** Marks forwards and files as pieces of a gesture; a voice note speaks for itself. Pure. */
export function asPiece(inbound: InboundMessage): InboundMessage {
  const { burst, isForwarded } = inbound;
  const isCarrier = isForwarded || ownFiles(inbound).some(({ kind }) => kind !== "voice");
  return burst === undefined && isCarrier ? { ...inbound, burst: gestureBurst } : inbound;
}

/** As if it named the bot. Pure. */
export function addressed(inbound: InboundMessage): InboundMessage {
  const { isAddressed: _, looksLikeCommand: _other, ...rest } = inbound;
  return rest;
}

/**
 * Gestures that people are making, as far as this process has seen them: `aside → taken | forgotten`
 * for pieces that name no bot. The inbox and the history are the truth for what was taken, and the
 * platform delivers again what is still aside.
 */
export class Gestures<Arrived extends Message> {
  /** The newest message of each person in each chat that was meant for the bot. */
  readonly #newest = new Map<string, Newest>();
  readonly #asides = new Map<string, readonly Aside<Arrived>[]>();
  readonly #startedAtMs = performance.now();

  /**
   * The pieces of a gesture count as one message.
   * @returns the id that a message is counted by.
   */
  count(arrived: Message): string {
    const key = keyOf(arrived);
    const newest = this.#newest.get(key);
    const { id, burst = "", atMs } = arrived.inbound;
    const isPiece =
      newest !== undefined &&
      continuesGesture(pieceOf(newest), pieceOf({ arrived })) &&
      atMs - newest.sinceMs < maxCountedMs;
    const first = { countedAs: /^\d+$/.test(burst) ? `album-${burst}` : id, sinceMs: atMs };
    const { countedAs, sinceMs } = isPiece ? newest : first;
    this.#newest.delete(key);
    remember(this.#newest, key, { arrived, countedAs, sinceMs });
    return countedAs;
  }

  /**
   * Where the message is that an unaddressed one continues. Undefined: in no place, as far as this
   * process knows.
   */
  neighbour(arrived: Message): Message | undefined {
    const newest = this.#newest.get(keyOf(arrived));
    const continues =
      newest !== undefined &&
      newest.arrived.inbound.isAddressed !== false &&
      isNear(newest.arrived, arrived) &&
      continuesGesture(pieceOf(newest), pieceOf({ arrived }));
    return continues ? newest.arrived : undefined;
  }

  /** Whether the store may know a neighbour that this process doesn't. */
  isUnsure({ inbound }: Message): boolean {
    return inbound.burst !== undefined || performance.now() - this.#startedAtMs < gestureGapMs;
  }

  /** Fulfils when it is taken or forgotten. */
  setAside(arrived: Arrived): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const key = keyOf(arrived);
    const aside: Aside<Arrived> = { arrived, settle: resolve };
    for (const { settle } of remember(this.#asides, key, [...this.#of(key), aside]) ?? []) settle();
    setTimeout(() => this.release([aside]), asideMs).unref();
    return promise;
  }

  /** The pieces that were set aside in front of this message, in order. */
  asidesOf(arrived: Message): readonly Aside<Arrived>[] {
    const found: Aside<Arrived>[] = [];
    let next = pieceOf({ arrived });
    for (const aside of this.#of(keyOf(arrived)).toReversed()) {
      if (!isNear(arrived, aside.arrived) || !continuesGesture(pieceOf(aside), next)) break;
      found.unshift(aside);
      next = pieceOf(aside);
    }
    return found;
  }

  release(asides: readonly Aside<Arrived>[]): void {
    for (const aside of asides) {
      const key = keyOf(aside.arrived);
      const others = this.#of(key).filter((each) => each !== aside);
      if (others.length === 0) this.#asides.delete(key);
      else this.#asides.set(key, others);
      aside.settle();
    }
  }

  #of(key: string): readonly Aside<Arrived>[] {
    return this.#asides.get(key) ?? [];
  }
}

/** A thread that was opened for a question is near the channel where it was asked. */
const keyOf = ({ inbound: { address, person } }: Message): string =>
  JSON.stringify([address.platform, address.bot, address.chat, person.id]);

const isNear = (asked: Message, other: Message): boolean =>
  asked.chat === other.chat ||
  (asked.inbound.messageId !== undefined &&
    asked.inbound.address.thread === asked.inbound.messageId);

const pieceOf = ({ arrived }: { readonly arrived: Message }): Piece => arrived.inbound;

/** @returns the value that was forgotten for it. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): Value | undefined {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size <= maxRemembered || oldest === undefined) return undefined;
  const forgotten = map.get(oldest);
  map.delete(oldest);
  return forgotten;
}

/** Where an unaddressed message is read: the place of the one that it continues. Pure. */
export function placedWith<Arrived extends Message>(arrived: Arrived, near: Message): Arrived {
  const inbound = addressed(arrived.inbound);
  if (near.chat === arrived.chat) return { ...arrived, inbound };
  const { address, threadOf } = near.inbound;
  return {
    ...arrived,
    chat: near.chat,
    inbound: { ...inbound, address, ...(threadOf === undefined ? {} : { threadOf }) },
  };
}
