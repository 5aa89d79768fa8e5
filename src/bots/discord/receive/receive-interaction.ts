import type { REST } from "discord.js";
import { messageOf, unreachable } from "../../../core/errors.ts";
import type { Inbound } from "../../../core/inbound.ts";
import type { Completion } from "../../../core/ports.ts";
import { wordsFor } from "../../../words/words-for.ts";
import { acceptInTime } from "./accept-in-time.ts";
import { answer, politely } from "./answer-interaction.ts";
import { isShownToAll } from "./asked.ts";
import type { Decidable } from "./asked.ts";
import type { HeldEvent } from "./held.ts";
import { InteractionReply } from "./interaction-reply.ts";
import { handleSchema, interactionSchema } from "./payloads.ts";
import type { InteractionPayload } from "./payloads.ts";
import { PointedMessages } from "./pointed-messages.ts";
import { questionForm } from "./pointing.ts";
import type { ReceiveDeps } from "./receive-message.ts";
import { suggestionsFor } from "./suggest.ts";
import { translateInteraction } from "./translate-interaction.ts";

type InteractionDeps = ReceiveDeps & {
  readonly rest: Pick<REST, "post" | "patch" | "get" | "delete">;
  /** Whether messages of this channel are still looked for or placed: they are older, and not in its lane yet. */
  readonly hasOlder: (channelId: string) => boolean;
  readonly completion: Pick<Completion, "complete">;
};

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
  const { botId, commands, fetchFile, lanes, log, rest, signal, held } = deps;
  const pointed = new PointedMessages();
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
        politely(deps, handle.id, () =>
          reply.say(wordsFor().discord.unreadable),
        ),
      );
      return undefined;
    }
    const receivedAtMs = Date.now();
    const context = {
      botId,
      commands,
      fetchFile,
      pointed,
      atMs: receivedAtMs,
    };
    const asked = translateInteraction(parsed.data, context);
    switch (asked.type) {
      case "suggestions":
        lanes.run(handle.id, () =>
          politely(deps, handle.id, async () =>
            reply.suggest(
              asked.typing === undefined
                ? []
                : await suggestionsFor(deps.completion, asked.typing, log),
            ),
          ),
        );
        return undefined;
      case "form":
        pointed.remember(handle.id, asked.about);
        lanes.run(handle.id, () =>
          politely(deps, handle.id, () =>
            reply.showForm(
              questionForm(handle.id, wordsFor(parsed.data.locale)),
            ),
          ),
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
          if (ok) {
            const { delayed } = wordsFor(inbound.person.language).discord;
            await politely(deps, inbound.id, () => reply.edit(delayed));
          }
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
