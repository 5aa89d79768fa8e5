import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseEnv } from "node:util";
import { present, readEnvironment } from "./environment.ts";
import { fileSchema, type FileSettings } from "./file.ts";
import type { Environment } from "./interpolation.ts";
import { SettingsError, withoutSecrets, type Problem } from "./problems.ts";
import { readFileText, type FileReading } from "./read-file.ts";
import { joinSettings, type Settings } from "./settings.ts";
import { joinTracing } from "./tracing.ts";

export type SettingsSources = {
  /** Overrides `.env`; a variable with an empty text hides the one in `.env`. */
  readonly environment: Environment;
  /** Beats PARLEY_DATA. */
  readonly dataFolder?: string;
  /** Where `.env` and `parley.yaml` are looked for, and what relative paths start from. */
  readonly workingFolder: string;
};

/**
 * Reads `.env` and `parley.yaml` and settles everything.
 * @throws SettingsError that lists every problem, and repeats no secret of the environment.
 */
export function loadSettings(sources: SettingsSources): Settings {
  const environment = present({
    ...readDotEnv(resolve(sources.workingFolder, ".env")),
    ...sources.environment,
  });
  try {
    return settle(sources, environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(withoutSecrets(error.problems, environment));
  }
}

function settle(sources: SettingsSources, environment: Environment): Settings {
  const { workingFolder } = sources;
  const names = readEnvironment(environment);
  const given = environment["PARLEY_CONFIG"];
  const configFile = findConfigFile(workingFolder, given);
  const file = readConfigFile(configFile, environment, given);
  if ("problems" in names || "problems" in file)
    throw new SettingsError([...problemsOf(names), ...problemsOf(file)]);
  return joinSettings({
    environment: names.settings,
    tracing: joinTracing(names.settings, environment),
    file: file.settings,
    dataFolder: resolve(workingFolder, sources.dataFolder ?? names.settings.PARLEY_DATA),
    configFile,
  });
}

function problemsOf(
  reading: object | { readonly problems: readonly Problem[] },
): readonly Problem[] {
  return "problems" in reading ? reading.problems : [];
}

function readDotEnv(path: string): Environment {
  return existsSync(path) ? parseEnv(readTextFile(path, { where: path, expected: "a file" })) : {};
}

function findConfigFile(workingFolder: string, given: string | undefined): string | undefined {
  if (given !== undefined) return resolve(workingFolder, given);
  const usual = resolve(workingFolder, "parley.yaml");
  return existsSync(usual) ? usual : undefined;
}

function readConfigFile(
  path: string | undefined,
  environment: Environment,
  given: string | undefined,
): FileReading {
  if (path === undefined) return { settings: noFile() };
  const where = given === undefined ? path : "PARLEY_CONFIG";
  const text = readTextFile(path, { where, expected: "a YAML file" });
  return readFileText(text, environment, basename(path));
}

function noFile(): FileSettings {
  return fileSchema.parse({});
}

function readTextFile(
  path: string,
  problem: { readonly where: string; readonly expected: string },
): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    throw new SettingsError([
      {
        where: problem.where,
        value: `"${path}"`,
        expected: `expected ${problem.expected} that can be read (${code})`,
      },
    ]);
  }
}
