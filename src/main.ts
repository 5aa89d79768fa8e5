import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { pino } from "pino";
import type { ConsoleStreams } from "./roles/console-bot.ts";
import { createLog } from "./logging/log.ts";
import { helpFor } from "./cli/help.ts";
import { openPrinter } from "./cli/printer.ts";
import { loadSettings } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import { messageOf, PermanentError, RetryableError } from "./core/errors.ts";

/**
 * Exit codes: 0 ended, 2 the operator must fix the settings, 1 anything else.
 */
const exitCodes = { ended: 0, failed: 1, badSettings: 2 } as const;
/** A process ends at most this long after a signal. Milliseconds. */
const exitDeadlineMs = 9_500;

async function main(stopping: AbortController): Promise<number> {
  // Whatever this process and its Redis write holds conversations: no other user may read it.
  process.umask(0o077);
  const given = process.argv.slice(2);
  const help = await helpFor(given);
  if (help !== undefined) {
    await openPrinter(process.stdout).print(help);
    return exitCodes.ended;
  }
  const [command, ...rest] = given;
  switch (command) {
    case undefined:
      return await start(settingsHere(), stopping);
    case "admin":
    case "trace":
      return await operate(command, rest, stopping);
    default:
      throw new PermanentError(
        `There is no sub-command "${command}". Without one, Parley starts.`,
      );
  }
}

const settingsHere = (): Settings =>
  loadSettings({ environment: process.env, workingFolder: process.cwd() });

async function start(
  settings: Settings,
  stopping: AbortController,
): Promise<number> {
  const console = consoleFor(settings);
  const log = createLog(settings, logTarget(settings, console !== undefined));
  endOnSignals(stopping, (signal) => log.info({ signal }, "stopping"));
  const die = (error: unknown): void => {
    log.fatal({ error }, "unexpected error");
    process.stderr.write(`Parley stops: ${messageOf(error)}\n`);
    process.exit(exitCodes.failed);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);

  // A third of a start is V8 compiling. The cache is in a private folder,
  // because anyone who can write there can run code here; without a writable
  // folder everything is compiled again.
  enableCompileCache(
    process.env["NODE_COMPILE_CACHE"] ?? join(settings.dataFolder, "compiled"),
  );
  // Only now: a sub-command need not wait for what speaks to platforms and models to be loaded.
  const { startApp } = await import("./app.ts");
  const { signal } = stopping;
  await using app = await startApp({
    settings,
    log,
    environment: process.env,
    console,
    say,
    signal,
  });
  flushCompileCache();
  await Promise.race([app.ended, aborted(signal)]);
  return exitCodes.ended;
}

/** A sub-command of an operator; only its own part is loaded. */
async function operate(
  command: "admin" | "trace",
  given: readonly string[],
  stopping: AbortController,
): Promise<number> {
  const settings = settingsHere();
  endOnSignals(stopping, () => undefined);
  const run =
    command === "admin"
      ? (await import("./cli/admin/run-admin.ts")).runAdmin
      : (await import("./cli/trace-command.ts")).runTrace;
  const isDone = await run({
    arguments: given,
    settings,
    environment: process.env,
    workingFolder: process.cwd(),
    output: process.stdout,
    say,
    signal: stopping.signal,
  });
  return isDone ? exitCodes.ended : exitCodes.failed;
}

function endOnSignals(
  stopping: AbortController,
  onSignal: (signal: NodeJS.Signals) => void,
): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      onSignal(signal);
      setTimeout(() => process.exit(exitCodes.failed), exitDeadlineMs).unref();
      stopping.abort();
    });
  }
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** POSIX names it `de_DE.UTF-8`, and in this order; `C` and `POSIX` are none. */
function localeIn(environment: NodeJS.ProcessEnv): string | undefined {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const name = LC_ALL || LC_MESSAGES || LANG;
  const tag = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?![\w-])/.exec(name ?? "");
  return tag ? [tag[1], tag[2]].filter(Boolean).join("-") : undefined;
}

/** The person's name in the operating system, for cards. */
function nameIn({ USER, LOGNAME }: NodeJS.ProcessEnv): { userName?: string } {
  const userName = (USER || LOGNAME)?.trim();
  return userName ? { userName } : {};
}

/**
 * The terminal or pipe, when there is no bot to run. @throws PermanentError
 * when neither has a reader.
 */
function consoleFor({
  role,
  telegram,
  discord,
}: Settings): ConsoleStreams | undefined {
  if (role === "worker" || telegram.enabled || discord.enabled)
    return undefined;
  if (role === "bots")
    throw new PermanentError(
      "PARLEY_ROLE=bots needs a bot: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN.",
    );
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (!isTerminal && !isPipe(0)) {
    throw new PermanentError(
      "There is nobody to talk to: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN, or start Parley in a terminal or with a pipe.",
    );
  }
  const color = isTerminal && process.env["NO_COLOR"] === undefined;
  const locale = localeIn(process.env);
  return {
    input: process.stdin,
    output: process.stdout,
    isTerminal,
    color,
    ...(locale === undefined ? {} : { locale }),
    ...nameIn(process.env),
  };
}

function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    // A closed descriptor is no pipe.
    return false;
  }
}

/** In a terminal people read a pretty log, elsewhere machines read JSON; a conversation is never torn by either. */
function logTarget({ dataFolder }: Settings, isConsole: boolean) {
  if (isConsole)
    return pino.destination({
      dest: logFile(dataFolder),
      append: true,
      sync: true,
    });
  return process.stdout.isTTY ? "terminal" : pino.destination(1);
}

/** @throws PermanentError when there can be no log in the data folder. */
function logFile(dataFolder: string): string {
  const file = join(dataFolder, "parley.log");
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const log = openSync(file, "a", 0o600);
    // An earlier version let everyone on the machine read it.
    fchmodSync(log, 0o600);
    closeSync(log);
  } catch (cause) {
    throw new PermanentError(
      `PARLEY_DATA is ${dataFolder}: expected a folder in which parley.log can be written (${messageOf(cause)})`,
      { cause },
    );
  }
  return file;
}

const stopping = new AbortController();
main(stopping).then(
  (code) => process.exit(code),
  (error: unknown) => {
    // A start that was stopped may reject with anything: it did as requested.
    if (stopping.signal.aborted) process.exit(exitCodes.ended);
    const isExplained =
      error instanceof PermanentError || error instanceof RetryableError;
    say(
      isExplained
        ? error.message
        : ((error as Error).stack ?? messageOf(error)),
    );
    process.exit(
      error instanceof PermanentError
        ? exitCodes.badSettings
        : exitCodes.failed,
    );
  },
);
