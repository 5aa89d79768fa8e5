import { parseArgs } from "node:util";
import { chatKeySchema, type ChatKey } from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";

export const traceUsage = [
  "npm run trace                             the chats that have traces",
  "npm run trace -- <chat>                   the traced turns of a chat, such as telegram:12345:678",
  "npm run trace -- <chat> <turn>            what the models of this turn were asked and answered",
  "  --json                                  the same as JSON",
  "  --export <folder>                       a turn, or all turns of the chat, as files",
].join("\n");

export interface TraceArguments {
  /** Undefined: all chats are listed. */
  readonly chat: ChatKey | undefined;
  /** Undefined: all turns of the chat. */
  readonly turn: number | undefined;
  readonly json: boolean;
  /** As it was written. */
  readonly exportFolder: string | undefined;
}

/** @throws PermanentError with the problem and the usage. */
export function parseTraceArguments(given: readonly string[]): TraceArguments {
  const { values, positionals } = parsed(given);
  const [chatText, turnText, ...rest] = positionals;
  const { json, export: exportFolder } = values;
  if (rest.length > 0) refuse(`"${rest.join(" ")}": expected a chat and a turn, nothing else`);
  const chat = chatText === undefined ? undefined : chatOf(chatText);
  const turn = turnText === undefined ? undefined : turnOf(turnText);
  if (exportFolder !== undefined && chat === undefined) refuse("--export: expected a chat as well");
  if (exportFolder === "") refuse("--export: expected a folder");
  if (exportFolder !== undefined && json) refuse("--json and --export: expected one of them");
  return { chat, turn, json, exportFolder };
}

function parsed(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        export: { type: "string" },
      },
    });
  } catch (error) {
    // Node's advice in the later sentences would not work through npm.
    const [reason = ""] = messageOf(error).split(". ");
    return refuse(reason);
  }
}

function chatOf(text: string): ChatKey {
  try {
    return chatKeySchema.parse(text);
  } catch {
    return refuse(
      `"${text}" is no chat: expected platform:bot:chat or platform:bot:chat:thread, such as telegram:12345:678`,
    );
  }
}

function turnOf(text: string): number {
  const turn = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(turn)
    ? turn
    : refuse(`"${text}" is no turn: expected a whole number`);
}

function refuse(reason: string): never {
  throw new PermanentError(`${reason}\n\n${traceUsage}`);
}
