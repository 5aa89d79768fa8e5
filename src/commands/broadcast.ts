import type { AnswerButton } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, required } from "./menu.ts";
import { commandIn } from "../locales/locale-for.ts";

/** Fits into one message on every platform. UTF-16 units. */
const maxLength = 1_900;

type Deps = Pick<CommandDeps, "broadcasts" | "audit">;
type Asked = Pick<CommandCall, "person" | "chat" | "role" | "locale">;

/**
 * `/broadcast <text>`: asks back with a button; `/broadcast yes-<4 digits>` says the same as the
 * button.
 */
export const broadcastCommand: Command = {
  spec: {
    ...described("broadcast", ({ broadcast }) => broadcast.description),
    arguments: [required("text", ({ broadcast }) => broadcast.text)],
    adminOnly: true,
  },
  role: "owner",
  isPrivate: true,
  async run(call, deps) {
    const text = (call.options?.["text"] ?? call.argument).trim();
    const [, code] = /^yes-(\d{4})$/i.exec(text) ?? [];
    if (code !== undefined) return answer((await confirm(deps, call, code)).text);
    return await askBack(deps, call, text.toWellFormed());
  },
};

async function askBack(
  { broadcasts }: Deps,
  { person, locale }: CommandCall,
  text: string,
): Promise<CommandAnswer> {
  const { broadcast } = locale;
  if (text.length > maxLength) return answer(broadcast.tooLong(text.length, maxLength));
  const { count, isAll } = await broadcasts.count();
  if (count === 0) return answer(broadcast.nobody);
  const code = await broadcasts.offer(person.id, text);
  const confirmation = `yes-${code}`;
  const button: AnswerButton = {
    label: broadcast.yes,
    data: `bc:${code}`,
    typed: `/broadcast ${confirmation}`,
  };
  return {
    text: [
      isAll ? broadcast.asks(count) : broadcast.asksMore(count),
      "",
      text,
      "",
      broadcast.confirm(commandIn(locale, `/broadcast {text:${confirmation}}`)),
    ].join("\n"),
    buttons: [button],
  };
}

/** A tap on the button. Undefined: no such button. */
export async function applyBroadcast(
  deps: Deps,
  asked: Asked,
  data: string,
): Promise<{ readonly isAllowed: boolean; readonly text: string } | undefined> {
  const [, code] = /^bc:(\d{4})$/.exec(data) ?? [];
  if (code === undefined) return undefined;
  if (!isAtLeast(asked.role, "owner"))
    return {
      isAllowed: false,
      text: asked.locale.ingress.ownersOnly("broadcast"),
    };
  return await confirm(deps, asked, code);
}

async function confirm(
  { broadcasts, audit }: Deps,
  { person, chat, locale: { broadcast } }: Asked,
  code: string,
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const offered = await broadcasts.offered(person.id, code);
  if (offered === undefined) {
    // A second tap or a repeated event must not make the user send it again.
    return (await broadcasts.isConfirmed(person.id, code))
      ? { isAllowed: true, text: broadcast.begun }
      : { isAllowed: false, text: broadcast.expired };
  }
  const { id, text } = offered;
  await broadcasts.ask({
    id,
    text,
    personId: person.id,
    code,
    answerTo: chat,
    ...(person.language === undefined ? {} : { language: person.language }),
  });
  await audit.write(id, {
    action: "broadcast",
    by: person,
    chat,
    details: { characters: String(text.length) },
  });
  return { isAllowed: true, text: broadcast.begun };
}
