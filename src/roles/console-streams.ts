import { fstatSync } from "node:fs";
import type { Settings } from "../config/settings.ts";
import { PermanentError } from "../core/errors.ts";

/** The terminal or pipe that the process was started in. */
export interface ConsoleStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly isTerminal: boolean;
  /** A terminal that obeys no escape sequences. */
  readonly isDumb: boolean;
  readonly color: boolean;
  /** BCP 47: in which the system talks to the person. Absent: not known. */
  readonly locale?: string;
  /** What cards call the person. Absent: not known. */
  readonly userName?: string;
}

/**
 * The terminal or pipe, when there is no bot to run. @throws PermanentError
 * when neither has a reader.
 */
export function consoleFor(
  { role, telegram, discord }: Settings,
  environment: NodeJS.ProcessEnv,
): ConsoleStreams | undefined {
  if (role === "worker" || telegram.enabled || discord.enabled) return undefined;
  if (role === "bots")
    throw new PermanentError(
      "PARLEY_ROLE=bots needs a bot: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN.",
    );
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (!isTerminal && !isPipe(0)) {
    throw new PermanentError(
      "No one to talk to: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN, or start Parley in a terminal or with a pipe.",
    );
  }
  const isDumb = environment["TERM"] === "dumb";
  const color = isTerminal && !isDumb && !environment["NO_COLOR"];
  const locale = localeIn(environment);
  return {
    input: process.stdin,
    output: process.stdout,
    isTerminal,
    isDumb,
    color,
    ...(locale === undefined ? {} : { locale }),
    ...nameIn(environment),
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

/** POSIX names it `de_DE.UTF-8`, and in this order; `C` and `POSIX` are none. */
function localeIn(environment: NodeJS.ProcessEnv): string | undefined {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const name = LC_ALL || LC_MESSAGES || LANG;
  const tag = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?![\w-])/.exec(name ?? "");
  return tag ? [tag[1], tag[2]].filter(Boolean).join("-") : undefined;
}

/** What the system calls the person; cards name them by it. */
function nameIn({ USER, LOGNAME }: NodeJS.ProcessEnv): { userName?: string } {
  const userName = (USER || LOGNAME)?.trim();
  return userName ? { userName } : {};
}
