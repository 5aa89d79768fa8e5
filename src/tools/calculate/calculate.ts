import { z } from "zod";
import { unreachable } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../define-tool.ts";
import { maxOldLength, shorten } from "../shorten.ts";
import type { Work } from "../processes/child-process.ts";
import type { ChildProcesses } from "../processes/child-processes.ts";

const work: Work = {
  script: new URL("process.ts", import.meta.url),
  limitMs: 1_000,
  maxMemoryMb: 64,
};

/** Exact arithmetic. What cannot be calculated is an answer that says why, not a failure. */
export function calculateTool({ processes }: { processes: ChildProcesses }): Tool {
  return defineTool({
    name: "calculate",
    description:
      "Evaluates one arithmetic expression exactly: numbers, percent, units, matrices, the usual functions and constants.",
    parameters: z.strictObject({
      expression: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .describe(
          "E.g. 2^100 mod 7, 80 + 15%, sqrt(2) * sin(45 deg), 60 km/h to m/s, det([1, 2; 3, 4]), a = 3; a^2 / 4",
        ),
    }),
    effect: "read",
    confirm: "never",
    history: "action",
    summarise: summariseResult,
    loopKey: ({ expression }) => expression.replaceAll(/\s/g, ""),
    run: async ({ expression }, { requester, signal }) => {
      const outcome = await processes.run({
        work,
        input: () => expression,
        person: requester.id,
        signal,
      });
      switch (outcome.type) {
        case "done":
          return { text: outcome.text };
        case "out-of-time":
          return { text: "Cannot calculate this: it takes too long." };
        case "died":
          return { text: "Cannot calculate this: it is too large." };
        case "failed":
          return { text: `Cannot calculate this: ${outcome.message}` };
        default:
          return unreachable(outcome);
      }
    },
  });
}

/** A number that was cut without a word would be another number. */
function summariseResult(result: string): string {
  if (result.length <= maxOldLength) return result;
  const note = ` (cut: ${result.length} characters)`;
  return `${shorten(result, maxOldLength - note.length)}${note}`;
}
