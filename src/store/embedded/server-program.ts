import { access, constants, readdir, readFile } from "node:fs/promises";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { messageOf } from "../../core/errors.ts";
import { isTooOld } from "../redis/check-server.ts";
import { EmbeddedRedisError } from "./errors.ts";
import { runCommand } from "./run-command.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A server that has been run once, with `--version`. */
export type ServerProgram = {
  readonly command: string;
  /** Where its libraries are, besides the system's. */
  readonly libraryFolders: readonly string[];
  readonly version: string;
};

/**
 * What a server gets of our environment: nothing but what it needs to start, so that no token leaks
 * into it. It has to be started in its program's folder: the libraries are named from there, since
 * a colon in the path above can't be escaped.
 */
export function serverEnvironment({
  command,
  libraryFolders,
}: Pick<ServerProgram, "command" | "libraryFolders">): Environment {
  const libraries = libraryFolders.map((each) => relative(dirname(command), each)).join(delimiter);
  return {
    LC_ALL: "C",
    ...(libraries === "" ? {} : { LD_LIBRARY_PATH: libraries }),
  };
}

/** Runs a program to identify it. @throws Error if it doesn't run or is older than Parley needs. */
export async function inspectProgram(
  command: string,
  libraryFolders: readonly string[],
): Promise<ServerProgram> {
  const environment = serverEnvironment({ command, libraryFolders });
  const folder = dirname(command);
  const options = { environment, folder };
  const said = await runCommand(command, ["--version"], options);
  const version = /\bv=(\d+\.\d+(?:\.\d+)?)/.exec(said)?.[1];
  if (version === undefined) throw new EmbeddedRedisError(`${command} says no version`);
  if (isTooOld(version))
    throw new EmbeddedRedisError(`${command} is version ${version}, but Parley needs 6.2 or newer`);
  return { command, libraryFolders, version };
}

/** `redis-server`, else `valkey-server`, on the PATH. */
export async function findOnPath(
  environment: Environment,
  log: (line: string) => void,
): Promise<ServerProgram | undefined> {
  const folders = (environment["PATH"] ?? "").split(delimiter);
  for (const name of ["redis-server", "valkey-server"])
    for (const folder of folders.filter((each) => each !== "")) {
      // The server starts in another folder than ours.
      const command = resolve(folder, name);
      if (!(await isExecutable(command))) continue;
      try {
        return await inspectProgram(command, []);
      } catch (error) {
        log(`Not using ${command}: ${messageOf(error)}`);
      }
    }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The manifest in an install folder: where the program is, relative to the
 * folder.
 */
const manifestSchema = z.object({
  command: z.string(),
  libraryFolders: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The program that an earlier start fetched into `installs`. */
export async function findFetched(installs: string): Promise<ServerProgram | undefined> {
  const names = await readdir(installs).catch(() => []);
  for (const name of names.filter((each) => !each.startsWith("."))) {
    const program = await openInstall(join(installs, name)).catch(() => {
      // Not whole, or not for this system any more: another one, or a new fetch, will do.
      return undefined;
    });
    if (program !== undefined) return program;
  }
  return undefined;
}

/** @throws Error when the folder holds no server that runs here. */
export async function openInstall(folder: string): Promise<ServerProgram> {
  const text = await readFile(join(folder, "server.json"), "utf8");
  const manifest = manifestSchema.parse(JSON.parse(text));
  return inspectProgram(
    join(folder, manifest.command),
    manifest.libraryFolders.map((each) => join(folder, each)),
  );
}
