import { unlessAborted } from "../../../util/abort.ts";
import { queueEntryOf } from "../../keyed-queue/priority.ts";
import type { Commands } from "../../keyed-queue/priority.ts";
import type { Priority, Queued } from "../../keyed-queue/keyed-queue.ts";
import type { MessageDeps } from "./deps.ts";
import { messageSchema } from "./payloads.ts";
import type { MessagePayload } from "./payloads.ts";
import { retryUntilAccepted } from "./retry-until-accepted.ts";
import { channelIdOf } from "./place.ts";
import type { Where } from "./places.ts";
import { edited, received, whole } from "./read-message.ts";
import type { ReadMessage, Received, Waiting } from "./read-message.ts";

/**
 * Passes MESSAGE_CREATE and MESSAGE_UPDATE to `accept`, in order within a
 * channel: `received → placed → accepted`. A place that has to be looked up at
 * Discord is looked up in a separate queue, so that a `/stop` or a tap in the
 * channel doesn't wait for it. The returned promise fulfils with true when the
 * message is durable, or nothing can make it so, and with false when another
 * process has to take it. Undefined: it isn't for the bot.
 */
export function messageReceiver(deps: MessageDeps) {
  const { botId, queue, places, ownRoles, chatter, now, before } = deps;
  const take = (message: MessagePayload | undefined, read: ReadMessage) => {
    if (!message) return undefined;
    const resolved = ownRoles.resolve(message);
    const received = resolved && read(deps, resolved);
    if (resolved && !received) return undefined;
    const channel = message.channel_id;
    const toPlace = placing(channel);
    const first = before(channel);
    const isFree = first === undefined && !queue.isBusy(toPlace);
    const known = isFree ? (ownThreadOf(message, botId) ?? places.known(message)) : undefined;
    if (received && known && !received.isPart && !opensThread(deps, received, known))
      return withPermit(deps, received, known);
    const waiting = received ?? { ...chatter.hold(), message, atMs: now() };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    queue.start(toPlace, async () => {
      const { dropped } = waiting;
      if (first) await unlessAborted(first, dropped).catch(() => undefined);
      const part = received ?? (await readAsked(deps, waiting, read));
      if (typeof part === "boolean") return resolve(part);
      const found = await whole(deps, part);
      const where = await locate(deps, found);
      // Not awaited here: it is in its queue, and the next one may be placed.
      resolve(typeof where === "boolean" ? where : withPermit(deps, found, where));
    });
    return promise;
  };
  return {
    /** MESSAGE_CREATE. Never throws. */
    take: (payload: unknown): Promise<boolean> | undefined =>
      take(readable(deps, payload), received),

    /** MESSAGE_UPDATE. Never throws. */
    takeEdit: (payload: unknown): Promise<boolean> | undefined =>
      // Discord also sends partial messages without any edit by the author.
      take(messageSchema.safeParse(payload).data, edited),

    /**
     * Whether messages of this channel have to be found or placed before they
     * can be queued.
     */
    hasOlder: (channelId: string): boolean =>
      before(channelId) !== undefined || queue.isBusy(placing(channelId)),

    /**
     * A missed message: fulfils when it is in its channel's queue, before what
     * the gateway delivers there.
     */
    async takeMissed(
      payload: unknown,
    ): Promise<{ readonly isDurable: Promise<boolean> } | undefined> {
      const message = readable(deps, payload);
      if (!message) return undefined;
      const waiting = { ...chatter.hold(), message, atMs: now() };
      const asked = await readAsked(deps, waiting, received);
      if (asked === true) return undefined;
      if (asked === false) return { isDurable: Promise.resolve(false) };
      const missed = await whole(deps, asked);
      const where = await locate(deps, missed);
      if (typeof where === "boolean") return { isDurable: Promise.resolve(where) };
      return { isDurable: withPermit(deps, missed, where) };
    },
  };
}

/** The queue in which a channel's messages wait until it is known where they are. */
const placing = (channelId: string): string => `place of ${channelId}`;

function readable({ log }: MessageDeps, payload: unknown): MessagePayload | undefined {
  const { data, error } = messageSchema.safeParse(payload);
  if (error) log.warn({ cause: error.message }, "a message could not be read");
  return data;
}

/**
 * A message with the bot where its role was mentioned. A boolean: it isn't for the bot, had to be
 * given up, or is left to another process.
 */
