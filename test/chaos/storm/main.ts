// Many processes, and everything that can go wrong with them, for some minutes:
//   node test/chaos/storm/main.ts [--seed n] [--turns n] [--chats n] [--workers n] [--bots n] [--rate turns/s]
//     [--event-every ms] [--faults all|none|kind,kind,…] [--minutes n] [--previous folder] [--program folder]
// Prints what became of every message; ends with 1 where anything was lost, doubled, out of order
// or done twice.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { eventKinds, type EventKind } from "./plan-events.ts";
import { isClean, report } from "./report.ts";
import { removeFolder, runStorm } from "./run-storm.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(randomInt(1, 1_000_000)) },
    turns: { type: "string", default: "5000" },
    chats: { type: "string", default: "200" },
    workers: { type: "string", default: "3" },
    bots: { type: "string", default: "1" },
    rate: { type: "string", default: "11" },
    "event-every": { type: "string", default: "4500" },
    faults: { type: "string", default: "all" },
    minutes: { type: "string", default: "15" },
    previous: { type: "string" },
    program: { type: "string" },
  },
});

function numberOf(name: Exclude<keyof typeof values, "previous" | "program">): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} is ${values[name]}: expected a number above 0`);
}

function faultsOf(text: string): readonly EventKind[] {
  if (text === "all") return eventKinds;
  if (text === "none") return [];
  return text.split(",").map((name) => {
    const found = eventKinds.find((kind) => kind === name);
    if (found !== undefined) return found;
    throw new Error(`--faults has ${name}: expected all, none or some of ${eventKinds.join(", ")}`);
  });
}

// The processes go with this one, however it ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const result = await runStorm(
  {
    seed: numberOf("seed"),
    turns: numberOf("turns"),
    chats: numberOf("chats"),
    workers: numberOf("workers"),
    bots: numberOf("bots"),
    turnsPerSecond: numberOf("rate"),
    eventEveryMs: numberOf("event-every"),
    maxMinutes: numberOf("minutes"),
    faults: faultsOf(values.faults),
    ...(values.previous === undefined ? {} : { previous: values.previous }),
    ...(values.program === undefined ? {} : { program: values.program }),
  },
  say,
);
console.log(report(result));
const isGood = isClean(result);
if (isGood) removeFolder(result);
// Whatever still listens or waits belongs to the emulators.
process.exit(isGood ? 0 : 1);
