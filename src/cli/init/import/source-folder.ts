import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readYaml } from "../../../config/read-file.ts";
import { PermanentError } from "../../../core/errors.ts";

export type Mapping = Readonly<Record<string, unknown>>;

const mapping = z.record(z.string(), z.unknown());

/** Another bot's value as a mapping; anything else is an empty one. */
export const mappingOf = (value: unknown): Mapping => mapping.safeParse(value).data ?? {};

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** `${NAME}`; `$${NAME}` is an ordinary text. */
export const reference = /(?<!\$)\$\{(\w+)\}/g;

/** Each `${NAME}` in it is replaced where it is set, and `${NAME:-text}` in any case. */
export const withValues = (text: string, env: Mapping): string =>
  withoutDefaults(text, env).replaceAll(reference, (all, name: string) => textOf(env[name]) ?? all);

/**
 * `${NAME:-text}`, which Parley doesn't know, becomes `${NAME}` or, where that isn't set, the text,
 * which may have variables in it.
 */
export function withoutDefaults(text: string, env: Mapping): string {
  const read = text.replaceAll(
    /(?<!\$)\$\{(\w+):?-((?:\$\{\w+\}|(?!\$\{)[^}])*)\}/g,
    (_, name: string, usual: string) => (textOf(env[name]) === undefined ? usual : `\${${name}}`),
  );
  return read === text ? text : withoutDefaults(read, env);
}

/** Whether it has a `${` that begins no reference, as in `${NAME:?text}`. */
export const hasStrayReference = (text: string): boolean =>
  /(?<!\$)\$\{(?![A-Za-z_]\w*\})/.test(text);

export const strayProblem =
  "it has a ${…} that Parley can't read: neither ${NAME} nor ${NAME:-default}";

/** A token or a key with its variables' values, as it goes into `.env`; else why there is none. */
export function secretValue(
  given: string,
  env: Mapping,
): { readonly value: string } | { readonly problem: string } {
  const text = withoutDefaults(given, env);
  if (hasStrayReference(text)) return { problem: strayProblem };
  const names = [...text.matchAll(reference)].map(([, name = ""]) => name);
  const unset = names.find((name) => textOf(env[name]) === undefined);
  if (unset !== undefined) return { problem: `${unset} isn't set there` };
  const value = text.replaceAll(/\$\$\{|\$\{(\w+)\}/g, (_, name: string | undefined) =>
    name === undefined ? "${" : (textOf(env[name]) ?? ""),
  );
  return { value };
}

/** The folder that another bot keeps its things in; what isn't there reads as nothing. */
export class SourceFolder {
  readonly path: string;

  /** @throws PermanentError when it is no folder. */
  constructor(path: string) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new PermanentError(`--from: expected a folder at ${path}; name another one after it`);
    this.path = path;
  }

  has(name: string): boolean {
    return statSync(this.at(name), { throwIfNoEntry: false })?.isFile() === true;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  text(name: string): string | undefined {
    try {
      return textOf(readFileSync(join(this.path, name), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** JSON, also with comments, or YAML. @throws PermanentError when it is neither. */
  data(name: string): unknown {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const read = readYaml(name.endsWith(".yaml") ? text : withoutComments(text), name);
    if ("content" in read) return read.content;
    throw new PermanentError(
      `${join(this.path, name)}: ${read.problems[0]?.expected ?? "expected JSON"}`,
    );
  }

  /** Names in a folder, sorted. */
  names(folder: string): readonly string[] {
    try {
      return readdirSync(join(this.path, folder)).toSorted();
    } catch {
      return [];
    }
  }
}

/** JSON5 has comments; what is between quotes stays. */
const withoutComments = (text: string): string =>
  text.replaceAll(
    /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, quoted: string | undefined) => quoted ?? " ",
  );
