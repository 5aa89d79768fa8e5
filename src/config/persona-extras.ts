import { stringify } from "yaml";
import {
  personaExtraNames,
  personaExtrasSchema,
  type PersonaExtrasFormat,
} from "../core/persona.ts";
import { frontMatter, splitFrontMatter } from "./persona-file.ts";
import { show } from "./problems.ts";
import { readYaml } from "./read-file.ts";

const schema = frontMatter.pick({
  temperature: true,
  maxModelCalls: true,
  starters: true,
  skills: true,
  memory: true,
});

/**
 * Some fields of a persona as its file has them, for who writes it in a chat: the same values are
 * refused. What isn't mentioned stays; an empty value, or `default`, is as in a file without it.
 */
export const personaExtrasFormat: PersonaExtrasFormat = {
  write: ({ temperature = null, maxModelCalls, starters, skills = null, memory }) =>
    stringify(
      { temperature, maxModelCalls, starters, skills, memory },
      { nullStr: "", lineWidth: 0 },
    ).trimEnd(),
  read(text, before) {
    const { head, body } = splitFrontMatter(text) ?? { head: text, body: "" };
    const yaml = readYaml(head, "");
    const content = "content" in yaml && body.trim() === "" ? yaml.content : undefined;
    if (typeof content !== "object" || content === null || Array.isArray(content))
      return { problem: { type: "no-fields" } };
    const given = new Map<string, unknown>(Object.entries(content));
    for (const field of given.keys())
      if (personaExtraNames.every((each) => each !== field))
        return { problem: { type: "unknown-field", field } };
    const merged = new Map<string, unknown>([...Object.entries(before), ...given]);
    for (const [field, value] of given)
      if (value === null || value === "default") merged.delete(field);
    const inFile = schema.safeParse(Object.fromEntries(merged));
    // Visible text in single lines.
    const parsed = inFile.success ? personaExtrasSchema.safeParse(inFile.data) : inFile;
    if (parsed.success) return { extras: parsed.data };
    const [wrong] = parsed.error.issues[0]?.path ?? [];
    const field = personaExtraNames.find((each) => each === wrong);
    if (field === undefined) return { problem: { type: "no-fields" } };
    return { problem: { type: "bad-value", field, value: show(merged.get(field)) } };
  },
};
