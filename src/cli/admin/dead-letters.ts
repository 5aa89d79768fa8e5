import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { dropLetter, replayLetter } from "../../delivery/settle-dead-letter.ts";
import { localeFor } from "../../locales/locale-for.ts";
import {
  findDeadLetter,
  kindOf,
  listDeadLetters,
  type DeadLetter,
} from "../../store/turns/dead-letters.ts";
import {
  chatArgument,
  parseAdminArguments,
  refuseArguments,
  type AdminCommand,
  type AdminContext,
} from "./admin-command.ts";

/** Shows what could not be delivered, and sends it again or forgets it. */
export const deadLettersCommand: AdminCommand = {
  name: "dead-letters",
  summary: "Show failed deliveries, send them again, or drop them; only --json shows their texts",
  usage: [
    "dead-letters [--chat <chat>] [--json]",
    "dead-letters replay <id>|--chat <chat>|--all",
    "dead-letters drop <id>|--chat <chat>|--all",
  ],
  async run(context, given) {
    const { values, positionals } = parseAdminArguments(deadLettersCommand, given, {
      chat: { type: "string" },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    });
    const [action, id, ...rest] = positionals;
    if (rest.length > 0) refuse(`"${rest.join(" ")}": expected one id`);
    const chat =
      values.chat === undefined ? undefined : chatArgument(deadLettersCommand, values.chat);
    if (action === undefined) {
      if (values.all) refuse("--all: expected replay or drop as well");
      return await show(context, chat, values.json);
    }
    if (action !== "replay" && action !== "drop") refuse(`"${action}": expected replay or drop`);
    if (values.json) refuse(`--json: not with ${action}`);
    const named = [id, chat, values.all || undefined];
    if (named.filter((each) => each !== undefined).length !== 1)
      refuse(`${action}: expected one of an id, --chat and --all`);
    const { letters, isWhole } =
      id === undefined
        ? await readableLetters(context, chat)
        : { letters: await lettersOf(context, id), isWhole: true };
    if (letters.length === 0) {
      if (isWhole) context.say(noneOf(chat, id));
      return false;
    }
    const isDone =
      action === "replay" ? await replay(context, letters) : await drop(context, letters);
    return isDone && isWhole;
  },
};

/** All but those that cannot be read; of these it is said. */
async function readableLetters({ services, say }: AdminContext, chat: ChatKey | undefined) {
  let isWhole = true;
  const skip = (problem: PermanentError): void => {
    isWhole = false;
    say(`Left out: ${messageOf(problem)}.`);
  };
  const letters = await listDeadLetters(services.store, chat, skip);
  return { letters, isWhole };
}

const refuse = (reason: string): never => refuseArguments(deadLettersCommand, reason);

const noneOf = (chat?: ChatKey, id?: string): string =>
  id === undefined
    ? `There are no dead letters${chat === undefined ? "" : ` of ${chat}`}.`
    : `There is no dead letter ${id}, or not any more: they are stored for 30 days.`;

async function lettersOf({ services }: AdminContext, id: string): Promise<readonly DeadLetter[]> {
  const letter = await findDeadLetter(services.store, id);
  return letter === undefined ? [] : [letter];
}

async function show(
  context: AdminContext,
  chat: ChatKey | undefined,
  json: boolean,
): Promise<boolean> {
  const { printer, say } = context;
  const { letters, isWhole } = await readableLetters(context, chat);
  if (json) await printer.printJson(letters);
  else if (letters.length > 0) await printer.print(letters.map(lineOf).join("\n"));
  if (letters.length === 0 && isWhole) say(noneOf(chat));
  return isWhole;
}

const lineOf = (letter: DeadLetter): string =>
  [
    letter.id,
    new Date(letter.atMs).toISOString(),
    letter.chat,
    kindOf(letter),
    letter.tries === 1 ? "1 try" : `${letter.tries} tries`,
    `${letter.why}: ${letter.cause.replaceAll(/\s+/g, " ")}`,
    ...(letter.reason === undefined ? [] : [localeFor().delivery.why[letter.reason]]),
    ...(letter.doubtful ? ["(may have arrived)"] : []),
  ].join("  ");

/** How both of them are done, and noted in the audit log. */
const settling = ({ services }: AdminContext) => ({
  ...services,
  wakeDelivery: (chat: ChatKey) => services.waker.wake("delivery", chat),
});
const settler = { details: { from: "shell" } };

/** Oldest first, so that they arrive in the order in which they were meant to. */
async function replay(context: AdminContext, letters: readonly DeadLetter[]): Promise<boolean> {
  const { printer, say, signal } = context;
  let count = 0;
  for (const letter of letters) {
    signal.throwIfAborted();
    try {
      if (!(await replayLetter(settling(context), letter, settler))) continue;
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      say(messageOf(error));
      continue;
    }
    count += 1;
    await printer.print(`${letter.id}  ${letter.chat}  is sent again`);
    if (await isFileGone(context, letter))
      say(`${letter.id}: its file is gone, since files are stored for a day; the chat is told so.`);
  }
  say(count === 1 ? "1 is sent again." : `${count} are sent again.`);
  return count > 0;
}

async function isFileGone(
  { services }: AdminContext,
  { chat, entry }: DeadLetter,
): Promise<boolean> {
  const file = z.object({ kind: z.literal("file"), blob: z.string() });
  const { data } = file.safeParse(entry);
  return data !== undefined && (await services.blobs.get(chat, data.blob)) === undefined;
}

async function drop(context: AdminContext, letters: readonly DeadLetter[]): Promise<boolean> {
  const { say, signal } = context;
  let count = 0;
  for (const letter of letters) {
    signal.throwIfAborted();
    if (await dropLetter(settling(context), letter, settler)) count += 1;
  }
  say(count === 1 ? "1 was dropped." : `${count} were dropped.`);
  return count > 0;
}
