import { pino } from "pino";
import { Response } from "undici";
import { Random } from "../chaos/storm/random.ts";
import { PermanentError } from "../../src/core/errors.ts";
import { createFileReader } from "../../src/files/create-file-reader.ts";
import { calculateTool } from "../../src/tools/calculate/calculate.ts";
import { readPage } from "../../src/tools/fetch-url/read-page.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { contextIn, here, textOf } from "../tools/support/context.ts";
import { must, type Fuzzer } from "./fuzzer.ts";
import { hostileClasses, type HostileInput } from "./hostile-files.ts";

const person = "1";

/**
 * Files, pages and expressions that ask for much, through the real readers.
 * @param limitMs each input is called off then; absent: its own limit holds.
 */
export function filesFuzzer(limitMs?: number): Fuzzer {
  const processes = new ChildProcesses();
  const reader = createFileReader({
    processes,
    log: pino({ level: "silent" }),
  });
  const calculate = calculateTool({ processes });

  const work = async ({ kind, bytes }: HostileInput, signal: AbortSignal): Promise<string> => {
    switch (kind) {
      case "pdf": {
        const load = () => Promise.resolve(bytes);
        const file = await reader.read({ kind: "document", mediaType: "", person, load }, signal);
        if (file.type === "unreadable") return file.why;
        must(file.text.length <= 1_000_000, "no text is longer than a million");
        return "read";
      }
      case "html": {
        const url = new URL("http://site.test/");
        const headers = { "content-type": "text/html" };
        const response = new Response(bytes, { headers });
        await readPage({ url, response, processes, person, signal });
        return "read";
      }
      case "calculate": {
        const expression = bytes.toString();
        const context = contextIn(here, signal);
        const text = await textOf(calculate, { expression }, context);
        return text.startsWith("Cannot") ? text.slice(0, 50) : "read";
      }
      default:
        throw new TypeError("there is no such kind");
    }
  };

  return {
    name: "files",
    covers:
      "child processes: none ends ours, none is left, each input ends with a text or a reason",
    mustReach: [],
    make: (random) => {
      const [name, ways] = random.pick(Object.entries(hostileClasses));
      const way = random.whole(0, ways.length - 1);
      return JSON.stringify([name, way, random.whole(0, 2 ** 31)]);
    },
    async run(input) {
      const [name, way, seed] = JSON.parse(input) as [string, number, number];
      const make = hostileClasses[name]?.[way];
      if (make === undefined) throw new TypeError(`there is no ${input}`);
      const given = make(new Random(seed));
      const signal =
        limitMs === undefined ? new AbortController().signal : AbortSignal.timeout(limitMs);
      const outcome = await work(given, signal).catch((error: unknown) => {
        if (signal.aborted) return "called off";
        if (error instanceof PermanentError) return "too-complicated";
        throw error;
      });
      return { passed: true, outcome: `${name} (${given.kind}): ${outcome}` };
    },
    [Symbol.asyncDispose]: () => {
      processes[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
