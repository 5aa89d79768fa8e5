import type { REST } from "discord.js";
import {
  messageOf,
  PermanentError,
  unreachable,
} from "../../../core/errors.ts";
import type { Acceptance, Inbound } from "../../../core/inbound.ts";
import { plain } from "../format/plain.ts";
import { retried } from "../retry.ts";
import { InteractionReply } from "./interaction-reply.ts";
import { handleSchema, interactionSchema } from "./payloads.ts";
import { quoted } from "./quoted.ts";
import type { ReceiveDeps } from "./receive-message.ts";
import { translateInteraction } from "./translate-interaction.ts";
import type { Asked } from "./translate-interaction.ts";

type InteractionDeps = ReceiveDeps & {
  readonly rest: Pick<REST, "post" | "patch" | "get" | "delete">;
};

/** A person waits: what the store has not taken by then is refused, and the person asks again. */
const decideWithinMs = 10_000;
const tryAgain = "Please try again in a moment.";
const done = "Done.";
const notAllowed = "You are not allowed to do this.";
const unreadable = "I could not read that. Please try again.";

type Decidable = Extract<Asked, { inbound: Inbound }>;
interface Pending {
  readonly asked: Decidable;
  readonly reply: InteractionReply;
  readonly receivedAtMs: number;
  /** Whether it was acknowledged, and the id of the message that answers it. Never rejects. */
  readonly acknowledged: Promise<{
    readonly ok: boolean;
    readonly messageId?: string | undefined;
  }>;
}

/**
 * INTERACTION_CREATE: acknowledged at once, whatever the store does, then to `accept`, in order within a channel.
 * `received → acknowledged → accepted → answered`. @returns what handles one payload; it never throws.
 */
export function interactionReceiver(deps: InteractionDeps) {
  const { botId, commands, lanes, log, rest, signal } = deps;
  return (payload: unknown): void => {
    const handle = handleSchema.safeParse(payload).data;
    if (!handle) {
      log.warn("an interaction without id or token was left unanswered");
      return;
    }
    const reply = new InteractionReply(handle, { rest, signal });
    const parsed = interactionSchema.safeParse(payload);
    if (!parsed.success) {
      log.warn(
        { id: handle.id, cause: parsed.error.message },
        "an interaction could not be read",
      );
      lanes.run(handle.id, () =>
        politely(deps, handle.id, () => reply.say(unreadable)),
      );
      return;
    }
    const receivedAtMs = Date.now();
    const context = { botId, commands, atMs: receivedAtMs };
    const asked = translateInteraction(parsed.data, context);
    switch (asked.type) {
      case "suggestions":
        return lanes.run(handle.id, () =>
          politely(deps, handle.id, () => reply.suggestNothing()),
        );
      case "nothing":
        return lanes.run(handle.id, () =>
          politely(deps, handle.id, () => reply.say(asked.text)),
        );
      case "question":
      case "command":
      case "tap": {
        const acknowledged = acknowledge(deps, asked, reply);
        const pending = { asked, reply, receivedAtMs, acknowledged };
        return lanes.run(parsed.data.channel_id, () => decide(deps, pending));
      }
      default:
        return unreachable(asked);
    }
  };
}

async function acknowledge(
  { log }: InteractionDeps,
  asked: Decidable,
  reply: InteractionReply,
): Pending["acknowledged"] {
  const { inbound } = asked;
  try {
    if (asked.type === "tap") {
      await reply.deferUpdate();
      return { ok: true };
    }
    const isPrivate = !isShownToAll(asked);
    return { ok: true, messageId: await reply.defer({ isPrivate }) };
  } catch (failure) {
    log.warn(
      { id: inbound.id, cause: messageOf(failure) },
      "an interaction was not acknowledged in time",
    );
    return { ok: false };
  }
}

/**
 * Where the acknowledgement failed the person has read "the application did not respond" and will ask again; only a
 * tap is a decision that still counts.
 */
async function decide(deps: InteractionDeps, pending: Pending): Promise<void> {
  const { asked, reply, receivedAtMs, acknowledged } = pending;
  const { ok, messageId } = await acknowledged;
  if (!ok && asked.type !== "tap") return;
  const inbound: Inbound =
    isShownToAll(asked) && messageId !== undefined
      ? { ...asked.inbound, messageId }
      : asked.inbound;
  const acceptance = await acceptInTime(deps, inbound, receivedAtMs);
  if (!ok) return;
  deps.lanes.run(inbound.id, () =>
    politely(deps, inbound.id, () => answer(deps, asked, reply, acceptance)),
  );
}

