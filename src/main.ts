import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { createLog } from "./logging/log.ts";
import { logTarget } from "./logging/log-target.ts";
import { consoleFor } from "./roles/console-streams.ts";
import { helpFor } from "./cli/help.ts";
import { openPrinter } from "./cli/printer.ts";
import { loadSettings, settingsNotices } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import { messageOf, PermanentError, RetryableError } from "./core/errors.ts";
import { untilAborted } from "./util/abort.ts";

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
    case "init":
      return await init(rest, stopping);
    case "doctor":
      return await examine(rest, stopping);
    default:
      throw new PermanentError(
        `There is no command "${command}". Usage: npm start · npm run init · npm run doctor · npm run admin -- <command> · npm run trace -- <chat>`,
      );
  }
}

const sourcesHere = () => ({ environment: process.env, workingFolder: process.cwd() });
const settingsHere = (): Settings => loadSettings(sourcesHere());

async function start(settings: Settings, stopping: AbortController): Promise<number> {
  for (const notice of settingsNotices(sourcesHere())) say(notice);
  const console = consoleFor(settings, process.env);
  // OpenTelemetry's SDK reads its variables from here, and knows of no `.env`.
  Object.assign(process.env, settings.tracing?.variables);
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
  enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? join(settings.dataFolder, "compiled"));
  // Only now: a sub-command need not wait for what speaks to platforms and models to be loaded.
  const { startApp } = await import("./app.ts");
  const { signal } = stopping;
  await using app = await startApp({
    settings,
    log,
    environment: process.env,
    console,
    say,
    columns: process.env["TERM"] === "dumb" ? undefined : process.stderr.columns,
    signal,
  });
  flushCompileCache();
  await untilAborted(app.ended, signal);
  return exitCodes.ended;
}

/** Has exit codes of its own, and its say about settings that can't be used. */
async function examine(given: readonly string[], stopping: AbortController): Promise<number> {
  endOnSignals(stopping, () => undefined);
  const { runDoctor } = await import("./cli/doctor-command.ts");
  return await runDoctor({
    arguments: given,
    ...sourcesHere(),
    output: process.stdout,
    say,
    signal: stopping.signal,
  });
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

/** Sets Parley up; needs neither settings nor Redis. */
async function init(given: readonly string[], stopping: AbortController): Promise<number> {
  endOnSignals(stopping, () => undefined);
  const { runInit } = await import("./cli/init/run-init.ts");
  const outcome = await runInit({
    arguments: given,
    environment: process.env,
    workingFolder: process.cwd(),
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    print: (line) => void process.stdout.write(`${line}\n`),
    signal: stopping.signal,
  });
  if (outcome === "start") return await start(settingsHere(), stopping);
  return outcome === "written" ? exitCodes.ended : exitCodes.failed;
}

function endOnSignals(stopping: AbortController, onSignal: (signal: NodeJS.Signals) => void): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      onSignal(signal);
      setTimeout(() => process.exit(exitCodes.failed), exitDeadlineMs).unref();
      stopping.abort();
    });
  }
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const stopping = new AbortController();
main(stopping).then(
  (code) => process.exit(code),
  (error: unknown) => {
    // A start that was stopped may reject with anything: it did as requested.
    if (stopping.signal.aborted) process.exit(exitCodes.ended);
    const isExplained = error instanceof PermanentError || error instanceof RetryableError;
    say(isExplained ? error.message : ((error as Error).stack ?? messageOf(error)));
    process.exit(error instanceof PermanentError ? exitCodes.badSettings : exitCodes.failed);
  },
);
