import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { reserved } from "../../../commands/persona/answer-question.ts";
import { describedIn } from "../../../commands/persona/draft-persona.ts";
import { nameFrom } from "../../../commands/persona/name-from.ts";
import type { FileChange } from "../../../config/edit-file.ts";
import { frontMatter, personaFile, splitFrontMatter } from "../../../config/persona-file.ts";
import { readYaml } from "../../../config/read-file.ts";
import { maxPersonaPrompt } from "../../../core/persona.ts";
import { lookalikes } from "../../../text/lookalikes.ts";
import type { FileToWrite } from "../write-files.ts";
import { mappingOf, textOf } from "./source-folder.ts";

/** Who another bot is; of its settings only this becomes a file of its own. */
export interface ImportedPersona {
  /** As its files call it. */
  readonly called: string | undefined;
  /** As it is called otherwise. */
  readonly bot: string;
  readonly description: string | undefined;
  readonly prompt: string;
  /** The files. */
  readonly from: string;
}

/** `- **Name:** Molly`, as IDENTITY.md has it; not `_(pick something)_`. */
const nameLine = /^[-* \t]*name\**:\**[ \t]*(\p{L}.*)$/imu;

/** @param parts texts by the file that they come from */
export function readPersona(
  report: { leave(what: string, why: string): void },
  bot: string,
  parts: readonly (readonly [file: string, text: string | undefined])[],
): ImportedPersona | undefined {
  const there = parts.flatMap(([file, text]) => (text === undefined ? [] : [{ file, text }]));
  const read = there.map(({ file, text }) => {
    const { head, body } = splitFrontMatter(text) ?? { head: "", body: text };
    const yaml = readYaml(head, file);
    if ("problems" in yaml) report.leave(`${file}: its front matter`, "it isn't valid YAML");
    const fields = mappingOf("content" in yaml ? yaml.content : {});
    const { name, description, ...others } = fields;
    for (const field of Object.keys(others)) report.leave(`${file}: ${field}`, whyLeft(field));
    const called = textOf(name) ?? nameLine.exec(body)?.[1];
    // Text between two lines of dashes is a text like any other.
    const isText = "content" in yaml && head !== "" && Object.keys(fields).length === 0;
    const prompt = (isText ? text : body).trim();
    return { called, description: textOf(description), prompt };
  });
  const from = there.map(({ file }) => file).join(" and ");
  const first = (field: "called" | "description") => read.find((each) => each[field])?.[field];
  const prompt = read.flatMap((each) => each.prompt || []).join("\n\n");
  if (prompt.length > maxPersonaPrompt)
    report.leave(from, `a prompt has at most ${maxPersonaPrompt} characters, not ${prompt.length}`);
  if (prompt === "" || prompt.length > maxPersonaPrompt) return undefined;
  const description = describedIn(first("description") ?? "");
  return { called: first("called"), bot, description, prompt, from };
}

/** Why a field of another bot's front matter isn't taken. */
function whyLeft(field: string): string {
  if (/tool|permission|allow/i.test(field))
    return "a persona grants no tools; see docs/approvals.md";
  return Object.hasOwn(frontMatter.shape, field)
    ? "it was chosen for the other bot; to set it here, see docs/personas.md"
    : "a persona has no such field";
}

/** The persona as a file of its own, and the settings by which it answers. */
export function placePersona(
  { called, bot, from, ...fields }: ImportedPersona,
  { folder, settingsFile }: { readonly folder: string; readonly settingsFile: string },
): { readonly file: FileToWrite; readonly changes: readonly FileChange[]; readonly said: string } {
  const wanted = nameFrom(called ?? bot, reserved);
  const usual = lookalikes(wanted).length === 0 ? wanted : bot;
  const fileOf = (name: string): FileToWrite => ({
    path: join(folder, `${name}.md`),
    before: undefined,
    after: personaFile({ name, ...fields }),
  });
  const shown = ({ path }: FileToWrite) => relative(dirname(settingsFile), path);
  const first = fileOf(usual);
  // Taken over before.
  const isSame = existsSync(first.path) && readFileSync(first.path, "utf8") === first.after;
  const name = isSame ? usual : nameFrom(usual, filesIn(folder));
  const file = isSame ? { ...first, before: first.after } : fileOf(name);
  const isThere = name === usual ? "" : `; ${shown(first)} is there already, and stays`;
  return {
    file,
    changes: [
      // Another folder is set already.
      ...(folder === join(dirname(settingsFile), "personas") ? [set("folder", "./personas")] : []),
      set("default", name),
    ],
    said: `${from} → ${shown(file)}, personas.default${isThere}`,
  };
}

const set = (key: string, value: string): FileChange => ({
  path: ["personas", key],
  value,
  comment: "Who the bot is, and how it answers.",
});

/** The names of a folder's files, without `.md`; of no folder there are none. */
const filesIn = (folder: string): ReadonlySet<string> =>
  new Set(
    existsSync(folder)
      ? readdirSync(folder).map((file) => file.toLowerCase().replace(/\.md$/, ""))
      : [],
  );
