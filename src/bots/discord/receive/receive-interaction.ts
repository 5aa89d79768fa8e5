import type { REST } from "discord.js";
import { messageOf, unreachable } from "../../../core/errors.ts";
import type { Acceptance, Inbound } from "../../../core/inbound.ts";
import { plain } from "../format/plain.ts";
import { acceptInTime } from "./accept-in-time.ts";
import type { HeldEvent } from "./held.ts";
import { InteractionReply } from "./interaction-reply.ts";
import { handleSchema, interactionSchema } from "./payloads.ts";
import type { InteractionPayload } from "./payloads.ts";
import { quoted } from "./quoted.ts";
import type { ReceiveDeps } from "./receive-message.ts";
import { translateInteraction } from "./translate-interaction.ts";
import type { Asked } from "./translate-interaction.ts";

type InteractionDeps = ReceiveDeps & {
  readonly rest: Pick<REST, "post" | "patch" | "get" | "delete">;
  /** Whether messages of this channel are still looked for or placed: they are older, and not in its lane yet. */
  readonly hasOlder: (channelId: string) => boolean;
};

const tryAgain = "Sorry, that did not work. Please try again in a moment.";
const delayed =
  "Sorry, I cannot take this in just now. I keep trying and will answer here.";
const done = "Done.";
const notAllowed = "You are not allowed to do this.";
const unreadable = "I could not read that. Please try again.";
const doneBefore =
  "I have done that, but my answer was lost. Ask again if you need it.";

type Decidable = Extract<Asked, { inbound: Inbound }>;
interface Pending {
  readonly asked: Decidable;
  readonly reply: InteractionReply;
  readonly payload: InteractionPayload;
  /** Nothing that was written before it in its channel is decided after it. */
  readonly isInOrder: boolean;
  readonly event: HeldEvent;
  readonly receivedAtMs: number;
  /** Whether it was acknowledged, and the id of the message that answers it. Never rejects. */
  readonly acknowledged: Promise<{
    readonly ok: boolean;
    readonly messageId?: string | undefined;
  }>;
}

/**
 * INTERACTION_CREATE: acknowledged at once, whatever the store does, then to `accept`, in order within a channel.
 * `received → acknowledged → accepted → answered`. @returns what handles one payload; it never throws. Its promise fulfils
 * as a message's does. Undefined: nothing has to be kept.
 */
export function interactionReceiver(deps: InteractionDeps) {
  const { botId, commands, lanes, log, rest, signal, held } = deps;
  return (payload: unknown): Promise<boolean> | undefined => {
    const handle = handleSchema.safeParse(payload).data;
    if (!handle) {
      log.warn("an interaction without id or token was left unanswered");
      return undefined;
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
      return undefined;
    }
    const receivedAtMs = Date.now();
    const context = { botId, commands, atMs: receivedAtMs };
    const asked = translateInteraction(parsed.data, context);
    switch (asked.type) {
      case "suggestions":
        lanes.run(handle.id, () =>
          politely(deps, handle.id, () => reply.suggestNothing()),
        );
        return undefined;
      case "nothing":
        lanes.run(handle.id, () =>
          politely(deps, handle.id, () => reply.say(asked.text)),
        );
        return undefined;
      case "question":
      case "command":
      case "tap": {
        const acknowledged = acknowledge(deps, asked, reply);
        const pending = {
          asked,
          reply,
          receivedAtMs,
          acknowledged,
          payload: parsed.data,
          isInOrder: !deps.hasOlder(parsed.data.channel_id),
          event: held.hold(),
        };
        const { promise, resolve } = Promise.withResolvers<boolean>();
        lanes.run(parsed.data.channel_id, async () =>
          resolve(await decide(deps, pending)),
        );
        return promise;
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
 * tap is a decision that still counts. @returns false when this process ended before it was known.
 */
async function decide(
  deps: InteractionDeps,
  pending: Pending,
): Promise<boolean> {
  const { asked, reply, event, receivedAtMs, acknowledged } = pending;
  try {
    const { ok, messageId } = await acknowledged;
    if (!ok && asked.type !== "tap") return true;
    const inbound: Inbound =
      isShownToAll(asked) && messageId !== undefined
        ? { ...asked.inbound, messageId }
        : asked.inbound;
    const acceptance = await acceptInTime(deps, {
      inbound,
      receivedAtMs,
      dropped: event.dropped,
      // In the lane of the answer, which must not be overwritten.
      tellDelay: () =>
        deps.lanes.run(inbound.id, async () => {
          if (ok) await politely(deps, inbound.id, () => reply.edit(delayed));
        }),
    });
    if (acceptance === undefined && deps.signal.aborted) return false;
    if (acceptance) deps.handled(pending.payload, pending.isInOrder);
    if (ok)
      deps.lanes.run(inbound.id, () =>
        politely(deps, inbound.id, () =>
          answer(deps, asked, reply, acceptance),
        ),
      );
    return true;
  } finally {
    event.release();
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
  if (asked.type === "command" && acceptance?.type === "duplicate") {
    // Who did it may have ended before it could answer.
    if (await reply.isThinking()) await reply.edit(doneBefore);
    return;
  }
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
    case "not-kept":
      return plain(acceptance.text).map(({ text }) => text);
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
