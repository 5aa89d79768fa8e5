import { parseArgs, type ParseArgsConfig } from "node:util";
import { chatKeySchema, type ChatKey } from "../../core/chat.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import type { Printer } from "../printer.ts";
import type { Services } from "../../services.ts";

/** The dependencies of a sub-command of `npm run admin`. */
export interface AdminContext {
  readonly services: Services;
  readonly printer: Printer;
  /** Notes for the user besides the actual output. */
  readonly say: (line: string) => void;
  /** Base of relative paths. */
  readonly workingFolder: string;
  readonly signal: AbortSignal;
}

/**
 * One operator command, run from the shell next to a running deployment or
 * without one.
 */
export interface AdminCommand {
  /** As it is typed. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** How it is typed, one form a line, beginning with its name. */
  readonly usage: readonly string[];
  /**
   * False when it could not be done, or there is nothing to show; it was said why.
   * @throws PermanentError for arguments that can't be used.
   */
  run(context: AdminContext, given: readonly string[]): Promise<boolean>;
}

export const usageOf = ({ usage, summary }: AdminCommand): string =>
  [summary, ...usage.map((line) => `  npm run admin -- ${line}`)].join("\n");

/** Refuses arguments with the problem and the usage. @throws PermanentError always. */
export function refuseArguments(command: AdminCommand, reason: string): never {
  throw new PermanentError(`${reason}\n\n${usageOf(command)}`);
}

/**
 * Options and the words between them. @throws PermanentError for what the command does not know.
 */
export function parseAdminArguments<Options extends NonNullable<ParseArgsConfig["options"]>>(
  command: AdminCommand,
  given: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...given], allowPositionals: true, options });
  } catch (error) {
    // Node's advice in the later sentences would not work through npm.
    const [reason = ""] = messageOf(error).split(". ");
    return refuseArguments(command, reason);
  }
}

/** @throws PermanentError when the text names no chat. */
export function chatArgument(command: AdminCommand, text: string): ChatKey {
  return (
    chatKeySchema.safeParse(text).data ??
    refuseArguments(
      command,
      `"${text}" is no chat: expected platform:bot:chat or platform:bot:chat:thread, such as telegram:12345:678`,
    )
  );
}
