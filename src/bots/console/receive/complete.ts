import type { CommandSpec, Completion } from "../../../core/ports.ts";
import type { Completed } from "./line-editor.ts";

/** The candidates for an argument that is no fixed choice. */
export type Suggest = (
  typing: Pick<Parameters<Completion["complete"]>[0], "command" | "argument" | "typed" | "given">,
) => Promise<readonly string[]>;

/**
 * What Tab makes of a command that is being typed, or of one of its values: the letters that all
 * candidates share.
 * @throws what `suggest` throws.
 */
export async function complete(
  line: string,
  specs: readonly Pick<CommandSpec, "name" | "arguments">[],
  suggest: Suggest,
): Promise<Completed> {
  const [, name, rest] = /^\/([a-z0-9_]*)(\s.*)?$/is.exec(line) ?? [];
  if (name === undefined) return { line, choices: [] };
  const names = specs.map((each) => each.name);
  if (rest === undefined) return completed("/", name, names);
  const words = rest.trimStart().split(/\s+/);
  const typed = words.at(-1) ?? "";
  const spec = specs.find((each) => each.name === name.toLowerCase());
  const argument = spec?.arguments?.[words.length - 1];
  if (spec === undefined || argument === undefined) return { line, choices: [] };
  const given = Object.fromEntries(
    words.slice(0, -1).map((word, at) => [spec.arguments?.[at]?.name ?? "", word]),
  );
  const typing = { command: spec.name, argument: argument.name, typed, given };
  const candidates =
    argument.choices ??
    (spec.name === "help" && argument.name === "command" ? names : await suggest(typing));
  return completed(line.slice(0, line.length - typed.length), typed, candidates);
}

/** @param before what stands before the word that is completed. */
function completed(before: string, typed: string, candidates: readonly string[]): Completed {
  const hits = candidates.filter((each) => each.toLowerCase().startsWith(typed.toLowerCase()));
  const [first = ""] = hits;
  if (hits.length === 0) return { line: before + typed, choices: [] };
  if (hits.length === 1) return { line: `${before}${first} `, choices: [] };
  let length = first.length;
  while (hits.some((hit) => !hit.startsWith(first.slice(0, length)))) length -= 1;
  const shared = first.slice(0, Math.max(length, typed.length));
  return { line: before + (length >= typed.length ? shared : typed), choices: hits };
}
