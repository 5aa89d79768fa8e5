import type { Logger } from "pino";
import { messageOf, unreachable } from "../../../core/errors.ts";
import type { Acceptance } from "../../../core/inbound.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import type { Locale } from "../../../locales/locale.ts";
import { plain } from "../format/plain.ts";
import { isShownToAll } from "./asked.ts";
import type { Decidable } from "./asked.ts";
import { isOver } from "./interaction-reply.ts";
import type { InteractionReply } from "./interaction-reply.ts";
import { channelIdOf } from "./place.ts";
import type { ReceiveDeps } from "./deps.ts";

type AnswerDeps = Pick<ReceiveDeps, "log" | "say">;

const localeOf = ({ inbound }: Decidable): Locale =>
  localeFor(inbound.person.language, inbound.person.id);

/** Whether what was asked for is under way. */
const isTaken = (acceptance: Acceptance | undefined): boolean =>
  acceptance?.type === "queued" ||
  acceptance?.type === "duplicate" ||
  (acceptance?.type === "answered" && acceptance.startsTurn === true);

async function wasWithdrawn({ log }: AnswerDeps, reply: InteractionReply): Promise<boolean> {
  try {
    await reply.withdraw();
    return true;
  } catch (failure) {
    log.warn({ cause: messageOf(failure) }, "a request was not withdrawn");
    return false;
  }
}

/** Reports the result. Undefined: unknown. @throws what REST throws. */
export async function answer(
  deps: AnswerDeps,
  asked: Decidable,
  reply: InteractionReply,
  acceptance: Acceptance | undefined,
): Promise<void> {
  const pieces = answerPieces(asked, acceptance);
  try {
    await show(deps, { asked, reply, acceptance, pieces });
  } catch (failure) {
    if (!isOver(failure)) throw failure;
    await sayInChannel(deps, { asked, acceptance, pieces });
  }
}

/**
 * A token lives for 15 minutes; later replies are ordinary messages. A tap's
 * outcome is shown on its card.
 */
async function sayInChannel(
  { say }: AnswerDeps,
  { asked, acceptance, pieces }: Omit<Answer, "reply">,
): Promise<void> {
  const { type, inbound } = asked;
  if (type === "tap" || isTaken(acceptance)) return;
  const isSecret = !inbound.direct && acceptance?.type === "answered" && acceptance.isPrivate;
  const channelId = channelIdOf(inbound.address);
  for (const piece of isSecret ? [localeOf(asked).discord.tooLate] : pieces)
    await say({ channelId }, piece);
}

interface Answer {
  readonly asked: Decidable;
  readonly reply: InteractionReply;
  readonly acceptance: Acceptance | undefined;
  readonly pieces: readonly string[];
}

async function show(deps: AnswerDeps, { asked, reply, acceptance, pieces }: Answer): Promise<void> {
  if (asked.type === "command" && acceptance?.type === "duplicate") {
    // Who did it may have ended before it could answer.
    if (await reply.isThinking()) await reply.edit(localeOf(asked).discord.doneBefore);
    return;
  }
  const [first, ...rest] = pieces;
  if (first === undefined) return;
  const buttons = acceptance?.type === "answered" ? acceptance.buttons : undefined;
  // A message that may have been accepted nevertheless keeps its slot; and a public refusal is
  // better than none.
  const isForOneAlone =
    isShownToAll(asked) &&
    acceptance !== undefined &&
    !isTaken(acceptance) &&
    (await wasWithdrawn(deps, reply));
  // A first answer can't be made private later; a follow-up can.
  // Below the last piece.
  const ofFirst = rest.length === 0 ? buttons : [];
  if (isForOneAlone || asked.type === "tap") await reply.followUp(first, ofFirst);
  else await reply.edit(first, ofFirst);
  for (const [index, piece] of rest.entries())
    await reply.followUp(piece, index === rest.length - 1 ? buttons : []);
}

/**
 * A tap that was taken says nothing where its card will: texts are for what the card does not show.
 */
function answerPieces(asked: Decidable, acceptance: Acceptance | undefined): readonly string[] {
  const { platform, discord } = localeOf(asked);
  if (!acceptance) return [platform.tryAgain];
  switch (acceptance.type) {
    case "answered":
      if (asked.type === "tap" && acceptance.isOnCard) return [];
      return plain(acceptance.text).map(({ text }) => text);
    case "refused":
      if (acceptance.text !== undefined) return plain(acceptance.text).map(({ text }) => text);
      return asked.type === "tap" ? [] : [platform.notAllowed];
    case "not-kept":
      return plain(acceptance.text).map(({ text }) => text);
    case "ignored":
      return [];
    case "form":
      // It came too late to be opened: the person can write instead.
      return [acceptance.text];
    case "queued":
      if (asked.type === "question") return [asked.echo];
      return asked.type === "tap" ? [] : [discord.done];
    case "duplicate":
      // Repeating the edit is harmless, and completes a question whose first
      // edit was lost.
      return asked.type === "question" ? [asked.echo] : [];
    default:
      return unreachable(acceptance);
  }
}

/** Logs failures. */
export async function politely(
  { log }: { readonly log: Logger },
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (failure) {
    log.warn({ id, cause: messageOf(failure) }, "an interaction could not be answered");
  }
}
