import type { StormOptions } from "./plan.ts";
import type { Random } from "./random.ts";

/** How many of each there are in a deck; a storm goes through shuffled decks. */
const deck = {
  "worker-kill": 8,
  "worker-stop": 3,
  "worker-term": 2,
  "rolling-restart": 1,
  "bots-kill": 3,
  "bots-stop": 1,
  "bots-term": 1,
  "redis-restart": 2,
  "client-kill": 2,
  "client-pause": 2,
  "network-cut": 2,
  "network-stall": 1,
  "network-reset": 3,
  "network-latency": 2,
  "platform-429": 3,
  "platform-5xx": 2,
  "platform-hang-up": 2,
  "model-5xx": 1,
  "model-429": 1,
  "model-cut": 1,
} as const;

export type EventKind = keyof typeof deck;
export const eventKinds = Object.keys(deck) as EventKind[];

export interface StormEvent {
  readonly kind: EventKind;
  /** From the storm's beginning. */
  readonly atMs: number;
  /** How long it lasts, or how long a killed process stays away. */
  readonly forMs: number;
  /** Which of several processes: this one, or the next that is there. */
  readonly target: number;
  /** Part of what passes by that is hit, where not all of it is. */
  readonly share: number;
}

/** The shortest and the longest, in milliseconds. */
const lengths: Readonly<Record<EventKind, readonly [number, number]>> = {
  "worker-kill": [100, 3_000],
  // Beyond the lock and the lease, which both last 6 s.
  "worker-stop": [8_000, 9_000],
  "worker-term": [0, 500],
  "rolling-restart": [0, 0],
  "bots-kill": [100, 3_000],
  "bots-stop": [8_000, 9_000],
  "bots-term": [0, 500],
  "redis-restart": [50, 2_000],
  "client-kill": [0, 0],
  "client-pause": [300, 2_500],
  "network-cut": [2_000, 2_000],
  "network-stall": [2_000, 2_000],
  "network-reset": [300, 1_000],
  "network-latency": [2_000, 5_000],
  "platform-429": [2_000, 4_000],
  "platform-5xx": [1_000, 4_000],
  "platform-hang-up": [1_000, 3_000],
  "model-5xx": [1_000, 3_000],
  "model-429": [1_000, 3_000],
  "model-cut": [1_000, 3_000],
};

/**
 * Planned for longer than people should need: what they have not said by then is said in the storm,
 * too.
 */
const reserve = 3;

export function planEvents(
  options: Pick<StormOptions, "faults" | "eventEveryMs" | "isSample">,
  durationMs: number,
  random: Random,
): StormEvent[] {
  const { faults, isSample, eventEveryMs } = options;
  const cards = faults.flatMap((kind) => Array<EventKind>(isSample ? 1 : deck[kind]).fill(kind));
  if (cards.length === 0) return [];
  const events: StormEvent[] = [];
  let left: EventKind[] = [];
  let atMs = random.between(0.2, 0.6) * eventEveryMs;
  while (isSample ? events.length < cards.length : atMs < durationMs * reserve) {
    if (left.length === 0) left = random.shuffled(cards);
    const kind = left.pop();
    if (kind === undefined) break;
    events.push({
      kind,
      atMs,
      forMs: random.between(...lengths[kind]),
      target: random.whole(0, 7),
      share: random.between(0.2, 0.6),
    });
    atMs += random.between(0.5, 1.5) * eventEveryMs;
  }
  return events;
}
