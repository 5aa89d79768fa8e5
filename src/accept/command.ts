import { findCommand } from "../commands/all-commands.ts";
import type { Acceptance, InboundCommand } from "../core/inbound.ts";
import { answerInPrivate, answerOnce, refusalOf } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** A command for the bot itself: runs here, whatever the workers do. */
export async function acceptCommand(
  deps: AcceptDeps,
  arrived: Arrived<InboundCommand>,
): Promise<Acceptance> {
  const { inbound: call, chat, role } = arrived;
  const command = findCommand(deps.commandDeps.commands, call.name);
  if (command === undefined || command.role !== "stranger") {
    const refusal = await refusalOf(deps, arrived);
    if (refusal) return refusal;
  }
  if (role === "banned") return { type: "refused" };
  if (command === undefined) {
    return await answerOnce(
      deps,
      arrived,
      `There is no command /${call.name.slice(0, 32)}. /help shows all.`,
    );
  }
  if (command.role === "admin" && role !== "admin") {
    return await answerOnce(
      deps,
      arrived,
      `You are not allowed to use /${command.spec.name}: it is for admins.`,
    );
  }
  if (command.spec.argument?.required && call.argument.trim() === "") {
    const { name, description } = command.spec.argument;
    return await answerOnce(
      deps,
      arrived,
      `/${command.spec.name} <${name}>: ${description}.`,
    );
  }
  if (
    !call.answersItself &&
    (await deps.commandDeps.inbox.hasSeen(chat, call.id))
  )
    return { type: "duplicate" };
  const { person, address, direct } = call;
  const asked = {
    person,
    address,
    chat,
    direct,
    role,
    argument: call.argument.trim(),
    eventId: call.id,
  };
  const { text } = await command.run(asked, deps.commandDeps);
  if (command.isPrivate && !direct && !call.answersItself)
    return await answerInPrivate(deps, arrived, text);
  return await answerOnce(deps, arrived, text, command.isPrivate);
}
