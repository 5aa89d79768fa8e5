import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseEnv } from "node:util";
import { present, readEnvironment } from "./environment.ts";
import { fileSchema, type FileSettings } from "./file.ts";
import type { Environment } from "./interpolation.ts";
import { nearMisses } from "./near-misses.ts";
import { sentence, SettingsError, withoutSecrets, type Problem } from "./problems.ts";
import { readFileText, type FileReading } from "./read-file.ts";
import { joinSettings, type Settings } from "./settings.ts";

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
  const environment = environmentOf(sources);
  try {
    return settle(sources, environment);
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
export const settingsNotices = (sources: SettingsSources): readonly string[] =>
  nearMisses(environmentOf(sources)).map(sentence);

const environmentOf = ({ workingFolder, environment }: SettingsSources): Environment =>
  present({ ...readDotEnv(resolve(workingFolder, ".env")), ...environment });

function settle(sources: SettingsSources, environment: Environment): Settings {
  const { workingFolder } = sources;
  const { settings, problems } = readEnvironment(environment);
  const given = environment["PARLEY_CONFIG"];
  const configFile = findConfigFile(workingFolder, given);
  const file = readConfigFile(configFile, environment, given);
  if ("problems" in file) throw new SettingsError([...problems, ...file.problems]);
  const join = () =>
    joinSettings({
      environment: settings,
      file: file.settings,
      dataFolder: resolve(workingFolder, sources.dataFolder ?? settings.PARLEY_DATA),
      configFile,
    });
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
