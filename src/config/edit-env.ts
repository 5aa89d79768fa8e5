import { parseEnv } from "node:util";
import { PermanentError } from "../core/errors.ts";

/**
 * The text of a `.env` with some values set: an assignment is replaced where it stands, a new one
 * is added at the end, and every other line stays as it is.
 * @throws PermanentError when the result would not read as meant, e.g. in a value of many lines
 * that looks like an assignment.
 */
export function editEnvText(text: string, values: Readonly<Record<string, string>>): string {
  let lines = text.split("\n");
  for (const [name, value] of Object.entries(values)) {
    const assignment = new RegExp(String.raw`^\s*(?:export\s+)?${name}\s*=`);
    // As everywhere, the last one counts.
    const at = lines.findLastIndex((line) => assignment.test(line));
    const line = `${name}=${quoted(name, value)}`;
    if (at >= 0) lines[at] = line;
    else lines = [...withoutEmptyEnd(lines), line, ""];
  }
  const edited = lines.join("\n");
  check(text, values, edited);
  return edited;
}

function withoutEmptyEnd(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Node takes what is between quotes as it is, but for `\n` between double ones. */
function quoted(name: string, value: string): string {
  if (/^[\w.:/@+=,-]*$/.test(value)) return value;
  const quote = ["'", "`"].find((each) => !value.includes(each));
  if (quote === undefined || value.includes("\n"))
    throw new PermanentError(`${name}: expected a value of one line without ' and \``);
  return `${quote}${value}${quote}`;
}

function check(before: string, values: Readonly<Record<string, string>>, after: string): void {
  const expected: NodeJS.Dict<string> = { ...parseEnv(before), ...values };
  const found = parseEnv(after);
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const wrong = [...names].filter((name) => expected[name] !== found[name]);
  if (wrong.length > 0)
    throw new PermanentError(
      `.env can't be edited safely because of ${wrong.join(", ")}. Set ${Object.keys(values).join(", ")} in it yourself, then run this again.`,
    );
}
