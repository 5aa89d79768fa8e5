import { z } from "zod";
import type { Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";

/** Tells the time in a time zone. @param now milliseconds since the epoch. */
export function currentTimeTool(now: () => number): Tool {
  return defineTool({
    name: "current_time",
    description: "The current date and time in a time zone.",
    parameters: z.strictObject({
      timeZone: z
        .string()
        .refine(isTimeZone, "expected an IANA time zone such as Europe/Berlin or UTC")
        .describe("IANA time zone, e.g. Asia/Tokyo")
        .default("UTC"),
    }),
    effect: "read",
    confirm: "never",
    history: "state",
    run: ({ timeZone }) => {
      const text = new Intl.DateTimeFormat("en-GB", {
        timeZone,
        dateStyle: "full",
        timeStyle: "long",
      }).format(now());
      return Promise.resolve({ text: `${text} (${timeZone})` });
    },
  });
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
