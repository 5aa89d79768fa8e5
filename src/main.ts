import { closeSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { pino, type Logger } from "pino";
import { startApp } from "./app.ts";
import type { ConsoleStreams } from "./app/receiving.ts";
import { loadSettings } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import { messageOf, PermanentError } from "./core/errors.ts";

/** Exit codes: 0 ended, 2 something an operator must mend in the settings, 1 anything else. */
const exitCodes = { ended: 0, failed: 1, badSettings: 2 } as const;
/** A process that was told to end is gone after this. Milliseconds. */
const exitDeadlineMs = 9_500;

async function main(stopping: AbortController): Promise<number> {
  const [command] = process.argv.slice(2);
  if (command !== undefined)
    throw new PermanentError(
      `There is no sub-command "${command}". Without one, Parley starts.`,
    );
  const settings = loadSettings({
    environment: process.env,
    workingFolder: process.cwd(),
  });
  const console = consoleFor(settings);
  const log = createLog(settings, console !== undefined);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      log.info({ signal }, "stopping");
      setTimeout(() => process.exit(exitCodes.failed), exitDeadlineMs).unref();
      stopping.abort();
    });
  }
  const die = (error: unknown): void => {
    log.fatal({ error }, "an error that nobody expected");
    process.stderr.write(`Parley stops: ${messageOf(error)}\n`);
    process.exit(exitCodes.failed);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);

  const { signal } = stopping;
  await using app = await startApp({
    settings,
    log,
    environment: process.env,
    console,
    say,
    signal,
  });
  await Promise.race([app.ended, aborted(signal)]);
  return exitCodes.ended;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The terminal or pipe, when there is no bot to run. @throws PermanentError when there is nobody to talk to. */
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
  return { input: process.stdin, output: process.stdout, isTerminal, color };
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
function createLog(
  { logLevel, dataFolder }: Settings,
  isConsole: boolean,
): Logger {
  const options = {
    level: logLevel,
    serializers: { error: withoutCommand, err: withoutCommand },
  };
  if (isConsole) {
    const file = logFile(dataFolder);
    return pino(
      options,
      pino.destination({
        dest: file,
        append: true,
        sync: true,
      }),
    );
  }
  if (process.stdout.isTTY)
    return pino({ ...options, transport: { target: "pino-pretty" } });
  return pino(options);
}

/** ioredis hangs the failed command on its errors, arguments and all: what people wrote is not for the log. */
function withoutCommand(error: Error): unknown {
  const shown: unknown = pino.stdSerializers.err(error);
  if (typeof shown !== "object" || shown === null) return shown;
  return Object.fromEntries(
    Object.entries(shown).filter(([name]) => name !== "command"),
  );
}

/** @throws PermanentError when there can be no log in the data folder. */
function logFile(dataFolder: string): string {
  const file = join(dataFolder, "parley.log");
  try {
    mkdirSync(dataFolder, { recursive: true });
    closeSync(openSync(file, "a"));
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
    // Whatever a start that was told to stop rejects with, it did what it was told.
    if (stopping.signal.aborted) process.exit(exitCodes.ended);
    process.stderr.write(
      `${error instanceof PermanentError ? error.message : ((error as Error).stack ?? messageOf(error))}\n`,
    );
    process.exit(
      error instanceof PermanentError
        ? exitCodes.badSettings
        : exitCodes.failed,
    );
  },
);
