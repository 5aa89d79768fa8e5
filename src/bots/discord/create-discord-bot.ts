import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { GatewayDispatchEvents } from "discord.js";
import type { GatewayDispatchPayload } from "discord.js";
import type { Logger } from "pino";
import type { Accept } from "../../core/inbound.ts";
import type { Bot, CommandSpec, Leases } from "../../core/ports.ts";
import { Channels } from "./gateway/channels.ts";
import { Gateway } from "./gateway/gateway.ts";
import type { GatewayMemory } from "./gateway/memory.ts";
import { botIdOf } from "./identity.ts";
import { CatchUp } from "./receive/catch-up.ts";
import { ChannelLog } from "./receive/channel-log.ts";
import { byName } from "./receive/commands.ts";
import { Held } from "./receive/held.ts";
import { Lanes } from "./receive/lanes.ts";
import type { MessagePayload } from "./receive/payloads.ts";
import { Places } from "./receive/places.ts";
import { interactionReceiver } from "./receive/receive-interaction.ts";
import { messageReceiver } from "./receive/receive-message.ts";
import { registerCommands } from "./register/register-commands.ts";
import type { Registration } from "./register/register-commands.ts";
import { createRest } from "./rest.ts";
import { atMost } from "./retry.ts";
import { createSender } from "./send/sender.ts";

/** What has been received may still be accepted and answered while the bot closes. */
const closingMs = 2_000;
const lastWriteMs = 500;

export interface DiscordBotDeps {
  readonly token: string;
  /** The base of Discord's REST, including `/api`; the gateway's address comes from it. */
  readonly apiRoot: string;
  /** Asked of Discord when absent. */
  readonly applicationId?: string;
  readonly accept: Accept;
  readonly commands: readonly CommandSpec[];
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly settings: {
    /** Asks for the privileged message content intent. */
    readonly messageContent: boolean;
    /** How many connections share the bot's servers. */
    readonly shards: number | "auto";
  };
  readonly registration: Registration;
  readonly leases: Leases;
  readonly memory: GatewayMemory;
  /** Milliseconds after which a process that finds every shard taken is ready all the same. */
  readonly standByAfterMs?: number;
  /** Milliseconds that requests in flight get after the end was announced. */
  readonly sendingGraceMs?: number;
  /** Events that may wait for the store. */
  readonly holdAtMost?: number;
}

/**
 * The Discord bot: `created → started → closed`. The sender works from the beginning, the ears from `start` on, for those
 * shards that no other process listens to.
 * @throws PermanentError when the token cannot be one.
 */
export function createDiscordBot(deps: DiscordBotDeps): Bot {
  const { token, apiRoot, memory, log } = deps;
  const botId = botIdOf(token);
  const closing = new AbortController();
  const signal = AbortSignal.any([deps.signal, closing.signal]);
  const connection = createRest({
    token,
    apiRoot,
    ...(deps.sendingGraceMs === undefined
      ? {}
      : { graceMs: deps.sendingGraceMs }),
  });
  deps.signal.addEventListener("abort", () => connection.announceEnd(), {
    once: true,
    signal: closing.signal,
  });
  const { rest } = connection;
  const sender = createSender({ connection, log });
  const lanes = new Lanes();
  const channelLog = new ChannelLog(memory, log);
  const { handle, catchUp } = createEars(deps, {
    botId,
    rest,
    lanes,
    channelLog,
    signal,
    say: async ({ id, channel_id }, text) => {
      const address = {
        platform: "discord",
        bot: botId,
        chat: channel_id,
      } as const;
      const nonce = randomUUID().slice(0, 25);
      const options = { nonce, final: true, replyTo: id };
      await sender.send(address, { text }, options);
    },
  });
  const { standByAfterMs, leases } = deps;
  const gateway = new Gateway({
    token,
    apiRoot,
    botId,
    leases,
    memory,
    handle,
    log,
    signal,
    ...deps.settings,
    ...(standByAfterMs === undefined ? {} : { standByAfterMs }),
    catchUp: (gap) => catchUp.search(gap),
  });
  // Not only when it is disposed of, which is behind the last deliveries: others may listen at once.
  deps.signal.addEventListener(
    "abort",
    () => void gateway[Symbol.asyncDispose](),
    { once: true, signal: closing.signal },
  );
  return {
    id: `discord:${botId}`,
    sender,
    async start() {
      await gateway.connect();
      // Behind it: of a token that is refused it is said once.
      lanes.run("registration", () =>
        registerCommands({ ...deps, rest, signal }),
      );
    },
    ended: new Promise(() => undefined),
    async [Symbol.asyncDispose]() {
      const deadlineMs = performance.now() + closingMs;
      connection.announceEnd();
      await gateway[Symbol.asyncDispose]();
      await atMost(lanes.idle(), Math.max(0, deadlineMs - performance.now()));
      closing.abort();
      await atMost(channelLog.write(), lastWriteMs);
      await connection.end();
      connection[Symbol.dispose]();
    },
  };
}

/** What becomes of the events that the gateway delivers. */
function createEars(
  { accept, commands, memory, log, holdAtMost }: DiscordBotDeps,
  parts: {
    readonly botId: string;
    readonly rest: ReturnType<typeof createRest>["rest"];
    readonly lanes: Lanes;
    readonly channelLog: ChannelLog;
    readonly say: (message: MessagePayload, text: string) => Promise<void>;
    readonly signal: AbortSignal;
  },
) {
  const { botId, rest, lanes, channelLog, say, signal } = parts;
  const channels = new Channels();
  const receiving = {
    botId,
    accept,
    lanes,
    log,
    signal,
    commands: byName(commands),
    held: new Held(log, holdAtMost),
    handled: (...what: Parameters<ChannelLog["handled"]>) =>
      channelLog.handled(...what),
  };
  const messages = messageReceiver({
    ...receiving,
    places: new Places({ known: (id) => channels.get(id), rest }),
    before: (channelId) => catchUp.before(channelId),
    say,
  });
  const takeMissed = (payload: unknown) => messages.takeMissed(payload);
  const catchUp = new CatchUp({ rest, memory, takeMissed, log, signal });
  const receiveInteraction = interactionReceiver({
    ...receiving,
    rest,
    hasOlder: (channelId) => messages.hasOlder(channelId),
  });
  const handle = (
    event: GatewayDispatchPayload,
  ): Promise<boolean> | undefined => {
    switch (event.t) {
      case GatewayDispatchEvents.MessageCreate:
        return messages.take(event.d);
      case GatewayDispatchEvents.InteractionCreate:
        return receiveInteraction(event.d);
      default:
        channels.learn(event);
        return undefined;
    }
  };
  return { handle, catchUp };
}
