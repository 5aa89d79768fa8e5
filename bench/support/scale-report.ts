import { balanced, predict, type Deployment, type TurnCost } from "../scale-model.ts";
import { rowOf, scaleModelMs, scaleOutName, slotsName } from "../scale-questions.ts";
import { shownNumber } from "./figure-labels.ts";
import type { Results } from "./results.ts";
import { slotNames, type SlotKind } from "./slot-work.ts";
import { markdownTable, summary } from "./tables.ts";

/** As the product has it: `src/roles/working.ts`. */
const turnsPerWorker = 1_000;

type Medians = (row: string, figure: string) => number;

/** @throws Error for a figure that the run should have and has not */
function mediansOf(results: Results, question: string): Medians | undefined {
  const rows = summary(results.figures, question);
  if (rows.size === 0) return undefined;
  return (row, figure) => {
    const median = rows.get(row)?.[figure]?.median;
    if (median === undefined)
      throw new Error(`${question} says nothing of "${figure}" of "${row}"`);
    return median;
  };
}

/**
 * The row with the most turns a second: a turn costs half as much where others are under way, since
 * what wakes a process serves several of them, and it is there that the most counts.
 */
function busiestRow({ figures }: Results, scaleOut: Medians): string {
  const rows = [...summary(figures, scaleOutName).keys()];
  return rows.reduce((busiest, row) =>
    scaleOut(row, "perSecond") > scaleOut(busiest, "perSecond") ? row : busiest,
  );
}

/**
 * What a turn costs where the machine is busiest, from a run's medians. Redis' slots are known as
 * shares of its work.
 */
