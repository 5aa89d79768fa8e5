import { pino } from "pino";

/** One line of a process' log. */
export interface LogLine {
  readonly level: string;
  /** ISO 8601. */
  readonly time: string;
  readonly msg?: string;
  readonly [name: string]: unknown;
}

/** The lines of a log among other output. */
export const logLinesOf = (output: string): string[] =>
  output.split("\n").filter((line) => line.startsWith('{"level":'));

export const isAtLeast = (
  { level }: Pick<LogLine, "level">,
  least: "warn" | "error" | "fatal",
): boolean => (pino.levels.values[level] ?? 0) >= (pino.levels.values[least] ?? 0);

/** Names that stand twice in one object of a JSON text, which `JSON.parse` hides. */
export function duplicateKeys(json: string): string[] {
  const found: string[] = [];
  const open: Set<string>[] = [];
  for (const [token, key] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") open.push(new Set());
    if (token === "}") open.pop();
    if (key === undefined) continue;
    if (open.at(-1)?.has(key)) found.push(key);
    open.at(-1)?.add(key);
  }
  return found;
}
