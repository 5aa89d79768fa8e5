import type { Logger } from "pino";
import { messageOf, PermanentError } from "../../../core/errors.ts";
import type { Accept } from "../../../core/inbound.ts";
import { retried, unlessAborted } from "../retry.ts";
import type { Commands } from "./commands.ts";
import type { Held, HeldEvent } from "./held.ts";
import type { Lanes } from "./lanes.ts";
import { messageSchema } from "./payloads.ts";
import type { MessagePayload } from "./payloads.ts";
import type { Place } from "./place.ts";
import type { Places } from "./places.ts";
import { isForBot, translateMessage } from "./translate-message.ts";

/** How long what the store cannot take is kept. */
const keepForMs = 15 * 60_000;

export interface ReceiveDeps {
  readonly botId: string;
  readonly commands: Commands;
  readonly accept: Accept;
  readonly lanes: Lanes;
  readonly held: Held;
  /**
   * Remembers that what this message or interaction says is durable, and, unless `isInOrder` is false, so is everything
   * before it in its channel.
   */
  readonly handled: (
    event: {
      readonly id: string;
      readonly channel_id: string;
      readonly guild_id?: string | undefined;
    },
    isInOrder?: boolean,
  ) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export type MessageDeps = ReceiveDeps & {
  readonly places: Places;
  /** What has to be done first in a channel: what was missed there is older. Undefined: nothing. */
  readonly before: (channelId: string) => Promise<void> | undefined;
  /** Says something that the store cannot keep. Never rejects. */
  readonly say: (message: MessagePayload, text: string) => Promise<void>;
};

interface Received extends HeldEvent {
  readonly message: MessagePayload;
  readonly atMs: number;
}

/**
 * MESSAGE_CREATE to `accept`, in order within a channel: `received → placed → accepted`. A place that has to be asked of
 * Discord is asked in a lane of its own, so that a `/stop` or a tap in the channel does not wait for the answer.
 * What is returned fulfils with true when the message is durable, or nothing can make it so, and with false when
 * another process has to take it. Undefined: it is not for the bot.
 */
export function messageReceiver(deps: MessageDeps) {
  const { lanes, places, before } = deps;
  return {
    /** What the gateway delivers. Never throws. */
    take(payload: unknown): Promise<boolean> | undefined {
      const message = read(deps, payload);
      if (!message) return undefined;
      const received = receive(deps, message);
      const channel = message.channel_id;
      const toPlace = placing(channel);
      const first = before(channel);
      const isFree = first === undefined && !lanes.isBusy(toPlace);
      const known = isFree ? places.known(message) : undefined;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const inPlace = (place: Place) =>
        lanes.run(channel, async () =>
          resolve(await deliver(deps, received, place)),
        );
      if (known) inPlace(known);
      else
        lanes.run(toPlace, async () => {
          if (first)
            await unlessAborted(first, received.dropped).catch(() => undefined);
          const place = await locate(deps, received);
          if (typeof place === "boolean") resolve(place);
          else inPlace(place);
        });
      return promise;
    },

    /** Whether messages of this channel have to be looked for or placed before they stand in its lane. */
    hasOlder: (channelId: string): boolean =>
      before(channelId) !== undefined || lanes.isBusy(placing(channelId)),

    /** What was missed: fulfils when it stands in its channel's lane, before what the gateway delivers there. */
    async takeMissed(
      payload: unknown,
    ): Promise<{ readonly isDurable: Promise<boolean> } | undefined> {
      const message = read(deps, payload);
      if (!message) return undefined;
      const received = receive(deps, message);
      const place = await locate(deps, received);
      if (typeof place === "boolean")
        return { isDurable: Promise.resolve(place) };
      const { promise, resolve } = Promise.withResolvers<boolean>();
      lanes.run(message.channel_id, async () =>
        resolve(await deliver(deps, received, place)),
      );
      return { isDurable: promise };
    },
  };
}

/** The lane in which a channel's messages wait until it is known where they are. */
const placing = (channelId: string): string => `place of ${channelId}`;

function read(
  { botId, log }: MessageDeps,
  payload: unknown,
): MessagePayload | undefined {
  const parsed = messageSchema.safeParse(payload);
  if (!parsed.success) {
    log.warn({ cause: parsed.error.message }, "a message could not be read");
    return undefined;
  }
  return isForBot(parsed.data, botId) ? parsed.data : undefined;
}

const receive = ({ held }: MessageDeps, message: MessagePayload): Received => ({
  ...held.hold(),
  message,
  atMs: Date.now(),
});

/** A boolean: it had to be given up, or left to another process. */
async function locate(
  deps: MessageDeps,
  received: Received,
): Promise<Place | boolean> {
  const place = await insist(deps, received, {
    waits: "a message waits for Discord to tell where it is",
    work: () => deps.places.of(received.message),
  });
  if (typeof place === "boolean") {
    received.release();
    return place;
  }
  return place.value;
}

/** True: it is durable, or will never be. */
async function deliver(
  deps: MessageDeps,
  received: Received,
  place: Place,
): Promise<boolean> {
  const { botId, commands, accept, lanes, say, handled } = deps;
  const { message, atMs } = received;
  const accepted = await insist(deps, received, {
    waits: "a message waits for the store",
    work: () =>
      accept(translateMessage(message, { botId, commands, place, atMs })),
  });
  received.release();
  if (typeof accepted === "boolean") return accepted;
  handled(message);
  const { value: acceptance } = accepted;
  if (acceptance.type === "not-kept")
    lanes.run(`refusal of ${message.id}`, () => say(message, acceptance.text));
  return true;
}

/** True when it had to be given up, which is said; false when this process ends first. */
async function insist<T>(
  { log, signal, held }: MessageDeps,
  { message, atMs, dropped }: Received,
  { waits, work }: { readonly waits: string; readonly work: () => Promise<T> },
): Promise<{ readonly value: T } | boolean> {
  try {
    // Async, so that what cannot be translated is a failure, too.
    const value = retried(async () => await work(), {
      signal: AbortSignal.any([signal, dropped]),
      firstDelayMs: 250,
      maxDelayMs: 5_000,
      again(failure, attempts) {
        if (attempts === 1)
          log.warn({ id: message.id, cause: messageOf(failure) }, waits);
        return (
          !(failure instanceof PermanentError) && Date.now() - atMs < keepForMs
        );
      },
    });
    return { value: await unlessAborted(value, dropped) };
  } catch (failure) {
    if (!dropped.aborted && signal.aborted) return false;
    held.lost();
    log[dropped.aborted ? "debug" : "error"](
      { id: message.id, cause: messageOf(failure) },
      "a message was lost",
    );
    return true;
  }
}
