import { existsSync, readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { messageOf } from "../../src/core/errors.ts";

import { systems as allSystems, type System } from "../systems.ts";
import type { Sizes, Values } from "./measure.ts";
import type { Answer, Question } from "./question.ts";
import type { Figure, Results } from "./results.ts";
import { startStubs } from "./stubs.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface BenchOptions {
  readonly systems: readonly System[];
  readonly questions: readonly Question[];
  readonly rounds: number;
  readonly sizes: Sizes;
  readonly say: (line: string) => void;
}

/**
 * Every question to every system, round by round. What fails is said and left out; `failures`
 * counts it. `complete` where every system was there.
 */
export async function runBench(
  options: BenchOptions,
): Promise<Results & { readonly failures: number }> {
  const { rounds, say } = options;
  const systems = options.systems.filter(isThere);
  for (const { name } of options.systems.filter((each) => !isThere(each)))
    say(`${name} is left out: npm run bench:peers installs it`);
  await using stubs = await startStubs();
  const figures: Figure[] = [];
  let failures = 0;
  for (let round = 1; round <= rounds; round += 1) {
    for (const question of options.questions) {
      const suited = systems.filter(
        (system) =>
          question.suits(system) && (system.hasOwnRedis !== true || question.name === "start"),
      );
      const order = round % 2 === 1 ? suited : suited.toReversed();
      for (const system of order) {
        const row = question.row ?? system.name;
        try {
          const { sizes } = options;
          const answer = await question.ask({ stubs, system, sizes });
          for (const [name, values] of rowsOf(answer, row)) {
            figures.push({
              question: question.name,
              system: name,
              round,
              values,
            });
            say(`round ${round}, ${question.name}, ${name}: ${shown(values)}`);
          }
        } catch (error) {
          failures += 1;
          say(`round ${round}, ${question.name}, ${row} failed: ${messageOf(error)}`);
        }
      }
    }
  }
  return {
    date: new Date().toISOString(),
    complete: systems.length === options.systems.length,
    rounds,
    machine: machine(),
    versions: versions(),
    figures,
    failures,
  };
}

const place = ({ system }: Figure): number => allSystems.findIndex(({ name }) => name === system);

/** Rows in the systems' own order, whatever the order in which runs were put together. Pure. */
export function inOrder(results: Results): Results {
  return {
    ...results,
    figures: results.figures.toSorted((one, other) => place(one) - place(other)),
  };
}

const rowsOf = (answer: Answer, row: string): Iterable<readonly [string, Figure["values"]]> =>
  answer instanceof Map ? answer : [[row, answer as Values]];

const shown = (values: Figure["values"]): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
    .join(", ");

const machine = (): Results["machine"] => ({
  cores: cpus().length,
  model: cpus()[0]?.model ?? "",
  kernel: release(),
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
});

const packageSchema = z.object({ version: z.string() });

/** The packages that are measured, with their versions. */
function versions(): Readonly<Record<string, string>> {
  const names = {
    "../../node_modules": ["openai", "bullmq", "ioredis", "grammy", "undici"],
    "../peers/node_modules": ["ai", "chat", "@openai/agents", "langchain"],
  };
  const found: Record<string, string> = { node: process.versions.node };
  for (const [folder, packages] of Object.entries(names))
    for (const name of packages) {
      const file = here(`${folder}/${name}/package.json`);
      if (!existsSync(file)) continue;
      const json: unknown = JSON.parse(readFileSync(file, "utf8"));
      found[name] = packageSchema.parse(json).version;
    }
  return found;
}

const isThere = ({ name, isDurable }: System): boolean =>
  isDurable || name.startsWith("floor") || existsSync(here("../peers/node_modules"));