/**
 * Undefined: the store did not take it, and will not. A tap is given up when its time is over, for the store refuses it
 * from then on; whether it took anything else is not known while `accept` has not settled, and waited for.
 */
async function acceptInTime(
  deps: InteractionDeps,
  inbound: Inbound,
  receivedAtMs: number,
): Promise<Acceptance | undefined> {
  const notAfterMs = receivedAtMs + decideWithinMs;
  const leftMs = notAfterMs - Date.now();
  if (leftMs <= 0) return undefined;
  if (inbound.type !== "tap") return acceptBy(deps, inbound, notAfterMs);
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), leftMs);
  timer.unref();
  try {
    const accepted = acceptBy(deps, { ...inbound, notAfterMs }, notAfterMs);
    return await Promise.race([accepted, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Never rejects. Undefined after an attempt that failed and cannot be made again in time. */
async function acceptBy(
  { accept, log, signal }: InteractionDeps,
  inbound: Inbound,
  notAfterMs: number,
): Promise<Acceptance | undefined> {
  const inTime = () => Date.now() < notAfterMs;
  try {
    return await retried(() => accept(inbound), {
      signal,
      firstDelayMs: 500,
      maxDelayMs: 5_000,
      again: (failure, attempts) =>
        !(failure instanceof PermanentError) && attempts < 3 && inTime(),
    });
  } catch (failure) {
    log.error(
      { id: inbound.id, cause: messageOf(failure) },
      "an interaction could not be accepted",
    );
    return undefined;
  }
}

/** Its turn answers everybody, so its request is there for everybody too. */
const isShownToAll = (asked: Decidable): boolean =>
  asked.type === "question" || (asked.type === "command" && asked.startsTurn);

/** Whether what was asked for is under way. */
const isTaken = (acceptance: Acceptance | undefined): boolean =>
  acceptance?.type === "queued" ||
  acceptance?.type === "duplicate" ||
  (acceptance?.type === "answered" && acceptance.startsTurn === true);

async function wasWithdrawn(
  { log }: InteractionDeps,
  reply: InteractionReply,
): Promise<boolean> {
  try {
    await reply.withdraw();
    return true;
  } catch (failure) {
    log.warn({ cause: messageOf(failure) }, "a request was not taken back");
    return false;
  }
}

async function answer(
  deps: InteractionDeps,
  asked: Decidable,
  reply: InteractionReply,
  acceptance: Acceptance | undefined,
): Promise<void> {
  const [first, ...rest] = answerPieces(asked, acceptance);
  if (first === undefined) return;
  const buttons =
    acceptance?.type === "answered" ? acceptance.buttons : undefined;
  // What may have been taken after all keeps its place; and a refusal in public is better than none.
  const isForOneAlone =
    isShownToAll(asked) &&
    acceptance !== undefined &&
    !isTaken(acceptance) &&
    (await wasWithdrawn(deps, reply));
  // A first answer cannot be made private any more; one behind it can.
  if (isForOneAlone || asked.type === "tap") await reply.followUp(first);
  else await reply.edit(first, buttons);
  for (const piece of rest) await reply.followUp(piece);
}

/** A tap that was taken says nothing where its card will: texts are for what the card does not show. */
function answerPieces(
  asked: Decidable,
  acceptance: Acceptance | undefined,
): readonly string[] {
  if (!acceptance) return [tryAgain];
  switch (acceptance.type) {
    case "answered":
      return plain(acceptance.text).map(({ text }) => text);
    case "refused":
      if (acceptance.text !== undefined)
        return plain(acceptance.text).map(({ text }) => text);
      return asked.type === "tap" ? [] : [notAllowed];
    case "queued":
      if (asked.type === "question") return [quoted(asked.inbound.text)];
      return asked.type === "tap" ? [] : [done];
    case "duplicate":
      // The same edit again does no harm, and mends a question whose first one was lost.
      return asked.type === "question" ? [quoted(asked.inbound.text)] : [];
    default:
      return unreachable(acceptance);
  }
}

async function politely(
  { log }: InteractionDeps,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (failure) {
    log.warn(
      { id, cause: messageOf(failure) },
      "an interaction could not be answered",
    );
  }
}
