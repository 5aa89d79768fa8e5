import { answerDraft, dropDraft } from "../commands/persona/dialogue.ts";
import { starterOf } from "../commands/persona/pick.ts";
import { questionOf } from "../core/persona-draft.ts";
import type { InboundMessage, InboundTap } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { typedText } from "./choice.ts";
import { callOf } from "./call-of.ts";
import type { AcceptDeps, Arrived, ArrivedCommand } from "./deps.ts";
import type { Outcome } from "./outcome.ts";
import { ownFiles } from "./pointed-at.ts";

/**
 * A message that answers a question about a persona that its author is making. It opens no turn.
 * Delivered again it has the same outcome: the draft knows its newest answer, the inbox those
 * before.
 */
export async function answerDrafting(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Outcome | undefined> {
  const { inbound, chat, isDrafting } = arrived;
  const { id, text, isForwarded, isAddressed } = inbound;
  if (!isDrafting || isForwarded || isAddressed === false || ownFiles(inbound).length > 0)
    return undefined;
  if (await deps.inbox.hasSeen(chat, id)) return { type: "duplicate" };
  const tooMany = arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const said = await answerDraft(await callOf(arrived), deps, text);
  return said && { ...said, type: "reply" };
}

/** Any other command ends the dialogue. @returns what to say about it. */
export async function leaveDrafting(
  deps: AcceptDeps,
  { inbound: { person }, command, isDrafting, locale }: ArrivedCommand,
): Promise<readonly string[]> {
  if (!isDrafting || command.spec.name === "persona") return [];
  const draft = await deps.personaDrafts.read(person.id);
  if (draft === undefined || questionOf(draft) === undefined) return [];
  await dropDraft(deps, person);
  return [locale.personas.left];
}

/** A persona's starter is sent as if the person had typed it. */
export async function tapStarter(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Outcome | undefined> {
  if (!arrived.inbound.data.startsWith("ps:")) return undefined;
  if (!isAtLeast(arrived.role, "guest"))
    return { type: "refused", text: arrived.locale.ingress.notAllowed };
  const text = await starterOf(await callOf(arrived), deps, arrived.inbound.data);
  return text === undefined ? undefined : typedText(arrived, text);
}
