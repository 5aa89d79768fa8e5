import { splitFrontMatter } from "../config/persona-file.ts";
import { readYaml } from "../config/read-file.ts";

/** What the front matter of a SKILL.md says, as far as it can be used. */
export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  /** Shown to people, never obeyed. */
  readonly allowedTools?: string;
  readonly body: string;
  /** Where it departs from https://agentskills.io/specification, in sentences. */
  readonly warnings: readonly string[];
}

/** UTF-16 units. The first three and the last two are from the specification. */
const max = {
  name: 64,
  description: 1_024,
  compatibility: 500,
  frontMatter: 16_000,
  bodyLines: 500,
  body: 20_000,
} as const;

const goodName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads a SKILL.md leniently, as public ones need it: with broken YAML, wrong names, other fields.
 * Pure. @param folder the name of the skill's folder.
 * @returns a sentence where it can't be used.
 */
export function parseSkill(text: string, folder: string): ParsedSkill | { problem: string } {
  const parts = splitFrontMatter(text);
  if (parts === undefined) return { problem: "has no front matter between two lines of ---" };
  const { head: front, body } = parts;
  if (front.length > max.frontMatter)
    return { problem: `has a front matter longer than ${max.frontMatter} characters` };
  const warnings: string[] = [];
  const fields = fieldsOf(front, warnings);
  const description = oneLine(fields.get("description"));
  if (description === "") return { problem: "has no description" };
  const given = oneLine(fields.get("name"));
  const name = nameFrom(given) || nameFrom(folder);
  if (name === "") return { problem: "has no name that can be used" };
  if (given !== name || given !== folder)
    warnings.push(
      given === ""
        ? `has no name, so it is called ${name}`
        : `should be named as its folder, with a-z, 0-9 and single hyphens, at most ${max.name}: it is called ${name}`,
    );
  const compatibility = oneLine(fields.get("compatibility"));
  if (description.length > max.description)
    warnings.push(`has a description longer than ${max.description} characters`);
  if (compatibility.length > max.compatibility)
    warnings.push(`has a compatibility longer than ${max.compatibility} characters`);
  if (body.length > max.body || body.split("\n", max.bodyLines + 2).length > max.bodyLines + 1)
    warnings.push(`is longer than the recommended ${max.bodyLines} lines or 5,000 tokens`);
  const allowedTools = oneLine(fields.get("allowed-tools"));
  return {
    name,
    description: description.slice(0, max.description).toWellFormed(),
    ...(allowedTools === "" ? {} : { allowedTools }),
    body,
    warnings,
  };
}

/** A name by the specification's rules, made of what was meant as one; empty: there is none. */
const nameFrom = (given: string): string =>
  goodName.test(given) && given.length <= max.name
    ? given
    : given
        .slice(0, 1_000)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replace(/^-/, "")
        .slice(0, max.name)
        .replace(/-$/, "");

type Fields = ReadonlyMap<string, unknown>;

function fieldsOf(front: string, warnings: string[]): Fields {
  const read = readYaml(front, "SKILL.md");
  const content = "content" in read ? read.content : undefined;
  if (typeof content === "object" && content !== null && !Array.isArray(content))
    return new Map<string, unknown>(Object.entries(content));
  warnings.push("has a front matter that isn't valid YAML; it was read line by line");
  return linesOf(front);
}

/** `key: text` by lines, with indented lines as the text's continuation. */
function linesOf(front: string): Fields {
  const fields = new Map<string, string>();
  let key = "";
  for (const line of front.split(/\r?\n/)) {
    const [, name, value = ""] = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (name !== undefined) {
      key = name;
      fields.set(key, /^[|>][+-]?\d?$/.test(value.trim()) ? "" : unquoted(value));
    } else if (key !== "" && /^\s+\S/.test(line))
      fields.set(key, `${fields.get(key) ?? ""} ${line.trim()}`);
  }
  return fields;
}

const unquoted = (value: string): string => {
  const [, , inner] = /^(["'])(.*)\1$/.exec(value.trim()) ?? [];
  return inner ?? value.trim();
};

/** Lists as YAML writes them count as texts too; anything else counts as absent. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return value.map(oneLine).filter(Boolean).join(", ");
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    return "";
  return String(value).replaceAll(/\s+/g, " ").trim().toWellFormed();
}
