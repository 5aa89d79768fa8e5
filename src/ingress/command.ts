import { findCommand } from "../commands/all-commands.ts";
import type { Command, CommandCall } from "../commands/command.ts";
import { descriptionIn, usageOf } from "../commands/menu.ts";
import type { Acceptance, InboundCommand } from "../core/inbound.ts";
import { isBlank } from "../text/blank.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import {
  answerInPrivate,
  answerOnce,
  isLeftOut,
  mayAnswerStranger,
  refusalOf,
} from "./answers.ts";
import { auditDenied } from "./denied.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { countFreely, overLimit } from "./message-limit.ts";

/** A command for the bot itself: runs here, whatever the workers do. */
export async function acceptCommand(
  deps: AcceptDeps,
  arrived: Arrived<InboundCommand>,
): Promise<Acceptance> {
  const tooMany = await arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const { inbound: call, chat, role, locale } = arrived;
  const command = findCommand(deps.commandDeps.commands, call.name);
  const isAllowed = command === undefined || (await mayUse(arrived, command));
  if (!isAllowed && isAtLeast(command.role, "admin"))
    await auditDenied(deps, arrived, `/${command.spec.name}`);
  if (command?.role !== "stranger" || role === "banned") {
    const refusal = await refusalOf(deps, arrived);
    if (refusal) return refusal;
  }
  if (command === undefined) {
    return await answerOnce(deps, arrived, {
      text: locale.ingress.noCommand(call.name.slice(0, 32).toWellFormed()),
    });
  }
  if (!isAllowed) {
    return await answerOnce(deps, arrived, {
      text: whoMayUse(command, locale),
    });
  }
  const isKnown = isAtLeast(role, "guest");
  if (!isKnown && !(await mayAnswerStranger(deps, call, chat)))
    return { type: "refused" };
  const [needed] = command.spec.arguments ?? [];
  if (needed?.required && isBlank(call.argument)) {
    const description = descriptionIn(needed, call.person.language);
    return await answerOnce(deps, arrived, {
      text: `${usageOf(command.spec)}: ${description}.`,
    });
  }
  const { inbox } = deps.commandDeps;
  if (await inbox.hasSeen(chat, call.id)) return { type: "duplicate" };
  const asksModel = command.spec.startsTurn === true;
  const tooManyAsked = asksModel ? await overLimit(deps, arrived) : undefined;
  if (tooManyAsked) return tooManyAsked;
  const [{ atMostOnce, ...said }] = await Promise.all([
    command.run(await callOf(arrived), deps.commandDeps),
    asksModel ? countFreely(deps, arrived) : undefined,
  ]);
  // What the outbox answers is remembered with its answer.
  if (call.answersItself) await inbox.markSeen(chat, call.id);
  if (await isLeftOut(deps, arrived, atMostOnce)) return { type: "refused" };
  const isPrivate = command.isPrivate || said.isPrivate === true;
  if (isPrivate && !call.direct && !call.answersItself)
    return await answerInPrivate(deps, arrived, said);
  const answer = { ...said, ...(isKnown ? {} : { isPatient: true as const }) };
  return await answerOnce(deps, arrived, answer, isPrivate);
}

/** What is for members is for a group's own administrator, too, who may be a guest of it; what is for admins is not. */
const mayUse = async (
  { role, chatRole }: Pick<Arrived, "role" | "chatRole">,
  { role: needed }: Command,
): Promise<boolean> =>
  isAtLeast(role, needed) ||
  (needed === "member" && isAtLeast(await chatRole(), needed));

function whoMayUse({ role, spec }: Command, { ingress }: Locale): string {
  if (role === "owner") return ingress.ownersOnly(spec.name);
  return isAtLeast(role, "admin")
    ? ingress.adminsOnly(spec.name)
    : ingress.membersOnly(spec.name);
}

const callOf = async ({
  inbound,
  chat,
  role,
  chatRole,
  preference,
  locale,
  reported,
}: Arrived<InboundCommand>): Promise<CommandCall> => ({
  person: inbound.person,
  address: inbound.address,
  ...(inbound.guild === undefined ? {} : { guild: inbound.guild }),
  ...(inbound.threadOf === undefined ? {} : { threadOf: inbound.threadOf }),
  chat,
  direct: inbound.direct,
  role,
  chatRole: await chatRole(),
  preference,
  locale,
  reported,
  argument: inbound.argument.trim(),
  ...(inbound.options === undefined ? {} : { options: inbound.options }),
  ...(inbound.about === undefined ? {} : { about: inbound.about }),
  eventId: inbound.id,
  answersItself: inbound.answersItself,
  ...(inbound.messageId === undefined ? {} : { messageId: inbound.messageId }),
  ...(inbound.dropEarlier === undefined
    ? {}
    : { dropEarlier: inbound.dropEarlier }),
});
