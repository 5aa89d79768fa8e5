import { stringify } from "yaml";
import type { z } from "zod";
import { chatTierNames } from "../core/model.ts";
import {
  isPersonaName,
  maxPersonaDescription,
  maxPersonaList,
  maxPersonaModelCalls,
  maxPersonaName,
  maxPersonaPrompt,
  maxPersonaStarter,
  maxPersonaStarters,
  personaSchema,
  usualPersonaModelCalls,
  type Persona,
} from "../core/persona.ts";
import { skillToolNames } from "../core/skill.ts";
import { lookalikes } from "../text/lookalikes.ts";
import { wildcards } from "../text/wildcards.ts";
import { count, decimal, leaf, listOf, oneOf, section, text } from "./leaves.ts";
import { nearest } from "./nearest.ts";
import { show, type Problem } from "./problems.ts";
import { problemsOf, readYaml } from "./read-file.ts";

export type PersonaReading =
  { readonly persona: Persona } | { readonly problems: readonly Problem[] };

/** What a persona may name. */
export interface Offered {
  /** Tools, as rules match them. Undefined: not known. */
  readonly tools: readonly string[] | undefined;
  /** Names of skills, approved or not. */
  readonly skills: readonly string[];
  /** `provider/model`. */
  readonly models: readonly string[];
  /** Names of MCP servers whose tools aren't known yet. */
  readonly servers: readonly string[];
}

const words = (maxLength: number) => (schema: z.ZodType<string>) =>
  schema.refine((value) => value.length <= maxLength, `expected at most ${maxLength} characters`);

const names = listOf(words(100)(text)).refine(
  (list) => list.length <= maxPersonaList,
  `expected at most ${maxPersonaList}`,
);

/** The fields of a persona's file above its prompt. */
export const frontMatter = section({
  name: text.optional(),
  description: words(maxPersonaDescription)(text).optional(),
  tools: names.optional(),
  model: text.optional(),
  tier: oneOf(...chatTierNames).optional(),
  temperature: decimal({ min: 0, max: 2 }).optional(),
  maxModelCalls: count({ min: 1, max: maxPersonaModelCalls }).default(usualPersonaModelCalls),
  starters: listOf(words(maxPersonaStarter)(text))
    .refine((list) => list.length <= maxPersonaStarters, `expected at most ${maxPersonaStarters}`)
    .default([]),
  skills: names.optional(),
  memory: leaf<"on" | "off">("on or off", (value) => {
    // YAML 1.1 reads on and off as true and false; writers mean the same by both.
    if (value === "on" || value === true) return { value: "on" };
    return value === "off" || value === false ? { value: "off" } : undefined;
  }).default("on"),
});

/** A file that begins with front matter between lines of three dashes. */
const fileShape = /^\uFEFF?---[ \t]*\r?\n((?:[^]*?\n)??)---[ \t]*(?:\r?\n|$)([^]*)$/;

/** The front matter and the text below it. Undefined: the file begins with none. Pure. */
export function splitFrontMatter(source: string) {
  const [, head, body] = fileShape.exec(source) ?? [];
  return head === undefined || body === undefined ? undefined : { head, body };
}

/**
 * Reads a persona's file. Everything that isn't understood refuses it: a persona that a typing
 * mistake has widened would be worse than none.
 * @param file how messages call it; the persona has its name without `.md`.
 * @param offered undefined: what it names isn't checked.
 */
