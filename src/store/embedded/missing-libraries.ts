import { dirname } from "node:path";
import type { AptLists } from "./apt-lists.ts";
import { toolEnvironment } from "./fetch-tools.ts";
import { runCommand } from "./run-command.ts";
import { serverEnvironment, type Environment } from "./server-program.ts";

type Linked = {
  readonly command: string;
  readonly libraryFolders: readonly string[];
  readonly environment: Environment;
};

/** The shared libraries that the dynamic linker does not find for `command`. */
export async function missingLibraries(linked: Linked): Promise<string[]> {
  const { command, libraryFolders, environment } = linked;
  const said = await runCommand("ldd", [command], {
    environment: {
      PATH: toolEnvironment(environment)["PATH"],
      ...serverEnvironment({ command, libraryFolders }),
    },
    folder: dirname(command),
  });
  return [...said.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name = ""]) => name);
}

/** The C library must be the system's own. */
const isLibrary = (name: string) => /^(?:lib|lua)/.test(name) && !/^libc6?(?:-|$)/.test(name);

/**
 * The libraries that the packages fetched so far depend on: first those that are not installed
 * here, and when there is none, those that are said to be (and yet were not found).
 */
export async function nextPackages(
  lists: AptLists,
  fetched: ReadonlySet<string>,
): Promise<readonly string[]> {
  const direct = new Set<string>();
  for (const name of fetched)
    for (const dependency of await lists.dependencies(name))
      if (isLibrary(dependency) && !fetched.has(dependency)) direct.add(dependency);
  const absent: string[] = [];
  for (const name of direct) if (!(await lists.isInstalled(name))) absent.push(name);
  return absent.length > 0 ? absent : [...direct];
}
