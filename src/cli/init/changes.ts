import { isSecretPath, mask } from "../../config/problems.ts";

/** The lines that only one of two texts has, each with its sign, in their order. Pure. */
export function changedLines(before: string, after: string): readonly string[] {
  return [...onlyIn(before, after, "- "), ...onlyIn(after, before, "+ ")];
}

function onlyIn(text: string, other: string, sign: string): readonly string[] {
  const left = Map.groupBy(other.split("\n"), (line) => line);
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && left.get(line)?.pop() === undefined)
    .map((line) => sign + shownLine(line));
}

/** A line of `.env` or `parley.yaml` as it may be shown: keys, tokens and passwords are dots. */
function shownLine(line: string): string {
  const [, head = "", name = "", value = ""] =
    /^(.*?([\w.-]+)["']?\s*[=:]\s*)(.*)$/.exec(line) ?? [];
  const isReference = /^["']?\$\{\w+\}["']?$/.test(value);
  return value !== "" && !isReference && isSecretPath([name]) ? `${head}••••` : mask(line);
}