export function readPersonaFile(
  source: string,
  file: string,
  offered: Offered | undefined,
): PersonaReading {
  const name = (file.split(/[/\\]/).at(-1) ?? file).replace(/\.md$/i, "");
  const problem = (field: string, value: string | undefined, expected: string) => ({
    problems: [{ where: field === "" ? file : `${field} (${file})`, value, expected }],
  });
  if (!isPersonaName(name) || lookalikes(name).length > 0)
    return problem(
      "",
      undefined,
      `expected a name of at most ${maxPersonaName} lower-case letters and digits, with single hyphens`,
    );
  const parts = splitFrontMatter(source);
  // Half-written front matter must not pass for a prompt, which nothing narrows.
  if (parts === undefined && /^\uFEFF?\s*---/.test(source))
    return problem("", undefined, "expected the front matter to end with a line of ---");
  const { head, body } = parts ?? { head: "", body: source };
  const yaml = readYaml(head, file);
  if ("problems" in yaml) return yaml;
  const content: unknown = yaml.content ?? {};
  const parsed = frontMatter.safeParse(content);
  if (!parsed.success)
    return {
      problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, plain(content), file)),
    };
  const prompt = body.trim();
  if (prompt === "") return problem("", undefined, "expected a prompt below the front matter");
  if (prompt.length > maxPersonaPrompt)
    return problem(
      "",
      `${prompt.length} characters`,
      `expected a prompt of at most ${maxPersonaPrompt} characters`,
    );
  const { name: named = name, ...fields } = parsed.data;
  if (named !== name)
    return problem("name", show(named), `expected the file's name, ${name}, or no name`);
  const persona = personaSchema.safeParse({ ...fields, name, prompt });
  if (!persona.success) {
    const [field = ""] = persona.error.issues[0]?.path ?? [];
    return problem(String(field), undefined, "expected visible text in one line");
  }
  const problems = offered === undefined ? [] : unknownNames(persona.data, file, offered);
  return problems.length > 0 ? { problems } : { persona: persona.data };
}

/** Issues show values of the file. */
const plain = (shown: unknown) => ({
  value: shown,
  shown,
  absent: new Map<string, string>(),
  problems: [],
});

function unknownNames(
  { tools = [], skills = [], model, tier }: Persona,
  file: string,
  offered: Offered,
): readonly Problem[] {
  const known = (each: string): boolean =>
    offered.tools === undefined ||
    // Each chat has its own.
    skillToolNames.some(wildcards(each)) ||
    offered.tools.some(wildcards(each)) ||
    unlistedServer(each, offered) !== undefined;
  const problem = (field: string, value: string, expected: string): Problem => ({
    where: `${field} (${file})`,
    value: show(value),
    expected,
  });
  return [
    ...tools.flatMap((each, index) =>
      known(each)
        ? []
        : [problem(`tools[${index}]`, each, unknown("tool", each, offered.tools ?? []))],
    ),
    ...skills.flatMap((each, index) =>
      offered.skills.includes(each)
        ? []
        : [problem(`skills[${index}]`, each, unknown("skill", each, offered.skills))],
    ),
    ...(model === undefined || offered.models.includes(model)
      ? []
      : [problem("model", model, unknown("model", model, offered.models))]),
    ...(model === undefined || tier === undefined
      ? []
      : [problem("tier", tier, "expected model or tier, not both")]),
  ];
}

/** The first server that may have such a tool, and hasn't said yet which tools it has. Pure. */
function unlistedServer(tool: string, { servers }: Pick<Offered, "servers">): string | undefined {
  const [start = "", ...rest] = tool.split("*");
  return servers.find((server) =>
    rest.length === 0 || start.length > server.length
      ? start.startsWith(`${server}.`)
      : `${server}.`.startsWith(start),
  );
}

/** Which of a persona's tools can't be checked yet, in sentences for operators. Pure. */
export const uncheckedTools = (
  { name, tools = [] }: Pick<Persona, "name" | "tools">,
  offered: Offered,
): readonly string[] =>
  tools.flatMap((tool) => {
    if (offered.tools?.some(wildcards(tool))) return [];
    const server = unlistedServer(tool, offered);
    return server === undefined
      ? []
      : `${show(tool)} of ${name}.md isn't checked: the MCP server ${server} isn't connected yet`;
  });

function unknown(what: string, given: string, known: readonly string[]): string {
  const guess = nearest(given, known);
  return guess === undefined
    ? `no such ${what} is offered`
    : `unknown ${what}; did you mean ${guess}?`;
}

/** The file of a persona, with the fields that are given; `readPersonaFile` reads it. Pure. */
export const personaFile = ({
  prompt,
  ...fields
}: Partial<Persona> & Pick<Persona, "name" | "prompt">): string =>
  `---\n${stringify(fields)}---\n\n${prompt.trim()}\n`;
