import { readFileSync } from "node:fs";
import { z } from "zod";

let known: string | undefined;

/** Parley's own, as its package says. */
export function ownVersion(): string {
  known ??= z
    .object({ version: z.string() })
    .parse(
      JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")),
    ).version;
  return known;
}