function costOf(busiest: string, scaleOut: Medians, slots: Medians): TurnCost {
  const measured = (kind: SlotKind): number => slots(slotNames[kind], "redisCpuMsPerTurn");
  const kinds = Object.keys(slotNames) as SlotKind[];
  const all = kinds.reduce((sum, kind) => sum + measured(kind), 0);
  const slot = (kind: SlotKind): number =>
    (measured(kind) / all) * scaleOut(busiest, "redisCpuMsPerTurn");
  return {
    botsMs: scaleOut(busiest, "botsCpuMsPerTurn"),
    workerMs: scaleOut(busiest, "workerCpuMsPerTurn"),
    redis: {
      turnsMs: slot("turns"),
      limitsMs: slot("limits"),
      perBotMs: slot("deliveries") + slot("pace"),
      // Commands without a key go to any master.
      shardsMs: slot("chats") + slot("other"),
    },
  };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** What was predicted for so many workers on this machine, beside what was measured. */
function check(
  { machine, figures }: Results,
  scaleOut: Medians,
  { cost, busiest }: { readonly cost: TurnCost; readonly busiest: string },
): string {
  const rows = [...summary(figures, scaleOutName).keys()];
  const first = scaleOut(rowOf(1), "perSecond");
  return markdownTable(
    [
      "",
      "asked a second",
      "predicted",
      "measured",
      "measured ÷ predicted",
      "of one worker's pace, each",
      "held there by",
      "cores used by others",
      "CPU per turn (ms)",
      "Redis' CPU per turn (ms)",
      "Redis' commands per turn",
    ],
    rows.map((row) => {
      const of = (figure: string) => scaleOut(row, figure);
      const workers = of("workers");
      // People who wait for an answer don't ask: as many as one worker's people have in its time.
      const askedPerSecond = (of("lanes") * 1_000) / scaleOut(rowOf(1), "p50Ms");
      const { perSecond, bottleneck } = predict(cost, {
        // What others used is not there.
        cores: Math.max(0.1, machine.cores - of("coresElsewhere")),
        masters: 1,
        turnPartitions: 1,
        bots: 1,
        botsProcesses: 1,
        workers,
        modelMs: scaleModelMs,
        turnsPerWorker,
        alongsideMs: scaleOut(busiest, "farEndsCpuMsPerTurn"),
        askedPerSecond,
      });
      return [
        row,
        shownNumber(askedPerSecond),
        shownNumber(perSecond),
        shownNumber(of("perSecond")),
        percent(of("perSecond") / perSecond),
        percent(of("perSecond") / workers / first),
        bottleneck,
        shownNumber(of("coresElsewhere")),
        shownNumber(of("cpuMsPerTurn")),
        shownNumber(of("redisCpuMsPerTurn")),
        shownNumber(of("redisCommandsPerTurn")),
      ];
    }),
  );
}

/**
 * What is predicted of, besides the machines' cores: Redis' masters, partitions of the turns'
 * queue, bot accounts.
 */
const shapes = [
  { machines: 1, masters: 1, turnPartitions: 1, bots: 1 },
  { machines: 10, masters: 1, turnPartitions: 1, bots: 10 },
  { machines: 10, masters: 3, turnPartitions: 1, bots: 10 },
  { machines: 100, masters: 3, turnPartitions: 1, bots: 100 },
  { machines: 100, masters: 12, turnPartitions: 1, bots: 100 },
  { machines: 100, masters: 12, turnPartitions: 8, bots: 100 },
  { machines: 100, masters: 24, turnPartitions: 16, bots: 100 },
] as const;

function forecast(cost: TurnCost, coresPerMachine: number): string {
  const rows = shapes.map((shape) => {
    const cores = shape.machines * coresPerMachine;
    const deployment: Deployment = {
      ...shape,
      cores,
      ...balanced(cost, Math.max(2, cores - shape.masters)),
      modelMs: scaleModelMs,
      turnsPerWorker,
    };
    const { perSecond, bottleneck } = predict(cost, deployment);
    const { botsProcesses, workers } = deployment;
    return [
      shape.machines,
      shape.masters,
      shape.turnPartitions,
      shape.bots,
      botsProcesses,
      workers,
      Math.round(perSecond),
      bottleneck,
    ].map((cell) => (typeof cell === "number" ? shownNumber(cell) : cell));
  });
  return markdownTable(
    [
      "machines",
      "masters of Redis",
      "slots of the turns' queue",
      "bot accounts",
      "bots processes",
      "workers",
      "turns a second",
      "held there by",
    ],
    rows,
  );
}

/** What each slot can carry, were it alone on a master. */
function ceilings({ redis }: TurnCost): string {
  const names = {
    turnsMs: "the turns' queue (one for all)",
    limitsMs: "limits (one for all)",
    perBotMs: "deliveries and pace (one each per bot account)",
    shardsMs: "chats (spread over 256)",
  } as const;
  return markdownTable(
    ["slots", "Redis' CPU per turn (ms)", "turns a second of one core"],
    (Object.keys(names) as (keyof typeof names)[]).map((key) => [
      names[key],
      shownNumber(redis[key]),
      shownNumber(Math.round(1_000 / redis[key])),
    ]),
  );
}

/**
 * Prediction beside measurement, and what is predicted of more machines such as the one that was
 * measured, in Markdown. Pure. Undefined where the run has not asked both questions.
 */
export function scaleReport(
  results: Results,
  coresPerMachine: number = results.machine.cores,
): string | undefined {
  const scaleOut = mediansOf(results, scaleOutName);
  const slots = mediansOf(results, slotsName);
  if (scaleOut === undefined || slots === undefined) return undefined;
  const busiest = busiestRow(results, scaleOut);
  const cost = costOf(busiest, scaleOut, slots);
  return [
    `Predicted from a turn's cost with ${busiest}, where most are done (bots ${shownNumber(cost.botsMs)} ms, worker ${shownNumber(cost.workerMs)} ms), beside what was measured on this machine:`,
    check(results, scaleOut, { cost, busiest }),
    "What each kind of slot takes of Redis, and what one core of it carries:",
    ceilings(cost),
    `Predicted of machines with ${coresPerMachine} cores, nothing kept in reserve:`,
    forecast(cost, coresPerMachine),
  ].join("\n\n");
}
