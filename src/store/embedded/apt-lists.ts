import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { toolEnvironment, type FetchOptions } from "./fetch-tools.ts";
import { runCommand } from "./run-command.ts";

/** Queries on one set of package lists. */
export type AptLists = {
  /** The first of `choices` whose packages are all known. @throws Error when none is. */
  firstKnown<Choice extends { readonly packages: readonly string[] }>(
    choices: readonly Choice[],
  ): Promise<Choice>;
  /** Downloads packages and unpacks them under `root`; how many bytes came. */
  unpack(packages: readonly string[], root: string): Promise<number>;
  /** A package's direct dependencies; of alternatives, the first. */
  dependencies(name: string): Promise<readonly string[]>;
  isInstalled(name: string): Promise<boolean>;
};

/** The lists that the system has. */
export function systemLists(options: FetchOptions): AptLists {
  return askApt(options, []);
}

/**
 * Lists of our own under `folder`, fetched now. The system's lists, caches and locks are not
 * touched.
 */
export async function freshLists(options: FetchOptions, folder: string): Promise<AptLists> {
  await mkdir(join(folder, "lists", "partial"), { recursive: true });
  await mkdir(join(folder, "cache", "archives", "partial"), {
    recursive: true,
  });
  const file = join(folder, "apt.conf");
  await writeFile(file, configuration(folder));
  const ours = ["-c", file];
  try {
    await apt(options, "apt-get", [...ours, "-q", "update"]);
  } catch (error) {
    // One source of many may be down or unsigned; whether the rest is enough
    // shows when packages are requested.
    const [reason] = messageOf(error).split("\n");
    options.log(`Some package lists couldn't be fetched: ${reason}`);
  }
  return askApt(options, ours);
}

function configuration(folder: string): string {
  const path = (name: string) => JSON.stringify(join(folder, name));
  return [
    `Dir::State ${path("")};`,
    `Dir::State::Lists ${path("lists")};`,
    `Dir::State::status "/var/lib/dpkg/status";`,
    `Dir::Cache ${path("cache")};`,
    `Dir::Cache::Archives ${path("cache/archives")};`,
    `Debug::NoLocking "1";`,
    `APT::Sandbox::User "root";`,
    `Acquire::Languages "none";`,
    `Acquire::GzipIndexes "true";`,
    `Acquire::Retries "2";`,
    // Hooks such as Docker's empty the system's own cache.
    ...["APT::Update::Pre-Invoke", "APT::Update::Post-Invoke"].map((hook) => `#clear ${hook};`),
    `#clear APT::Update::Post-Invoke-Success;`,
    "",
  ].join("\n");
}

/** Root's folders may be closed to the user to which apt would step down. */
const sandbox = "APT::Sandbox::User=root";

function apt(
  { environment, signal }: FetchOptions,
  command: string,
  given: readonly string[],
  folder?: string,
): Promise<string> {
  return runCommand(command, given, {
    environment: toolEnvironment(environment),
    signal,
    ...(folder === undefined ? {} : { folder }),
  });
}

function askApt(options: FetchOptions, ours: readonly string[]): AptLists {
  return {
    async firstKnown(choices) {
      let failure: unknown;
      for (const choice of choices)
        try {
          const given = [...ours, "--print-uris", "download"];
          await apt(options, "apt-get", [...given, ...choice.packages]);
          return choice;
        } catch (error) {
          failure ??= error;
        }
      throw failure;
    },
    async unpack(packages, root) {
      const archives = await mkdtemp(join(root, "..", "archives-"));
      const download = [...ours, "-q", "download", ...packages];
      const uris = await apt(options, "apt-get", ["--print-uris", ...download]);
      options.log(`Fetching ${packages.join(", ")} …`);
      const careful = ["-o", "Acquire::Retries=2", "-o", sandbox];
      await apt(options, "apt-get", [...careful, ...download], archives);
      for (const name of await readdir(archives))
        await apt(options, "dpkg-deb", ["-x", join(archives, name), root]);
      await rm(archives, { recursive: true });
      return totalBytes(uris);
    },
    async dependencies(name) {
      const given = [...ours, "depends", "--no-recommends", "--no-suggests"];
      return firstAlternatives(await apt(options, "apt-cache", [...given, name]));
    },
    async isInstalled(name) {
      const given = ["-W", "-f", "${db:Status-Abbrev}", name];
      return apt(options, "dpkg-query", given).then(
        (said) => said.startsWith("ii"),
        () => false,
      );
    },
  };
}

/** Lines are `'<uri>' <file> <bytes> <digest>`. */
function totalBytes(uris: string): number {
  return [...uris.matchAll(/^'[^']*' \S+ (\d+)/gm)]
    .map(([, bytes]) => Number(bytes))
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** `|Depends: a` means that the next line is an alternative to a; a name in <> is virtual. */
function firstAlternatives(said: string): string[] {
  const names: string[] = [];
  let isAlternative = false;
  for (const [, bar, name = ""] of said.matchAll(/^ {1,2}(\|?)(?:Pre)?Depends: (\S+)$/gm)) {
    if (!isAlternative && !name.startsWith("<")) names.push(name);
    isAlternative = bar === "|";
  }
  return names;
}
