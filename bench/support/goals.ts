import { shownNumber } from "./figure-labels.ts";
import type { Results } from "./results.ts";
import { markdownTable, summary } from "./tables.ts";

/** The lower bound that Parley's goals are ratios to. */
export const durableFloor = "Durable floor";

/** One figure of one row of a question, as a median over all rounds. */
interface Cell {
  readonly question: string;
  readonly system: string;
  readonly figure: string;
}
/** What Parley must reach and aims at: a figure, or its ratio to another one of the same run. */
interface Goal {
  readonly name: string;
  readonly of: Cell;
  readonly dividedBy?: Cell;
  readonly limit: "at most" | "at least";
  readonly must: number;
  readonly aim: number;
}

const at50 = (system: string, figure: string): Cell => ({ question: "50 at once", system, figure });
const idle = (system: string, figure = "p50Ms", messages = 0): Cell => ({
  question: `idle, plain, ${messages} messages`,
  system,
  figure,
});
const memory = (system: string): Cell => ({
  question: "1,000 in flight, a model of 4 s",
  system,
  figure: "rssMegabytes",
});

export const goals: readonly Goal[] = [
  {
    name: "CPU per turn, 50 at once, × durable floor",
    of: at50("Parley", "cpuMsPerTurn"),
    dividedBy: at50(durableFloor, "cpuMsPerTurn"),
    limit: "at most",
    must: 3,
    aim: 2.5,
  },
  {
    name: "turns a second, 50 at once, × durable floor",
    of: at50("Parley", "perSecond"),
    dividedBy: at50(durableFloor, "perSecond"),
    limit: "at least",
    must: 0.45,
    aim: 0.6,
  },
  {
    name: "turns a second, 50 at once, × Chat SDK",
    of: at50("Parley", "perSecond"),
    dividedBy: at50("Chat SDK", "perSecond"),
    limit: "at least",
    must: 2,
    aim: 2.5,
  },
  {
    name: "Redis' CPU per turn, 50 at once, × durable floor",
    of: at50("Parley", "redisCpuMsPerTurn"),
    dividedBy: at50(durableFloor, "redisCpuMsPerTurn"),
    limit: "at most",
    must: 2,
    aim: 1.5,
  },
  {
    name: "Redis' commands per turn, 50 at once",
    of: at50("Parley", "redisCommandsPerTurn"),
    limit: "at most",
    must: 130,
    aim: 110,
  },
  {
    name: "idle turn, median, × durable floor",
    of: idle("Parley"),
    dividedBy: idle(durableFloor),
    limit: "at most",
    must: 1.8,
    aim: 1.5,
  },
  {
    name: "idle turn in one process, median, × Chat SDK",
    of: idle("Parley, one process"),
    dividedBy: idle("Chat SDK"),
    limit: "at most",
    must: 1.3,
    aim: 1,
  },
  {
    name: "CPU per idle turn after 2,000 messages ÷ after none",
    of: idle("Parley", "cpuMsPerTurn", 2_000),
    dividedBy: idle("Parley", "cpuMsPerTurn"),
    limit: "at most",
    must: 1.2,
    aim: 1.1,
  },
  {
    name: "memory with 1,000 in flight, a model of 4 s, × durable floor",
    of: memory("Parley"),
    dividedBy: memory(durableFloor),
    limit: "at most",
    must: 1.4,
    aim: 1.2,
  },
];

/** Every goal with what a run says of it, in Markdown. Pure. Empty where it says nothing of any. */
export function goalsTable({ figures }: Pick<Results, "figures">): string {
  const medianOf = ({ question, system, figure }: Cell): number | undefined =>
    summary(figures, question).get(system)?.[figure]?.median;
  const measuredOf = ({ of, dividedBy }: Goal): number | undefined => {
    const value = medianOf(of);
    if (dividedBy === undefined) return value;
    const base = medianOf(dividedBy);
    return value === undefined || base === undefined || base <= 0 ? undefined : value / base;
  };
  const rows = goals.map((goal) => ({ goal, measured: measuredOf(goal) }));
  if (rows.every(({ measured }) => measured === undefined)) return "";
  return markdownTable(
    ["goal", "measured", "must", "aim", "reached"],
    rows.map(({ goal, measured }) => [
      goal.name,
      measured === undefined ? "–" : shownNumber(measured),
      ...[goal.must, goal.aim].map((value) => `${goal.limit === "at most" ? "≤" : "≥"} ${value}`),
      measured === undefined ? "–" : reachedBy(measured, goal),
    ]),
  );
}

function reachedBy(measured: number, { limit, must, aim }: Goal): "aim" | "must" | "no" {
  const reaches = (value: number) => (limit === "at most" ? measured <= value : measured >= value);
  if (reaches(aim)) return "aim";
  return reaches(must) ? "must" : "no";
}
