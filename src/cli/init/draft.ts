import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { editEnvText } from "../../config/edit-env.ts";
import { editFileText, type FileChange } from "../../config/edit-file.ts";
import { present } from "../../config/environment.ts";
import { settingsOf, type SettingsSources } from "../../config/load.ts";
import type { Settings } from "../../config/settings.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import type { FileToWrite } from "./write-files.ts";

const header = `# Parley's settings, begun by \`npm run init\`. Keys and tokens belong into .env.
# parley.example.yaml shows what else can go here, docs/settings.md explains it.

`;

/**
 * `.env` and `parley.yaml` as they will be. Everything is kept in memory until the end, so that
 * stopping leaves the files as they were.
 */
export class Draft {
  /** For `.env`. */
  readonly values: Record<string, string> = {};
  /** For `parley.yaml`, or the file that PARLEY_CONFIG names. */
  readonly changes: FileChange[] = [];
  /** Others, none of which is there yet. */
  readonly added: FileToWrite[] = [];
  /** Of the settings. */
  readonly filePath: string;
  readonly #sources: SettingsSources;
  readonly #env: Omit<FileToWrite, "after">;
  readonly #file: Omit<FileToWrite, "after">;

  /** @throws PermanentError when a file is there and can't be read. */
  constructor(sources: SettingsSources) {
    this.#sources = sources;
    this.#env = fileAt(resolve(sources.workingFolder, ".env"));
    const name = this.valueOf("PARLEY_CONFIG") ?? "parley.yaml";
    this.filePath = resolve(sources.workingFolder, name);
    this.#file = fileAt(this.filePath);
  }

  /** As it counts when Parley starts: the environment, what is set now, then `.env`. */
  valueOf(name: string): string | undefined {
    const dotEnv = parseEnv(this.#env.before ?? "");
    return present({ ...dotEnv, ...this.values, ...this.#sources.environment })[name];
  }

  files(more: readonly FileChange[] = []): readonly FileToWrite[] {
    const [env, file, changes] = [this.#env, this.#file, [...this.changes, ...more]];
    const base = env.before ?? fileAt(exampleEnv).before ?? "";
    const head = file.before === undefined ? header : "";
    const hasValues = Object.keys(this.values).length > 0;
    // A file that nothing goes into isn't begun.
    return [
      ...(hasValues || env.before !== undefined
        ? [{ ...env, after: editEnvText(base, this.values) }]
        : []),
      ...(changes.length > 0 || file.before !== undefined
        ? [{ ...file, after: head + editFileText(file.before ?? "", changes) }]
        : []),
      ...this.added,
    ];
  }

  /** What `npm start` would read. @throws SettingsError */
  settings(more: readonly FileChange[] = []): Settings {
    const files = this.files(more);
    const textAt = (path: string) => files.find((each) => each.path === path)?.after ?? "";
    return settingsOf(this.#sources, {
      dotEnv: textAt(this.#env.path),
      file: textAt(this.#file.path),
      filePath: this.#file.path,
    });
  }

  /** Names whose value in the process's environment beats the one set now. */
  overridden(): readonly string[] {
    const { environment } = this.#sources;
    return Object.entries(this.values).flatMap(([name, value]) =>
      [undefined, value].includes(environment[name]) ? [] : [name],
    );
  }
}

const exampleEnv = fileURLToPath(new URL("../../../.env.example", import.meta.url));

function fileAt(path: string): Omit<FileToWrite, "after"> {
  try {
    return { path, before: readFileSync(path, "utf8") };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return { path, before: undefined };
    throw new PermanentError(`Can't read ${path}: ${messageOf(cause)}`, { cause });
  }
}
