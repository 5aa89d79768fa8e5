import { findCommand } from "../commands/all-commands.ts";
import type { CommandCall } from "../commands/command.ts";
import { descriptionIn, usageOf } from "../commands/menu.ts";
import type { Acceptance, InboundCommand } from "../core/inbound.ts";
import { answerInPrivate, answerOnce, refusalOf } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** A command for the bot itself: runs here, whatever the workers do. */
export async function acceptCommand(
  deps: AcceptDeps,
  arrived: Arrived<InboundCommand>,
): Promise<Acceptance> {
  const { inbound: call, chat, role, words } = arrived;
  const command = findCommand(deps.commandDeps.commands, call.name);
  if (command?.role !== "stranger" || role === "banned") {
    const refusal = await refusalOf(deps, arrived);
    if (refusal) return refusal;
  }
  if (command === undefined) {
    return await answerOnce(deps, arrived, {
      text: words.door.noCommand(call.name.slice(0, 32).toWellFormed()),
    });
  }
  if (command.role === "admin" && role !== "admin") {
    return await answerOnce(deps, arrived, {
      text: words.door.adminsOnly(command.spec.name),
    });
  }
  const [needed] = command.spec.arguments ?? [];
  if (needed?.required && call.argument.trim() === "") {
    const description = descriptionIn(needed, call.person.language);
    return await answerOnce(deps, arrived, {
      text: `${usageOf(command.spec)}: ${description}.`,
    });
  }
  const { inbox } = deps.commandDeps;
  if (await inbox.hasSeen(chat, call.id)) return { type: "duplicate" };
  const said = await command.run(callOf(arrived), deps.commandDeps);
  // What the outbox answers is remembered with its answer.
  if (call.answersItself) await inbox.markSeen(chat, call.id);
  if (command.isPrivate && !call.direct && !call.answersItself)
    return await answerInPrivate(deps, arrived, said);
  return await answerOnce(deps, arrived, said, command.isPrivate);
}

const callOf = ({
  inbound,
  chat,
  role,
  preference,
  words,
  reported,
}: Arrived<InboundCommand>): CommandCall => ({
  person: inbound.person,
  address: inbound.address,
  chat,
  direct: inbound.direct,
  role,
  preference,
  words,
  reported,
  argument: inbound.argument.trim(),
  ...(inbound.options === undefined ? {} : { options: inbound.options }),
  eventId: inbound.id,
  ...(inbound.messageId === undefined ? {} : { messageId: inbound.messageId }),
});
