import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { constants, open } from "node:fs/promises";
import { parseSkill, type ParsedSkill } from "./parse-skill.ts";
import type { SkillFile, SkillFolder, Walk } from "./walk-folders.ts";

/** A skill as it is on disk, approved or not. */
export interface FoundSkill extends Omit<ParsedSkill, "warnings"> {
  readonly version: string;
  /** By path: what was read, and the SHA-256 of exactly these bytes, in hex. */
  readonly files: ReadonlyMap<string, { readonly text: string; readonly sha256: string }>;
  readonly leftOut: number;
}

export interface Reading {
  /** By name. */
  readonly skills: readonly FoundSkill[];
  /** For operators. */
  readonly problems: readonly string[];
}

/** Bytes. */
const max = { main: 65_536, file: 262_144, skill: 2_097_152, all: 16_777_216 } as const;
const kilobytes = (bytes: number): string => `${bytes / 1_024} KiB`;

/** Reads what `walkFolders` found. Files that aren't UTF-8 text, or are too long, are left out. */
export async function readSkills({ folders, problems: found }: Walk): Promise<Reading> {
  const problems = [...found];
  const skills = new Map<string, FoundSkill>();
  let left: number = max.all;
  for (const folder of folders) {
    const problem = (why: string): void => void problems.push(`${folder.shown} ${why}.`);
    const read = await readFolder(folder, problem);
    if (read === undefined) continue;
    const { skill, bytes } = read;
    if (skills.has(skill.name)) problem(`isn't used: another skill is called ${skill.name}, too`);
    else if (bytes > left) problem(`isn't used: all skills have more than ${kilobytes(max.all)}`);
    else {
      left -= bytes;
      skills.set(skill.name, skill);
    }
  }
  const sorted = [...skills.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { skills: sorted, problems };
}

async function readFolder(
  folder: SkillFolder,
  problem: (why: string) => void,
): Promise<{ readonly skill: FoundSkill; readonly bytes: number } | undefined> {
  const main = folder.files.find(({ path }) => path === "SKILL.md" || path === "skill.md");
  const text = main && (await readText(main, max.main));
  if (main === undefined || text === undefined) {
    problem(`isn't used: its SKILL.md isn't UTF-8 text of at most ${kilobytes(max.main)}`);
    return undefined;
  }
  const parsed = parseSkill(text.text, folder.name);
  if ("problem" in parsed) {
    problem(`isn't used: its SKILL.md ${parsed.problem}`);
    return undefined;
  }
  const { warnings, ...skill } = parsed;
  for (const warning of warnings) problem(warning);
  const files = new Map([[main.path, text]]);
  let bytes = main.size;
  let leftOut = 0;
  for (const file of folder.files) {
    if (file === main) continue;
    const read = await readText(file, max.file);
    bytes += read === undefined ? 0 : file.size;
    if (read === undefined) leftOut += 1;
    else files.set(file.path, read);
  }
  if (bytes > max.skill) {
    problem(`isn't used: it has more than ${kilobytes(max.skill)} of text`);
    return undefined;
  }
  if (leftOut > 0)
    problem(
      `has ${leftOut} files that are left out: they aren't UTF-8 text of at most ${kilobytes(max.file)}`,
    );
  return { skill: { ...skill, files, leftOut, version: versionOf(skill.name, files) }, bytes };
}

/** Names a skill's name and files: any change to them makes another one. Pure. */
export function versionOf(
  name: string,
  files: ReadonlyMap<string, { readonly sha256: string }>,
): string {
  const hashes = [...files]
    .map(([path, { sha256 }]) => [path, sha256] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([name, hashes]))
    .digest("base64url");
}

/** Undefined: it is no text, too long, or can't be read. */
async function readText(
  { realPath, size }: SkillFile,
  maxBytes: number,
): Promise<{ readonly text: string; readonly sha256: string } | undefined> {
  if (size > maxBytes) return undefined;
  const bytes = await readBytes(realPath, maxBytes).catch(() => undefined);
  if (bytes === undefined || !isUtf8(bytes) || bytes.includes(0)) return undefined;
  return {
    text: new TextDecoder().decode(bytes),
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

/** The file may have become a link or a pipe since it was found. */
async function readBytes(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!(await file.stat()).isFile()) return undefined;
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    length += bytesRead;
    if (length > maxBytes) return undefined;
    if (bytesRead === 0) return buffer.subarray(0, length);
  }
}
