import { delimiter, join } from "node:path";
import { isExecutable, type Environment } from "./server-program.ts";

export type FetchOptions = {
  /** Each install is a folder in here. */
  readonly installs: string;
  readonly environment: Environment;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Where package tools live, even when a thin PATH leaves them out; dpkg-deb itself looks for `tar`.
 */
const usualFolders = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
  "/opt/homebrew/bin",
];

function toolFolders(environment: Environment): string[] {
  const path = (environment["PATH"] ?? "").split(delimiter);
  return [...new Set([...path.filter(Boolean), ...usualFolders])];
}

/**
 * Our environment for package tools, proxies included, with a PATH on which they find each other.
 */
export function toolEnvironment(environment: Environment): Environment {
  return {
    ...environment,
    PATH: toolFolders(environment).join(delimiter),
    LC_ALL: "C",
  };
}

export async function findTool(
  name: string,
  environment: Environment,
): Promise<string | undefined> {
  for (const folder of toolFolders(environment)) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}
