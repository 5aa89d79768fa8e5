/**
 * What a turn costs beside what a person would pick instead: `npm run bench`, `-- --smoke` for a look at whether it works,
 * `-- --only Parley,floor` and `-- --question "50 at once"` for a part. The peers are installed apart, by
 * `npm run bench:peers`; without them their rows are left out, and said so. Rounds are interleaved, and turned round every
 * other time. Prints tables and writes `bench/results/<date>.json`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../src/core/errors.ts";
import {
  fullSizes,
  questions,
  smokeSizes,
  type Figure,
  type Question,
  type Sizes,
} from "./questions.ts";
import { tables } from "./support/tables.ts";
import { startStubs } from "./support/stubs.ts";
import { systemNamed, systems, type System } from "./systems.ts";

const here = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.url));

export interface BenchOptions {
  readonly systems: readonly System[];
  readonly questions: readonly Question[];
  readonly rounds: number;
  readonly sizes: Sizes;
  readonly say: (line: string) => void;
}

/** Every question to every system, round by round. What fails is said and left out; `failures` counts it. */
export async function bench(
  options: BenchOptions,
): Promise<{ readonly figures: readonly Figure[]; readonly failures: number }> {
  await using stubs = await startStubs();
  const figures: Figure[] = [];
  let failures = 0;
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const question of options.questions) {
      const suited = options.systems.filter(question.suits);
      const order = round % 2 === 1 ? suited : suited.toReversed();
      for (const system of order) {
        try {
          const values = await question.ask({
            stubs,
            system,
            sizes: options.sizes,
          });
          figures.push({
            question: question.name,
            system: system.name,
            round,
            values,
          });
          options.say(
            `round ${round}, ${question.name}, ${system.name}: ${shown(values)}`,
          );
        } catch (error) {
          failures += 1;
          options.say(
            `round ${round}, ${question.name}, ${system.name} failed: ${messageOf(error)}`,
          );
        }
      }
    }
  }
  return { figures, failures };
}

const shown = (values: Figure["values"]): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(", ");

/** The packages that are measured, with their versions. */
function versions(): Readonly<Record<string, string>> {
  const names = {
    "../node_modules": ["openai", "bullmq", "ioredis", "grammy"],
    "peers/node_modules": ["ai", "chat", "@openai/agents", "langchain"],
  };
  const found: Record<string, string> = { node: process.versions.node };
  for (const [folder, packages] of Object.entries(names))
    for (const name of packages) {
      const file = here(`${folder}/${name}/package.json`);
      if (!existsSync(file)) continue;
      const { version } = JSON.parse(readFileSync(file, "utf8")) as {
        version: string;
      };
      found[name] = version;
    }
  return found;
}

const isThere = ({ name }: System): boolean =>
  name.startsWith("floor") ||
  name.startsWith("Parley") ||
  existsSync(here("peers/node_modules"));

const say = (line: string): void => console.error(line);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      smoke: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string" },
      question: { type: "string" },
    },
  });
  const rounds = Number(values.rounds ?? (values.smoke ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 20)
    throw new TypeError(
      `--rounds is ${values.rounds}: expected a whole number from 1 to 20`,
    );
  const wanted =
    values.only?.split(",").map((name) => systemNamed(name.trim())) ?? systems;
  const asked = questions.filter(({ name }) =>
    name.includes(values.question ?? ""),
  );
  if (asked.length === 0)
    throw new TypeError(
      `no question is like "${values.question}": expected a part of one of ${questions.map(({ name }) => name).join("; ")}`,
    );
  const present = wanted.filter(isThere);
  for (const { name } of wanted.filter((system) => !isThere(system)))
    say(`${name} is left out: npm run bench:peers installs it`);
  const { figures, failures } = await bench({
    systems: present,
    questions: asked,
    rounds,
    sizes: values.smoke ? smokeSizes : fullSizes,
    say,
  });
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model ?? "",
    kernel: release(),
  };
  console.log(tables(figures));
  console.log(JSON.stringify({ machine, versions: versions(), rounds }));
  if (!values.smoke) {
    const file = here(`results/${new Date().toISOString().slice(0, 10)}.json`);
    mkdirSync(here("results"), { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify({ machine, versions: versions(), rounds, figures }, undefined, 1)}\n`,
    );
    say(`written: ${file}`);
  }
  if (failures > 0) process.exitCode = 1;
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
