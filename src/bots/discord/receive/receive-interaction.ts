import { Routes, type REST } from "discord.js";
import { isUserInstall } from "../../../core/chat.ts";
import { messageOf, unreachable } from "../../../core/errors.ts";
import type { Inbound, InboundTap } from "../../../core/inbound.ts";
import type { Completion } from "../../../core/ports.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { unlessAborted } from "../../../util/abort.ts";
import type { UserInstalls } from "../user-installs.ts";
import { queueEntryOf } from "../../keyed-queue/priority.ts";
import type { Queued } from "../../keyed-queue/keyed-queue.ts";
import { acceptInTime } from "./accept-in-time.ts";
import { answer, politely } from "./answer-interaction.ts";
import { isShownToAll } from "./asked.ts";
import type { Decidable } from "./asked.ts";
import { modalOf } from "./edit-forms.ts";
import type { HeldEvent } from "./held.ts";
import { InteractionReply } from "./interaction-reply.ts";
import { handleSchema, interactionSchema } from "./payloads.ts";
import type { InteractionPayload } from "./payloads.ts";
import { PointedMessages } from "./pointed-messages.ts";
import type { References } from "./references.ts";
import { questionForm } from "./pointing.ts";
import type { ReceiveDeps } from "./deps.ts";
import { suggestionsFor } from "./suggest.ts";
import { translateInteraction } from "./translate-interaction.ts";

/** Milliseconds; the answer has to be on its way within 3 s. */
const openWithinMs = 2_000;

type InteractionDeps = ReceiveDeps & {
  readonly rest: Pick<REST, "post" | "patch" | "get" | "delete">;
  /**
   * Whether messages of this channel are still looked for or placed: they are older, and not in its
   * queue yet.
   */
  readonly hasOlder: (channelId: string) => boolean;
  readonly completion: Pick<Completion, "complete">;
  readonly references: Pick<References, "opening">;
  readonly userInstalls: Pick<UserInstalls, "begin" | "remember">;
};

interface Pending {
  readonly asked: Decidable;
  readonly reply: InteractionReply;
  readonly payload: InteractionPayload;
  /** Nothing that was written before it in its channel is decided after it. */
  readonly isInOrder: boolean;
  readonly event: HeldEvent;
  readonly receivedAtMs: number;
  readonly queued: Queued;
  /** Whether it was acknowledged, and the id of the message that answers it. Never rejects. */
  readonly acknowledged: Promise<{
    readonly ok: boolean;
    readonly messageId?: string | undefined;
  }>;
}

/**
 * INTERACTION_CREATE: acknowledged at once, whatever the store does, then to `accept`, in order
 * within a channel. `received → acknowledged → accepted → answered`. @returns what handles one
 * payload; it never throws. Its promise fulfils as a message's does. Undefined: nothing has to be
 * kept.
 */
export function interactionReceiver(deps: InteractionDeps) {
  const { botId, commands, fetchFile, queue, log, rest, signal, held } = deps;
  const pointed = new PointedMessages();
  return (payload: unknown): Promise<boolean> | undefined => {
    const handle = handleSchema.safeParse(payload).data;
    if (!handle) {
      log.warn("an interaction without id or token was left unanswered");
      return undefined;
    }
    const reply = new InteractionReply(handle, { rest, signal });
    const atOnce = (work: () => Promise<void>): void =>
      queue.start(handle.id, () => politely(deps, handle.id, work));
    const parsed = interactionSchema.safeParse(payload);
    if (!parsed.success) {
      log.warn({ id: handle.id, cause: parsed.error.message }, "an interaction could not be read");
      atOnce(() => reply.say(localeFor(undefined, "discord").discord.unreadable));
      return undefined;
    }
    const receivedAtMs = deps.now();
    const context = {
      botId,
      commands,
      fetchFile,
      pointed,
      references: deps.references,
      atMs: receivedAtMs,
    };
    const asked = translateInteraction(parsed.data, context);
    switch (asked.type) {
      case "suggestions":
        atOnce(async () =>
          reply.suggest(
            asked.typing === undefined
              ? []
              : await suggestionsFor(deps.completion, asked.typing, log),
          ),
        );
        return undefined;
      case "form":
        pointed.remember(handle.id, asked.about);
        atOnce(() =>
          reply.showForm(questionForm(handle.id, localeFor(parsed.data.locale, "discord"))),
        );
        return undefined;
      case "opening":
        atOnce(() => openForm(deps, reply, asked.tap));
        return undefined;
      case "nothing":
        atOnce(() => reply.say(asked.text));
        return undefined;
      case "question":
      case "command":
      case "tap": {
        const { channel_id: channelId } = parsed.data;
        const place = queueEntryOf(asked.inbound, commands);
        const key = queueKeyOf(asked.inbound, channelId);
        const overtakes = place.priority === "overtaking" && queue.isHeldUp(key);
        const acknowledged = acknowledge(deps, asked, reply);
        const pending = {
          asked,
          reply,
          receivedAtMs,
          acknowledged,
          payload: parsed.data,
          isInOrder: !deps.hasOlder(channelId) && !overtakes,
          event: held.hold(),
        };
        return queue.run(key, (queued) => decide(deps, { ...pending, queued }), place);
      }
      default:
        return unreachable(asked);
    }
  };
}

