import type { Disruption } from "./resumptions.ts";
import type { StormResult } from "./run-storm.ts";

/** The lists that have to be empty, by the name under which they are reported. */
export const violationsOf = (result: StormResult): Readonly<Record<string, readonly string[]>> => ({
  lost: result.verdict.lost,
  doubled: result.verdict.doubled,
  reordered: result.verdict.reordered,
  "effects twice": result.verdict.effectsTwice,
  "errors without a reason": result.verdict.wrongErrors,
  "unexpected words": result.verdict.strange,
  "not settled": result.unsettled,
  "left in Redis": result.leftovers,
  "bad histories": result.badHistories,
  "bad model requests": result.badRequests,
  "processes that ended by themselves": result.collapses,
});

export const isClean = (result: StormResult): boolean =>
  Object.values(violationsOf(result)).every((list) => list.length === 0);

/** The table, what is wrong in detail, and the command that repeats it. */
export function report(result: StormResult): string {
  const { verdict, options } = result;
  const violations = violationsOf(result);
  const rows: [string, string | number][] = [
    ["seed", options.seed],
    [
      "processes",
      `${options.workers} workers, ${options.bots} bots${options.previous === undefined ? "" : ", a rolling upgrade in the middle"}`,
    ],
    ["chats", options.chats],
    ["messages", `${result.sent} of ${result.planned}`],
    ["answered", verdict.answered],
    ...Object.entries(violations).map(([name, list]): [string, number] => [name, list.length]),
    ["clear errors", verdict.errors],
    ["superseded by a newer message", verdict.superseded],
    ["outcome unknown", verdict.unknownOutcomes],
    ["labelled as sent again", verdict.labelled],
    ["drafts left behind", verdict.leftDrafts],
    ["“your message is saved”", verdict.keptNotices],
    ["once effects", result.effects],
    ["reads and idempotent calls repeated", result.repeatedReads],
    ["updates delivered twice", result.redelivered],
    ["taps", result.taps],
    ["connections reset", result.resets],
    ["answer after", quantiles(verdict.latenciesMs)],
    ...resumptionRows(result),
    ["SIGTERM to exit", quantiles(result.exitsMs)],
    ["storm", seconds(result.stormMs)],
    ["settled after", seconds(result.settledMs)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    "",
    `events: ${counts(tally(result.events.map(({ kind }) => kind)))}`,
    `platform's complaints: ${counts(result.platformViolations)}`,
    `errors in logs: ${counts(result.errors)}`,
    ...Object.entries(violations).flatMap(([name, list]) =>
      list.slice(0, 20).map((each) => `  ${name}: ${each}`),
    ),
    ...result.givenUp.map((each) => `  given up: ${each}`),
    ...(isClean(result) ? [] : [`logs: ${result.folder}`]),
    `again: ${commandOf(result)}`,
  ].join("\n");
}

function resumptionRows(result: StormResult): [string, string][] {
  const of = (kind: Disruption["kind"]): Resumed[] =>
    result.disruptions
      .filter((each) => each.kind === kind)
      .flatMap((each) => resumedIn(each, result));
  const kills = of("kill");
  return [
    ["recovery after SIGKILL", times(kills)],
    ["  with nothing else wrong", times(kills.filter(({ isUndisturbed }) => isUndisturbed))],
    ["hand-over after SIGTERM", times(of("term"))],
  ];
}

const times = (list: readonly Resumed[]): string => quantiles(list.map(({ tookMs }) => tookMs));

interface Resumed {
  readonly tookMs: number;
  /**
   * No other process, nor Redis, the network or the model, was in trouble from the signal until
   * then.
   */
  readonly isUndisturbed: boolean;
}

/**
 * Only turns that no one has to approve: others may wait for a person meanwhile. Where no one asked
 * again the turn had all that it needed when the signal came.
 */
function resumedIn(
  { atMs, member, resumed }: Disruption,
  { approvals, events }: StormResult,
): Resumed[] {
  return [...resumed]
    .filter(([mark]) => !approvals.has(mark))
    .map(([, tookMs]) => ({
      tookMs,
      isUndisturbed: !events.some(
        (event) =>
          event.target !== member &&
          !event.kind.startsWith("platform") &&
          event.atMs < atMs + tookMs &&
          event.endedAtMs > atMs,
      ),
    }));
}

function quantiles(valuesMs: readonly number[]): string {
  if (valuesMs.length === 0) return "–";
  const sorted = valuesMs.toSorted((one, other) => one - other);
  const at = (part: number): string =>
    seconds(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} (${sorted.length})`;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

function tally(list: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const each of list) found.set(each, (found.get(each) ?? 0) + 1);
  return found;
}

const counts = (map: ReadonlyMap<string, number>): string =>
  map.size === 0 ? "none" : [...map].map(([name, count]) => `${name} ${count}`).join(", ");

function commandOf({ options }: StormResult): string {
  const { seed, turns, chats, turnsPerSecond, eventEveryMs } = options;
  if (options.isSample)
    return `PARLEY_TEST_SEED=${seed} npx vitest run test/chaos/storm-sample.test.ts`;
  const previous = options.previous === undefined ? "" : ` --previous ${options.previous}`;
  return `npm run chaos:storm -- --seed ${seed} --turns ${turns} --chats ${chats} --rate ${turnsPerSecond} --workers ${options.workers} --bots ${options.bots} --event-every ${eventEveryMs} --faults ${options.faults.join(",") || "none"}${previous}`;
}