async function readAsked(
  deps: MessageDeps,
  waiting: Waiting,
  read: ReadMessage,
): Promise<Received | boolean> {
  const asked = await retryUntilAccepted(deps, waiting, {
    waits: "a message waits for Discord to report the bot's role",
    work: () => deps.ownRoles.ask(waiting.message),
  });
  waiting.release();
  if (typeof asked === "boolean") return asked;
  return read(deps, asked.value) ?? true;
}

const opensThread = (
  { threads }: MessageDeps,
  { message, isNew }: Received,
  where: Where,
): boolean => isNew && threads?.wants(message, where) === true;

/**
 * The thread that was opened for a question is its place, also where no threads are opened any
 * more.
 */
function ownThreadOf(
  { thread, channel_id: chat }: MessagePayload,
  botId: string,
): Where | undefined {
  if (thread?.owner_id !== botId) return undefined;
  return { place: { chat, thread: thread.id }, ownerId: botId };
}

/** Into the queue of its place; fulfils as `deliver`. */
function withPermit(deps: MessageDeps, received: Received, where: Where): Promise<boolean> {
  const { queue, commands } = deps;
  const { channel_id: channel } = received.message;
  const key = channelIdOf(where.place);
  const { priority, ...named } = placeOfWork(received, where, commands);
  const overtakes = priority === "overtaking" && queue.isHeldUp(key);
  const delivered = queue.run(
    key,
    (queued) => deliver(deps, received, { where, queued, overtakes }),
    { priority, ...named },
  );
  // Later messages of the same channel are handled after it, wherever each of them is answered.
  if (key !== channel) queue.start(channel, async () => void (await delivered), priority);
  return delivered.then(async ({ isDurable, settled }) => {
    // Discord replays it until then.
    if (settled) await unlessAborted(settled, deps.signal).catch(() => undefined);
    return isDurable && !(settled && deps.signal.aborted);
  });
}

function placeOfWork(
  { translate, message }: Received,
  where: Where,
  commands: Commands,
): {
  readonly priority: Priority;
  readonly id?: string;
  readonly personId?: string;
} {
  try {
    const inbound = translate(message, where);
    return inbound === undefined ? { priority: "in order" } : queueEntryOf(inbound, commands);
  } catch {
    // It fails again where that is reported.
    return { priority: "in order" };
  }
}

/** A boolean: it was dropped, or left to another process. */
async function locate(deps: MessageDeps, received: Received): Promise<Where | boolean> {
  const { places, threads } = deps;
  const { message, isNew } = received;
  const located = await retryUntilAccepted(deps, received, {
    waits: "a message waits for Discord to report its channel",
    async work() {
      const own = ownThreadOf(message, deps.botId);
      if (own) return own;
      const where = await places.of(message);
      return isNew && threads?.wants(message, where)
        ? await threads.openFor(message, where)
        : where;
    },
  });
  if (typeof located === "boolean") {
    received.release();
    return located;
  }
  return located.value;
}

/** `isDurable`: it is durable, or will never be. `settled`: see `Acceptance`. */
async function deliver(
  deps: MessageDeps,
  received: Received,
  {
    where,
    queued,
    overtakes,
  }: {
    readonly where: Where;
    readonly queued: Queued;
    /** Something that was written before it is handled after it. */
    readonly overtakes: boolean;
  },
): Promise<{ readonly isDurable: boolean; readonly settled?: Promise<void> }> {
  const { accept, queue, say, handled } = deps;
  const { message, translate } = received;
  const accepted = await retryUntilAccepted(deps, received, {
    waits: "a message waits for the store",
    async work() {
      const inbound = translate(message, where);
      return inbound && (await accept({ ...inbound, ...queued }));
    },
  });
  received.release();
  if (typeof accepted === "boolean") return { isDurable: accepted };
  const { value: acceptance } = accepted;
  // Where only others talk nothing has to be looked for later.
  if (acceptance === undefined) return { isDurable: true };
  if (acceptance.type === "ignored") {
    const { settled } = acceptance;
    return { isDurable: true, ...(settled && { settled }) };
  }
  const channelId = channelIdOf(where.place);
  handled({ ...message, channel_id: channelId }, !overtakes);
  if (channelId !== message.channel_id)
    queue.start(message.channel_id, async () => handled(message));
  if (acceptance.type === "refused" && acceptance.isMarked)
    queue.start(`mark of ${message.id}`, () => deps.mark({ channelId, messageId: message.id }));
  if (acceptance.type === "not-kept")
    queue.start(`refusal of ${message.id}`, () =>
      say({ channelId, replyTo: message.id }, acceptance.text),
    );
  return { isDurable: true };
}