/**
 * In a user-installed app each person has a separate chat: no one can stop
 * another's question in the channel.
 */
const queueKeyOf = ({ address }: Inbound, channelId: string): string =>
  isUserInstall(address) ? address.chat : channelId;

/**
 * Stores the interaction, so that any process can send the answer. If that fails, the answer goes
 * to the person's direct messages. Never rejects.
 */
async function rememberUserInstall(
  { userInstalls, log }: InteractionDeps,
  { application_id: applicationId, token }: InteractionPayload,
  { address, messageId, id }: Inbound & { readonly messageId?: string },
): Promise<void> {
  const handle = { applicationId, token };
  try {
    await Promise.all([
      userInstalls.begin(address.chat, handle),
      userInstalls.remember(messageId === undefined ? [] : [messageId], handle),
    ]);
  } catch (failure) {
    log.warn({ id, cause: messageOf(failure) }, "a user-installed app's chat was not stored");
  }
}

/** A form is the first answer, or there is none: it has to be made within Discord's 3 s. */
async function openForm(
  { accept, log }: InteractionDeps,
  reply: InteractionReply,
  tap: InboundTap,
): Promise<void> {
  const say = localeFor(tap.person.language, tap.person.id).platform;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), openWithinMs);
  try {
    const opened = await unlessAborted(accept(tap), late.signal);
    if (opened.type === "form") await reply.showForm(modalOf(opened.form));
    else await reply.say("text" in opened ? (opened.text ?? say.notAllowed) : say.tryAgain);
  } catch (failure) {
    log.warn({ id: tap.id, cause: messageOf(failure) }, "a form could not be opened");
    await reply.say(say.tryAgain);
  } finally {
    clearTimeout(timer);
  }
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

/** The server of an answered card. If it fails, the bot stays, and may be removed by hand. */
async function leave({ rest, log }: InteractionDeps, place: string): Promise<void> {
  const guild = place.slice("discord:guild:".length);
  try {
    await rest.delete(Routes.userGuild(guild));
  } catch (failure) {
    log.warn({ guild, cause: messageOf(failure) }, "could not leave a server");
  }
}

/**
 * Where the acknowledgement failed the person has read "the application did not respond" and will
 * ask again; only a tap is a decision that still counts. @returns false when this process ended
 * before it was known.
 */
async function decide(deps: InteractionDeps, pending: Pending): Promise<boolean> {
  const { asked, reply, event, receivedAtMs, acknowledged, queued } = pending;
  try {
    const { ok, messageId } = await acknowledged;
    if (!ok && asked.type !== "tap") return true;
    const userInstalls = isUserInstall(asked.inbound.address);
    const isAnswered = isShownToAll(asked) || asked.type === "question";
    const inbound: Inbound = {
      ...asked.inbound,
      ...queued,
      ...(isAnswered && messageId !== undefined ? { messageId } : {}),
    };
    // A button may ask a question, too. The write goes first on the same
    // connection, so a hanging store blocks no one here.
    if (userInstalls && asked.type !== "command")
      void rememberUserInstall(deps, pending.payload, inbound);
    const acceptance = await acceptInTime(deps, {
      inbound,
      receivedAtMs,
      dropped: event.dropped,
      // In the queue of the answer, which must not be overwritten.
      reportDelay: () =>
        deps.queue.start(inbound.id, async () => {
          if (ok) {
            const { delayed } = localeFor(inbound.person.language, inbound.person.id).discord;
            await politely(deps, inbound.id, () => reply.edit(delayed));
          }
        }),
    });
    if (acceptance === undefined && deps.signal.aborted) return false;
    // Where the bot is not, nothing can be looked for later.
    if (acceptance && !userInstalls) deps.handled(pending.payload, pending.isInOrder);
    if (ok)
      deps.queue.start(inbound.id, () =>
        politely(deps, inbound.id, () => answer(deps, asked, reply, acceptance)),
      );
    if (acceptance?.type === "answered" && acceptance.leaves !== undefined)
      void leave(deps, acceptance.leaves);
    return true;
  } finally {
    event.release();
  }
}
