import type { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { pino } from "pino";
import type { Environment } from "../config/interpolation.ts";
import { loadSettings, settingsNotices } from "../config/load.ts";
import { sentence, SettingsError } from "../config/problems.ts";
import type { Settings } from "../config/settings.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import { redacted, worstOf, type Finding } from "../core/finding.ts";
import { noMetrics } from "../core/metrics.ts";
import { exitCodes, findingIn, repair, type Repaired } from "../doctor/check.ts";
import { examine } from "../doctor/examine.ts";
import { nodeFinding } from "../doctor/machine.ts";
import { showFindings } from "../doctor/show.ts";
import { localeFor } from "../locales/locale-for.ts";
import { createRedactor } from "../logging/redactor.ts";
import { secretsOf } from "../logging/secrets.ts";
import { createServices, type Services } from "../services.ts";
import { ownVersion } from "../util/version.ts";
import { openOperatorStore } from "./operator-store.ts";
import { openPrinter } from "./printer.ts";

export const doctorUsage = [
  "Examines this deployment, whether Parley runs or not, and says what to fix",
  "  npm run doctor                 a line for each check, with its reason and its fix",
  "  npm run doctor -- --json       the same as one JSON object",
  "  npm run doctor -- --fix        carries out the safe fixes: rights of files, the data folder,",
  "                                 Telegram's commands, a webhook that keeps Parley from polling",
  "",
  "Exit codes: 0 fine, 1 warnings, 2 something is broken",
].join("\n");

export interface DoctorOptions {
  /** The arguments after `doctor`. */
  readonly arguments: readonly string[];
  readonly environment: Environment;
  readonly workingFolder: string;
  readonly output: Writable;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * `npm run doctor [--json] [--fix]`. Fulfils with the exit code.
 * @throws PermanentError for arguments that can't be used.
 */
export async function runDoctor(options: DoctorOptions): Promise<number> {
  const { json, fix } = readArguments(options.arguments);
  const sources = { environment: options.environment, workingFolder: options.workingFolder };
  let findings: readonly Repaired[];
  // Problems of the settings repeat no secret, and their examples look like some.
  let redact = asItIs;
  try {
    const settings = loadSettings(sources);
    redact = createRedactor(secretsOf(settings));
    findings = [
      ...settingsNotices(sources).map(nameFinding),
      ...(await onSettings(settings, { ...options, fixes: fix })),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    findings = [
      findingIn(localeFor())(nodeFinding(process.version)),
      ...error.problems.map(settingFinding),
    ];
  }
  const shown = findings.map((finding) => redacted(finding, redact));
  const status = worstOf(shown);
  const printer = openPrinter(options.output);
  if (json) await printer.printJson({ version: ownVersion(), status, findings: shown });
  else await printer.print(showFindings(shown));
  return exitCodes[status];
}

const asItIs = (text: string): string => text;

function readArguments(given: readonly string[]): {
  readonly json: boolean;
  readonly fix: boolean;
} {
  try {
    const flag = { type: "boolean", default: false } as const;
    return parseArgs({ args: [...given], options: { json: flag, fix: flag } }).values;
  } catch (error) {
    const [reason = ""] = messageOf(error).split(". ");
    throw new PermanentError(`${reason}\n\n${doctorUsage}`);
  }
}

/** A name in the environment that was probably meant for Parley. */
const nameFinding = (notice: string): Finding => ({
  id: "settings.name",
  status: "warning",
  what: notice,
  why: "Without the right name the setting has no effect.",
  fix: "Rename it in .env, or where the environment is set.",
});

const settingFinding = (problem: Parameters<typeof sentence>[0]): Finding => ({
  id: "settings",
  status: "broken",
  what: sentence(problem),
  why: "Parley doesn't start with settings that it can't read.",
  fix: "Correct it in .env, in parley.yaml, or where the environment is set (docs/settings.md).",
});

async function onSettings(
  settings: Settings,
  options: DoctorOptions & { readonly fixes: boolean },
): Promise<readonly Repaired[]> {
  await using parts = new AsyncDisposableStack();
  const store = await storeOf(settings, options, parts);
  const found = await examine({
    ...options,
    settings,
    services: "services" in store ? store.services : undefined,
  });
  const english = localeFor();
  return [
    ...("finding" in store ? [store.finding] : []),
    ...(options.fixes ? await repair(found, english) : found.map(findingIn(english))),
  ];
}

async function storeOf(
  settings: Settings,
  { environment, say, signal }: DoctorOptions,
  parts: AsyncDisposableStack,
): Promise<{ readonly services: Services } | { readonly finding: Finding }> {
  try {
    const store = await openOperatorStore({ settings, environment, say, signal }, parts);
    if (store === undefined) return { finding: neverStarted };
    const services = createServices(
      settings,
      { log: pino({ level: "silent" }), metrics: noMetrics },
      store,
    );
    parts.use(services.waker);
    return { services };
  } catch (error) {
    signal.throwIfAborted();
    return { finding: unreachable(settings, messageOf(error)) };
  }
}

const neverStarted: Finding = {
  id: "redis.reach",
  status: "note",
  what: "Parley hasn't run here yet, so there is no Redis to examine.",
  why: "Parley starts its own at its first start.",
  fix: "npm start",
};

const unreachable = ({ redis, dataFolder }: Settings, what: string): Finding => ({
  id: "redis.reach",
  status: "broken",
  what,
  why: "Everything that Parley knows is in Redis: without it no message is taken.",
  fix:
    redis.kind === "external"
      ? "Start Redis (redis-server, or docker compose up -d redis), correct REDIS_URL, or unset it: then Parley runs its own."
      : `Look at ${dataFolder}/redis: its rights, and the space on its disk (df -h ${dataFolder}).`,
});
