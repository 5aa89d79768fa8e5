import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseEnv } from "node:util";
import { present, readEnvironment } from "./environment.ts";
import { fileSchema, type FileSettings } from "./file.ts";
import type { Environment } from "./interpolation.ts";
import { nearMisses } from "./near-misses.ts";
import { sentence, SettingsError, withoutSecrets, type Problem } from "./problems.ts";
import { withProgramVariables } from "./program-variables.ts";
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
  const dotEnv = readDotEnv(resolve(sources.workingFolder, ".env"));
  return settledFrom(sources, dotEnv, (environment) => {
    const given = environment["PARLEY_CONFIG"];
    const path = findConfigFile(sources.workingFolder, given);
    return { path, reading: readConfigFile(path, environment, given) };
  });
}

/**
 * The settings with these texts in place of the files, before they are written.
 * @throws SettingsError as `loadSettings` does.
 */
export function settingsOf(
  sources: SettingsSources,
  texts: { readonly dotEnv: string; readonly file: string; readonly filePath: string },
): Settings {
  return settledFrom(sources, parseEnv(texts.dotEnv), (environment) => ({
    path: texts.filePath,
    reading: readFileText(texts.file, environment, basename(texts.filePath)),
  }));
}

type ConfigFile = { readonly path: string | undefined; readonly reading: FileReading };

function settledFrom(
  sources: SettingsSources,
  dotEnv: Environment,
  readFile: (environment: Environment) => ConfigFile,
): Settings {
  const environment = present({ ...dotEnv, ...sources.environment });
  try {
    return settle(sources, environment, readFile);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = [...error.problems, ...nearMisses(environment)];
    throw new SettingsError(withoutSecrets(problems, environment));
  }
}

/**
 * Sentences about variables that were probably meant for Parley, which doesn't read them.
 * @throws SettingsError when `.env` can't be read.
 */
export function settingsNotices({ workingFolder, environment }: SettingsSources): string[] {
  const dotEnv = readDotEnv(resolve(workingFolder, ".env"));
  return nearMisses(present({ ...dotEnv, ...environment })).map(sentence);
}

function settle(
  sources: SettingsSources,
  environment: Environment,
  readFile: (environment: Environment) => ConfigFile,
): Settings {
  const { workingFolder, dataFolder } = sources;
  const { settings, problems } = readEnvironment(environment);
  const { path, reading: file } = readFile(environment);
  if ("problems" in file) throw new SettingsError([...problems, ...file.problems]);
  const join = () => {
    const joined = joinSettings({
      environment: settings,
      tracing: joinTracing(settings, environment),
      file: file.settings,
      dataFolder: resolve(workingFolder, dataFolder ?? settings.PARLEY_DATA),
      configFile: path,
      configFolder: path === undefined ? workingFolder : dirname(path),
      workingFolder: resolve(workingFolder),
    });
    return withProgramVariables(joined, environment);
  };
  if (problems.length > 0)
    throw new SettingsError([...problems, ...furtherProblems(join, problems)]);
  return join();
}

/**
 * What else is wrong, so that it is all said at once: without what only follows from a value that
 * couldn't be read.
 */
function furtherProblems(join: () => Settings, known: readonly Problem[]): readonly Problem[] {
  try {
    join();
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.filter(
      (problem) => !known.some(({ where }) => sentence(problem).includes(where)),
    );
  }
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
  try {
    const text = readTextFile(path, { where, expected: "a YAML file" });
    return readFileText(text, environment, basename(path));
  } catch (error) {
    if (error instanceof SettingsError) return { problems: error.problems };
    throw error;
  }
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
