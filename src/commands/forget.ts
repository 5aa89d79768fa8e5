import type { AnswerButton } from "../core/inbound.ts";
import type { ErasureOffer, ErasureScope } from "../store/erasures.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";

type Deps = Pick<CommandDeps, "erasures">;
type Asked = Pick<CommandCall, "person" | "chat" | "direct" | "role">;

const letters = { chat: "c", me: "m" } as const satisfies Record<
  ErasureScope,
  string
>;

/** `/forget [chat|me] [yes-<4 digits>]`: asks back the first time, with a button that says the same as the code. */
export const forgetCommand: Command = {
  spec: {
    name: "forget",
    description: "Erase this chat, or everything that I keep of you",
    arguments: [
      {
        name: "what",
        description: "chat: all of this chat; me: all of you, everywhere",
        required: false,
        choices: ["chat", "me"],
      },
      {
        name: "confirmation",
        description: "What I tell you to type, such as yes-1234",
        required: false,
      },
    ],
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const wish = wishOf(call);
    if ("problem" in wish) return answer(wish.problem);
    const { scope, code } = wish;
    const refusal = refusalOf(call, scope);
    if (refusal !== undefined) return answer(refusal);
    return code === undefined
      ? await askBack(deps, call, scope)
      : answer((await confirm(deps, call, { scope, code })).text);
  },
};

/** A tap on the button. Undefined: no such button. */
export async function applyForget(
  deps: Deps,
  asked: Asked,
  data: string,
): Promise<{ readonly isAllowed: boolean; readonly text: string } | undefined> {
  const [, letter, code] = /^f:([cm]):(\d{4})$/.exec(data) ?? [];
  if (code === undefined) return undefined;
  const scope: ErasureScope = letter === letters.me ? "me" : "chat";
  const refusal = refusalOf(asked, scope);
  return refusal === undefined
    ? await confirm(deps, asked, { scope, code })
    : { isAllowed: false, text: refusal };
}

/** Whether a button's data are this command's. */
export const isForget = (data: string): boolean => data.startsWith("f:");

type Wish =
  | { readonly scope: ErasureScope; readonly code: string | undefined }
  | { readonly problem: string };

function wishOf({ argument, options }: CommandCall): Wish {
  const words =
    options === undefined
      ? argument.toLowerCase().split(/\s+/)
      : [options["what"] ?? "", options["confirmation"] ?? ""];
  const given = words.map((word) => word.trim()).filter((word) => word !== "");
  const [first = "chat"] = given;
  const scope = first === "chat" || first === "me" ? first : undefined;
  const [confirmation, ...others] =
    scope === undefined ? given : given.slice(1);
  if (scope === undefined && !/^yes-\d{4}$/.test(first))
    return {
      problem: `I can erase chat (all of this chat) or me (all that I keep of you), not ${typed(first)}.`,
    };
  if (confirmation === undefined)
    return { scope: scope ?? "chat", code: undefined };
  const [, code] = /^yes-(\d{4})$/.exec(confirmation.toLowerCase()) ?? [];
  return code === undefined || others.length > 0
    ? {
        problem: `${typed([confirmation, ...others].join(" "))} confirms nothing: expected yes- and four digits, as I gave them to you.`,
      }
    : { scope: scope ?? "chat", code };
}

/** Why somebody may not have that erased; undefined: they may. */
function refusalOf(
  { person, direct, role }: Asked,
  scope: ErasureScope,
): string | undefined {
  if (person.anonymous)
    return "You are not allowed to erase anything in the name of a group or channel.";
  if (scope === "me")
    return direct
      ? undefined
      : "That is not allowed here: write /forget me to me in our private chat.";
  return direct || role === "admin"
    ? undefined
    : "You are not allowed to erase this chat: in a group, admins may. /forget me in our private chat erases what you wrote here.";
}

async function askBack(
  { erasures }: Deps,
  { person, chat }: CommandCall,
  scope: ErasureScope,
): Promise<CommandAnswer> {
  const offer = { chat, personId: person.id, scope };
  const code = await erasures.offer(offer);
  const confirmation = `/forget ${scope} yes-${code}`;
  const button: AnswerButton = {
    label: scope === "chat" ? "Yes, erase this chat" : "Yes, erase all of it",
    data: `f:${letters[scope]}:${code}`,
    typed: confirmation,
  };
  return {
    text: [
      ...explanations[scope],
      "",
      `To confirm, use the button or send ${confirmation} within 5 minutes.`,
    ].join("\n"),
    buttons: [button],
  };
}

const explanations: Readonly<Record<ErasureScope, readonly string[]>> = {
  chat: [
    "This erases all that I keep of this chat, for good: what was said, notes, to-dos, settings, usage, files and archives. Whatever I am doing here ends.",
    "Messages stay in the app itself: only you can delete them there.",
  ],
  me: [
    "This erases, for good: all of your private chats with me, your profile with your choices and your role (you may have to be let in again), and in groups what you wrote and what I answered you. Whatever I am doing for you ends.",
    "Notes and to-dos of groups stay, since nobody knows who wrote them; so does what others wrote about you, and messages in the app itself. A ban stays, without your name.",
  ],
};

async function confirm(
  { erasures }: Deps,
  { person, chat, direct }: Asked,
  { scope, code }: { readonly scope: ErasureScope; readonly code: string },
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const offer = { chat, personId: person.id, scope };
  const id = await erasures.idOf(offer, code);
  if (id !== undefined)
    await erasures.ask(
      {
        id,
        of:
          scope === "chat"
            ? { what: "chat", chat }
            : { what: "person", personId: person.id, name: person.name },
        by: scope === "me" || direct ? "person" : "admin",
        answerTo: chat,
      },
      offer,
    );
  // A second tap, or an event that is delivered again, finds it under way.
  else if (!(await isUnderWay(erasures, offer)))
    return {
      isAllowed: false,
      text: `That does not confirm anything, or has expired: only who asked can confirm, here and within 5 minutes. Ask anew with /forget ${scope}.`,
    };
  return {
    isAllowed: true,
    text: "One moment. I will say so when everything is erased.",
  };
}

const isUnderWay = async (
  erasures: Deps["erasures"],
  { chat, personId, scope }: ErasureOffer,
): Promise<boolean> =>
  (await erasures.list()).some(
    ({ of, answerTo }) =>
      answerTo === chat &&
      (scope === "chat"
        ? of.what === "chat" && of.chat === chat
        : of.what === "person" && of.personId === personId),
  );
