import { planEvents, type EventKind, type StormEvent } from "./plan-events.ts";
import { Random } from "./random.ts";

export interface StormOptions {
  readonly seed: number;
  readonly turns: number;
  readonly chats: number;
  readonly workers: number;
  readonly bots: number;
  /** Turns that people begin per second; with `turns` it says how long the storm lasts. */
  readonly turnsPerSecond: number;
  /** What may go wrong; empty: nothing. */
  readonly faults: readonly EventKind[];
  /** How much time lies between the beginnings of two events, on average. Milliseconds. */
  readonly eventEveryMs: number;
  /**
   * However short the storm is, each of the faults comes, once, and what every chat says first is
   * delivered twice.
   */
  readonly isSample?: boolean;
  /** The whole run is over by then, settled or not. */
  readonly maxMinutes: number;
  /**
   * A folder with another version of Parley, which all workers but the last one run for the first
   * half.
   */
  readonly previous?: string;
  /** The folder of the Parley under test; absent: this one. */
  readonly program?: string;
}

const messageKinds = [
  "plain",
  "slow",
  "long",
  "look",
  "set",
  "pay",
  "pay+look",
  "look>pay",
  "buy",
] as const;
export type MessageKind = (typeof messageKinds)[number];

/** What a person does with the card that comes of their message. */
export interface PlannedTap {
  /** `ignore`: the person writes their next message instead. */
  readonly decision: "Approve" | "Deny" | "ignore";
  readonly afterMs: number;
  /** Taps twice in a row, as impatient people do. */
  readonly twice: boolean;
}

export interface PlannedMessage {
  /** Unique: `c<chat>m<index>`; answers name it. */
  readonly mark: string;
  readonly chat: number;
  readonly index: number;
  /** Not before this, from the storm's beginning. */
  readonly atMs: number;
  readonly kind: MessageKind;
  readonly text: string;
  readonly tap?: PlannedTap;
  /** The platform delivers the update again after this. */
  readonly redeliveredAfterMs?: number;
  /** Written in one go with the message before it. */
  readonly followsAtOnce: boolean;
}

export interface Plan {
  readonly durationMs: number;
  /** By chat, in order. */
  readonly messages: readonly (readonly PlannedMessage[])[];
  readonly events: readonly StormEvent[];
}

/** Of 100 messages. 31 with tools that run unasked, 12 with an approval. */
const shares: Readonly<Record<MessageKind, number>> = {
  plain: 32,
  slow: 20,
  long: 5,
  look: 7,
  set: 5,
  pay: 12,
  "pay+look": 4,
  "look>pay": 3,
  buy: 12,
};

/** All that happens in a storm: a pure function of its options. */
export function planStorm(options: StormOptions): Plan {
  const durationMs = (options.turns / options.turnsPerSecond) * 1_000;
  const random = new Random(options.seed);
  const kinds = deal(options.turns, random);
  const perChat = spread(options.turns, options.chats);
  let given = 0;
  const messages = perChat.map((count, chat) => {
    const own = kinds.slice(given, given + count);
    given += count;
    return planChat(chat, own, { durationMs, random });
  });
  return {
    durationMs,
    messages: options.isSample ? messages.map(redeliverFirst) : messages,
    events: planEvents(options, durationMs, new Random(options.seed + 1)),
  };
}

const redeliverFirst = (messages: PlannedMessage[]): PlannedMessage[] =>
  messages.map((message, index) =>
    index === 0 ? { ...message, redeliveredAfterMs: 500 } : message,
  );

/** Exactly the shares, in any order. */
function deal(count: number, random: Random): MessageKind[] {
  const hand = messageKinds.flatMap((kind) =>
    Array<MessageKind>(Math.ceil((shares[kind] / 100) * count)).fill(kind),
  );
  return random.shuffled(hand).slice(0, count);
}

const spread = (total: number, parts: number): number[] =>
  Array.from(
    { length: parts },
    (_, index) => Math.floor(((index + 1) * total) / parts) - Math.floor((index * total) / parts),
  );

function planChat(
  chat: number,
  kinds: readonly MessageKind[],
  { durationMs, random }: { durationMs: number; random: Random },
): PlannedMessage[] {
  const bursts: MessageKind[][] = [];
  for (let at = 0; at < kinds.length;) {
    const size = random.pick([1, 1, 1, 2, 2, 3, 4]);
    bursts.push(kinds.slice(at, at + size));
    at += size;
  }
  const times = bursts.map(() => random.between(0, durationMs)).sort((one, other) => one - other);
  return bursts
    .flatMap((burst, number) => {
      let atMs = times[number] ?? 0;
      return burst.map((kind, position) => {
        atMs += position === 0 ? 0 : random.between(0, 150);
        return { kind, atMs, followsAtOnce: position > 0 };
      });
    })
    .map((each, index, all) =>
      planMessage(each, {
        chat,
        index,
        mayIgnore: all[index + 1]?.followsAtOnce === false,
        random,
      }),
    );
}

function planMessage(
  each: Pick<PlannedMessage, "kind" | "atMs" | "followsAtOnce">,
  place: { chat: number; index: number; mayIgnore: boolean; random: Random },
): PlannedMessage {
  const { chat, index, mayIgnore, random } = place;
  const mark = `c${chat}m${index}`;
  const tap = planTap(random, mayIgnore);
  const isRedelivered = random.chance(0.06);
  const redeliveredAfterMs = random.between(50, 15_000);
  return {
    ...each,
    mark,
    chat,
    index,
    text: `${mark} ${each.kind} ${random.whole(10, 40)} ${random.whole(40, 120)}`,
    ...(each.kind === "buy" ? { tap } : {}),
    ...(isRedelivered ? { redeliveredAfterMs } : {}),
  };
}

/**
 * Only what is written after the card supersedes it; a card that no one taps or supersedes holds
 * its chat up for a day.
 */
function planTap(random: Random, mayIgnore: boolean): PlannedTap {
  const drawn = random.next();
  const afterMs = random.between(200, 6_000);
  const twice = random.chance(0.1);
  if (drawn < 0.1 && mayIgnore) return { decision: "ignore", afterMs, twice };
  return { decision: drawn < 0.3 ? "Deny" : "Approve", afterMs, twice };
}
