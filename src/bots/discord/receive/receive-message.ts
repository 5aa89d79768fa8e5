import type { Logger } from "pino";
import { messageOf, PermanentError } from "../../../core/errors.ts";
import type { Accept } from "../../../core/inbound.ts";
import { retried } from "../retry.ts";
import type { Commands } from "./commands.ts";
import type { Lanes } from "./lanes.ts";
import { messageSchema } from "./payloads.ts";
import type { MessagePayload } from "./payloads.ts";
import type { Place } from "./place.ts";
import type { Places } from "./places.ts";
import { isForBot, translateMessage } from "./translate-message.ts";

/** Discord delivers a message once: what the store cannot take yet is kept here, this long and this many. */
const keepForMs = 14 * 60_000;
const keepAtMost = 1_000;

export interface ReceiveDeps {
  readonly botId: string;
  readonly commands: Commands;
  readonly accept: Accept;
  readonly lanes: Lanes;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

type MessageDeps = ReceiveDeps & { readonly places: Places };

interface Received {
  readonly message: MessagePayload;
  readonly atMs: number;
}

/**
 * MESSAGE_CREATE to `accept`, in order within a channel: `received → placed → accepted`. A place that has to be asked of
 * Discord is asked in a lane of its own, so that a `/stop` or a tap in the channel does not wait for the answer.
 * @returns what handles one payload; it never throws.
 */
export function messageReceiver(deps: MessageDeps) {
  const { botId, lanes, places, log } = deps;
  return (payload: unknown): void => {
    const parsed = messageSchema.safeParse(payload);
    if (!parsed.success) {
      log.warn({ cause: parsed.error.message }, "a message could not be read");
      return;
    }
    const message = parsed.data;
    if (!isForBot(message, botId)) return;
    if (lanes.size >= keepAtMost) {
      log.error(
        { id: message.id },
        "a message was lost: too many wait for the store",
      );
      return;
    }
    const received = { message, atMs: Date.now() };
    const channel = message.channel_id;
    const toPlace = `place of ${channel}`;
    const known = lanes.isBusy(toPlace) ? undefined : places.known(message);
    if (known) return lanes.run(channel, () => deliver(deps, received, known));
    lanes.run(toPlace, async () => {
      const place = await insistently(deps, received, {
        waits: "a message waits for Discord to tell where it is",
        work: () => places.of(message),
      });
      if (place) lanes.run(channel, () => deliver(deps, received, place));
    });
  };
}

async function deliver(
  deps: MessageDeps,
  received: Received,
  place: Place,
): Promise<void> {
  const { botId, commands, accept } = deps;
  const { message, atMs } = received;
  await insistently(deps, received, {
    waits: "a message waits for the store",
    work: () =>
      accept(translateMessage(message, { botId, commands, place, atMs })),
  });
}

/** Undefined when the message had to be given up, which is said. */
async function insistently<T>(
  { log, signal }: MessageDeps,
  { message, atMs }: Received,
  { waits, work }: { readonly waits: string; readonly work: () => Promise<T> },
): Promise<T | undefined> {
  try {
    // Async, so that what cannot be translated is a failure, too.
    return await retried(async () => await work(), {
      signal,
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
  } catch (failure) {
    log.error(
      { id: message.id, cause: messageOf(failure) },
      "a message was lost",
    );
    return undefined;
  }
}
