import { z } from "zod";
import { unreachable } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../define-tool.ts";
import { maxOldLength, shorten } from "../shorten.ts";
import type { Threads } from "../threads/threads.ts";

const script = new URL("thread.ts", import.meta.url);
const limitMs = 1_000;
const maxMemoryMb = 64;

/** Exact arithmetic. What cannot be calculated is an answer that says why, not a failure. */
export function calculateTool({ threads }: { threads: Threads }): Tool {
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
    run: async ({ expression }, { signal }) => {
      const outcome = await threads.run({
        script,
        input: expression,
        limitMs,
        maxMemoryMb,
        signal,
      });
      switch (outcome.type) {
        case "done":
          return { text: outcome.text };
        case "out-of-time":
          return { text: "Cannot calculate this: it takes too long." };
        case "out-of-memory":
          return { text: "Cannot calculate this: it is too large." };
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
