import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { fileSchema, type FileSettings } from "./file.ts";
import { interpolate, type Environment } from "./interpolation.ts";
import type { Interpolated } from "./interpolation.ts";
import { isSecretPath, mask, show, type Problem } from "./problems.ts";

export type FileReading =
  { readonly settings: FileSettings } | { readonly problems: readonly Problem[] };

/** Reads the text of `parley.yaml`. `fileName` is how messages call it. */
export function readFileText(
  fileText: string,
  environment: Environment,
  fileName: string,
): FileReading {
  const parsed = readYaml(fileText, fileName);
  return "problems" in parsed ? parsed : readFileContent(parsed.content, environment, fileName);
}

type Parsed = { readonly content: unknown } | { readonly problems: readonly Problem[] };

/** Characters: no file of settings is longer. */
const maxFileLength = 1_000_000;
/** Brackets, braces and `?` that may be open at once: 300 as keys of each other take the YAML parser a minute. */
const maxOpen = 100;

/** Why a text can't be parsed at all; undefined: it can. */
function refusalOf(fileText: string): string | undefined {
  if (fileText.length > maxFileLength) return `expected at most ${maxFileLength} characters`;
  let open = 0;
  // A question mark before a key opens one that nothing closes.
  for (const [sign] of fileText.matchAll(/[[\]{}]|(?<!\S)\?(?=\s)/g)) {
    open = sign === "]" || sign === "}" ? Math.max(0, open - 1) : open + 1;
    if (open > maxOpen) return "expected valid YAML; too many brackets are open at once";
  }
  return undefined;
}

/** The content of a YAML (or JSON) text. */
export function readYaml(fileText: string, fileName: string): Parsed {
  const expected = refusalOf(fileText);
  if (expected !== undefined)
    return { problems: [{ where: fileName, value: undefined, expected }] };
  const lineCounter = new LineCounter();
  try {
    // Pretty errors would quote the file, secrets included.
    const options = { prettyErrors: false, lineCounter, logLevel: "silent" };
    const document = parseDocument(fileText, options as { logLevel: "silent" });
    if (document.errors.length === 0) return { content: document.toJS() };
    return {
      problems: document.errors.map((error) => {
        const { line, col } = lineCounter.linePos(error.pos[0]);
        return {
          where: `${fileName}, line ${line}, column ${col}`,
          value: undefined,
          expected: `expected valid YAML; ${mask(error.message)}`,
        };
      }),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const expected = `expected valid YAML; ${mask(reason)}`;
    return { problems: [{ where: fileName, value: undefined, expected }] };
  }
}

/** Reads what `parley.yaml` holds after YAML was parsed. */
export function readFileContent(
  content: unknown,
  environment: Environment,
  fileName: string,
): FileReading {
  const interpolated = interpolate(content, environment);
  if (interpolated.problems.length > 0)
    return {
      problems: interpolated.problems.map((problem) => ({
        ...problem,
        where: `${problem.where} (${fileName})`,
      })),
    };
  const result = fileSchema.safeParse(interpolated.value ?? {});
  if (result.success) return { settings: result.data };
  return {
    problems: result.error.issues.flatMap((issue) => problemsOf(issue, interpolated, fileName)),
  };
}

export function problemsOf(
  issue: z.core.$ZodIssue,
  interpolated: Interpolated,
  fileName: string,
): readonly Problem[] {
  const where = (path: readonly PropertyKey[]) =>
    path.length === 0 ? fileName : `${pathText(path)} (${fileName})`;
  if (issue.code === "unrecognized_keys") {
    const lines = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      where: where([...issue.path, mask(key)]),
      value: undefined,
      expected: lines[index] ?? "unknown key",
    }));
  }
  const unset = interpolated.absent.get(issue.path.map(String).join("."));
  const shown = at(interpolated.shown, issue.path);
  return [
    {
      where: where(issue.path),
      value: isSecretPath(issue.path) ? hidden(shown) : shownValue(shown),
      expected:
        unset === undefined
          ? issue.message
          : `${issue.message}; the environment's ${unset}, which it names, is not set`,
    },
  ];
}

function shownValue(shown: unknown): string {
  return shown === undefined ? "absent" : show(shown);
}

/** A secret that is only a reference shows the reference. */
function hidden(shown: unknown): string {
  const isReference = typeof shown === "string" && /^\$\{\w+\}$/.test(shown);
  return shown === undefined || isReference ? shownValue(shown) : "set (not shown)";
}

function at(content: unknown, path: readonly PropertyKey[]): unknown {
  let current = content;
  for (const segment of path) {
    // One value alone counts as a list of one.
    if (segment === 0 && !Array.isArray(current)) continue;
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.hasOwn(current, segment)
      ? (current as Record<PropertyKey, unknown>)[segment]
      : undefined;
  }
  return current;
}

/** `tiers.balanced.models[0]` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((segment, index) =>
      typeof segment === "number" ? `[${segment}]` : `${index === 0 ? "" : "."}${String(segment)}`,
    )
    .join("");
}
