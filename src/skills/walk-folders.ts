import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { visible } from "../text/visible-text.ts";

/** A file of a skill, not read yet. */
export interface SkillFile {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  /** Without links. */
  readonly realPath: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with the file. */
  readonly mark: string;
}

export interface SkillFolder {
  readonly name: string;
  /** For people, without unseen characters. */
  readonly shown: string;
  readonly files: readonly SkillFile[];
}

export interface Walk {
  readonly folders: readonly SkillFolder[];
  /** What was left out and why, in sentences for operators. */
  readonly problems: readonly string[];
}

const limits = { skills: 200, depth: 4, files: 100, entries: 10_000 } as const;

/** Given by tools and package managers, and no part of a skill. */
const ignored = new Set(["node_modules", "__pycache__"]);
const isIgnored = (name: string): boolean => name.startsWith(".") || ignored.has(name);
const isSkillFile = (name: string): boolean => name === "SKILL.md" || name === "skill.md";
const maxPathLength = 200;

/**
 * Finds the folders with a SKILL.md, and their files: the first roots first, each in the order of
 * names. Never leaves a skill's folder: links that lead elsewhere, and links to folders, are left
 * out. Roots that don't exist hold none. Rejects only where a folder can't be read.
 */
export async function walkFolders(roots: readonly string[]): Promise<Walk> {
  const walker = new Walker();
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined);
    if (real !== undefined) await walker.find(real, basename(root), 0);
  }
  const { folders } = walker;
  if (folders.length > limits.skills)
    walker.problems.push(
      `There are ${folders.length} skills: only the first ${limits.skills} are used.`,
    );
  return { folders: folders.slice(0, limits.skills), problems: walker.problems };
}

class Walker {
  readonly folders: SkillFolder[] = [];
  readonly problems: string[] = [];
  #entries = 0;

  /** @param depth how far below its root this folder is. */
  async find(folder: string, shown: string, depth: number): Promise<void> {
    const entries = await this.#entriesOf(folder, shown);
    if (depth > 0 && entries.some(({ name }) => isSkillFile(name))) {
      const files: SkillFile[] = [];
      await this.#collect({ real: folder, shown, files }, entries, "", 0);
      this.folders.push({ name: basename(folder), shown, files });
      return;
    }
    for (const entry of entries) {
      const path = `${shown}/${visible(entry.name)}`;
      if (entry.isSymbolicLink()) this.problems.push(`${path} is a link: it isn't followed.`);
      if (!entry.isDirectory()) continue;
      if (depth < limits.depth) await this.find(join(folder, entry.name), path, depth + 1);
      else this.problems.push(`${path} is too deep: skills are at most ${limits.depth} deep.`);
    }
  }

  async #entriesOf(folder: string, shown: string): Promise<readonly Dirent[]> {
    const entries = (await readdir(folder, { withFileTypes: true }))
      .filter(({ name }) => !isIgnored(name))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    this.#entries += entries.length;
    if (this.#entries <= limits.entries) return entries;
    this.problems.push(`${shown} is left out: there are more than ${limits.entries} files.`);
    return [];
  }

  async #collect(
    skill: { readonly real: string; readonly shown: string; readonly files: SkillFile[] },
    entries: readonly Dirent[],
    below: string,
    depth: number,
  ): Promise<void> {
    for (const entry of entries) {
      const path = `${below}${entry.name}`;
      const shown = `${skill.shown}/${visible(path)}`;
      const problem = (why: string): void => void this.problems.push(`${shown} ${why}`);
      const absolute = join(skill.real, path);
      if (visible(path) !== path || path.length > maxPathLength)
        problem("is left out: its name is too long or holds unseen characters.");
      else if (entry.isDirectory()) {
        if (depth < limits.depth)
          await this.#collect(skill, await this.#entriesOf(absolute, shown), `${path}/`, depth + 1);
        else problem(`is left out: files are at most ${limits.depth} folders deep.`);
      } else if (skill.files.length >= limits.files)
        problem(`is left out: a skill has at most ${limits.files} files.`);
      else {
        const file = await this.#fileAt(skill.real, absolute);
        if (typeof file === "string") problem(file);
        else skill.files.push({ path, ...file });
      }
    }
  }

  async #fileAt(folder: string, absolute: string): Promise<Omit<SkillFile, "path"> | string> {
    try {
      const real = await realpath(absolute);
      if (!real.startsWith(folder + sep)) return "is left out: it leads out of its folder.";
      const found = await stat(real);
      if (!found.isFile()) return "is left out: it isn't a file.";
      const { size, mtimeMs, ctimeMs, ino } = found;
      return { realPath: real, size, mark: `${mtimeMs} ${ctimeMs} ${size} ${ino}` };
    } catch {
      return "is left out: it can't be read.";
    }
  }
}
