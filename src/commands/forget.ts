import type { AnswerButton } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import type { ErasureOffer, ErasureScope } from "../store/erasure/erasures.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, optional } from "./menu.ts";
import { commandIn } from "../locales/locale-for.ts";

type Deps = Pick<CommandDeps, "erasures" | "audit">;
type Asked = Pick<CommandCall, "person" | "chat" | "direct" | "chatRole" | "locale">;

const letters = { chat: "c", me: "m" } as const satisfies Record<ErasureScope, string>;

/**
 * `/forget [chat|me] [yes-<4 digits>]`: asks back the first time, with a button that says the same
 * as the code.
 */
export const forgetCommand: Command = {
  spec: {
    ...described("forget", (menu) => menu.forget.description),
    isInOrder: true,
    arguments: [
      optional("what", (menu) => menu.forget.what, { choices: ["chat", "me"] }),
      optional("confirmation", (menu) => menu.forget.confirmation),
    ],
  },
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    const request = requestOf(call);
    if ("problem" in request) return answer(request.problem);
    const { scope, code } = request;
    const refusal = refusalOf(call, scope);
    if (refusal !== undefined) return answer(refusal);
    return code === undefined
      ? await askBack(deps, call, scope)
      : answer(
          (
            await confirm(deps, call, {
              scope,
              code,
              ...(call.answersItself ? {} : { eventId: call.eventId }),
            })
          ).text,
        );
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

type ForgetRequest =
  | { readonly scope: ErasureScope; readonly code: string | undefined }
  | { readonly problem: string };

function requestOf({ argument, options, locale }: CommandCall): ForgetRequest {
  const { badScope, badCode } = locale.forget;
  const parts =
    options === undefined
      ? argument.toLowerCase().split(/\s+/)
      : [options["what"] ?? "", options["confirmation"] ?? ""];
  const given = parts.map((part) => part.trim()).filter((part) => part !== "");
  const [first = "chat"] = given;
  const scope = first === "chat" || first === "me" ? first : undefined;
  const [confirmation, ...others] = scope === undefined ? given : given.slice(1);
  if (scope === undefined && !/^yes-\d{4}$/.test(first)) return { problem: badScope(typed(first)) };
  if (confirmation === undefined) return { scope: scope ?? "chat", code: undefined };
  const [, code] = /^yes-(\d{4})$/.exec(confirmation.toLowerCase()) ?? [];
  return code === undefined || others.length > 0
    ? { problem: badCode(typed([confirmation, ...others].join(" "))) }
    : { scope: scope ?? "chat", code };
}

/** Why a user may not erase that; undefined: they may. */
function refusalOf(
  { person, direct, chatRole, locale: { forget } }: Asked,
  scope: ErasureScope,
): string | undefined {
  if (person.anonymous) return forget.notAnonymously;
  if (scope === "me") return direct ? undefined : forget.inPrivateOnly;
  return direct || isAtLeast(chatRole, "admin") ? undefined : forget.adminsOnly;
}

async function askBack(
  { erasures }: Deps,
  { person, chat, locale }: CommandCall,
  scope: ErasureScope,
): Promise<CommandAnswer> {
  const offer = { chat, personId: person.id, scope };
  const code = await erasures.offer(offer);
  const { forget } = locale;
  const confirmation = `yes-${code}`;
  const button: AnswerButton = {
    label: forget.yes[scope],
    data: `f:${letters[scope]}:${code}`,
    typed: `/forget ${scope} ${confirmation}`,
  };
  return {
    text: [
      forget.explained[scope],
      "",
      forget.confirm(commandIn(locale, `/forget ${scope} {confirmation:${confirmation}}`)),
    ].join("\n"),
    buttons: [button],
  };
}

interface Confirmed {
  readonly scope: ErasureScope;
  readonly code: string;
  /** Given where the outbox brings the answer. */
  readonly eventId?: string;
}

async function confirm(
  { erasures, audit }: Deps,
  { person, chat, direct, locale: { forget } }: Asked,
  { scope, code, eventId }: Confirmed,
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const offer = { chat, personId: person.id, scope };
  const id = await erasures.idOf(offer, code);
  if (id !== undefined) {
    await audit.write(id, {
      action: "erasure-asked",
      by: person,
      chat,
      target: scope,
    });
    await erasures.ask(
      {
        id,
        of:
          scope === "chat"
            ? { what: "chat", chat }
            : { what: "person", personId: person.id, name: person.name },
        by: scope === "me" || direct ? "person" : "admin",
        answerTo: chat,
        ...(eventId === undefined ? {} : { eventId }),
        ...(person.language === undefined ? {} : { language: person.language }),
      },
      offer,
    );
  }
  // A second tap, or an event that is delivered again, finds it under way.
  else if (!(await isUnderWay(erasures, offer)))
    return {
      isAllowed: false,
      text: forget.expired(scope),
    };
  return {
    isAllowed: true,
    text: forget.begun,
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
