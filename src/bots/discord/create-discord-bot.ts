import { performance } from "node:perf_hooks";
import { GatewayDispatchEvents } from "discord.js";
import type { GatewayDispatchPayload } from "discord.js";
import type { Logger } from "pino";
import type { ChatAddress, Person } from "../../core/chat.ts";
import type { Accept } from "../../core/inbound.ts";
import type { PlatformWatch } from "../../core/outage.ts";
import type { Whereabouts } from "../../core/places.ts";
import type { Bot, CommandSpec, Completion, Leases, NoteReach } from "../../core/ports.ts";
import { byName } from "../keyed-queue/priority.ts";
import { KeyedQueue } from "../keyed-queue/keyed-queue.ts";
import { Channels } from "./gateway/channels.ts";
import { Gateway } from "./gateway/gateway.ts";
import type { GatewayMemory } from "./gateway/memory.ts";
import { inviteLink } from "./examine.ts";
import { botIdOf } from "./identity.ts";
import { AutoThreads } from "./receive/auto-threads.ts";
import { CatchUp } from "./receive/catch-up.ts";
import { ChannelLog } from "./receive/channel-log.ts";
import { createFiles } from "./receive/files.ts";
import { Held } from "./receive/held.ts";
import { Joins } from "./receive/joins.ts";
import { Leaves } from "./receive/leaves.ts";
import { OwnRoles } from "./receive/own-roles.ts";
import { OwnWords } from "./receive/own-words.ts";
import { Places } from "./receive/places.ts";
import { References } from "./receive/references.ts";
import { interactionReceiver } from "./receive/receive-interaction.ts";
import { messageReceiver } from "./receive/receive-message.ts";
import type { ReceiveDeps } from "./receive/deps.ts";
import { askWhoWeAre, registerCommands } from "./register/register-commands.ts";
import type { Registration } from "./register/register-commands.ts";
import { createRest } from "./rest.ts";
import { atMost } from "./retry.ts";
import type { UserInstalls } from "./user-installs.ts";
import { reactionTo } from "./send/react.ts";
import { sayUntilAccepted } from "./send/say-until-accepted.ts";
import { createSender } from "./send/sender.ts";

/** Time to accept and answer received events while the bot closes. */
const closingMs = 2_000;
const lastWriteMs = 500;
/** Time to ask Discord for the application's id at the start. */
const whoWeAreMs = 2_000;

export interface DiscordBotDeps {
  readonly token: string;
  /** The base of Discord's REST, including `/api`; the gateway's address comes from it. */
  readonly apiRoot: string;
  /** Asked of Discord when absent. */
  readonly applicationId?: string;
  readonly accept: Accept;
  readonly noteReach: NoteReach;
  /** @param bot `discord:<id>` */
  readonly watchOf: (bot: string) => PlatformWatch;
  readonly commands: readonly CommandSpec[];
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly settings: {
    /** Asks for the privileged message content intent. */
    readonly messageContent: boolean;
    /** How many connections share the bot's servers. */
    readonly shards: number | "auto";
    /** Questions that name the bot in a channel are answered in a thread of their own. */
    readonly autoThread?: boolean;
    /** Shown below the bot's name. */
    readonly presence?: string;
    /** People may install it for themselves, and use it where it is not. */
    readonly userInstall?: boolean;
  };
  /**
   * Whether a person may talk to the bot there. @throws when the store can't be
   * reached.
   */
  readonly mayAsk: (person: Person, where: Whereabouts) => Promise<boolean>;
  /** Whether a chat has taken an event. @throws when the store cannot be reached. */
  readonly hasSeen: (chat: ChatAddress, eventId: string) => Promise<boolean>;
  readonly completion: Completion;
  readonly registration: Registration;
  /** Milliseconds since the epoch, by the clock that all processes share. */
  readonly now: () => number;
  readonly leases: Leases;
  readonly memory: GatewayMemory;
  readonly userInstalls: UserInstalls;
  /** Milliseconds after which a process that finds every shard taken reports ready anyway. */
  readonly standByAfterMs?: number;
  /** Milliseconds that requests in flight get after the end was announced. */
  readonly sendingGraceMs?: number;
  /** Events that may wait for the store. */
  readonly holdAtMost?: number;
}

/**
 * The Discord bot: `created → started → closed`. The sender works from the beginning, the ears from
 * `start` on, for those shards that no other process listens to.
 * @throws PermanentError when the token cannot be one.
 */
export function createDiscordBot(deps: DiscordBotDeps): Bot {
  const { token, apiRoot, memory, log } = deps;
  const botId = botIdOf(token);
  const closing = new AbortController();
  const signal = AbortSignal.any([deps.signal, closing.signal]);
  const commandIds = new Map<string, string>();
  const connection = createRest({
    token,
    apiRoot,
    commandIds,
    ...(deps.sendingGraceMs === undefined ? {} : { graceMs: deps.sendingGraceMs }),
  });
  deps.signal.addEventListener("abort", () => connection.announceEnd(), {
    once: true,
    signal: closing.signal,
  });
  const { rest } = connection;
  const sender = createSender({
    connection,
    log,
    userInstalls: deps.userInstalls,
  });
  const queue = new KeyedQueue();
  const channelLog = new ChannelLog(memory, log);
  const { handle, catchUp } = createEars(deps, {
    botId,
    rest,
    queue,
    channelLog,
    signal,
    say: sayUntilAccepted({ sender, botId, log, signal }),
  });
  const { standByAfterMs, leases } = deps;
  const gateway = new Gateway({
    token,
    apiRoot,
    botId,
    leases,
    memory,
    handle,
    watch: deps.watchOf(`discord:${botId}`),
    log,
    signal,
    ...deps.settings,
    ...(standByAfterMs === undefined ? {} : { standByAfterMs }),
    catchUp: (gap) => catchUp.search(gap),
  });
  // Earlier than its disposal, which follows the last deliveries: other processes may receive at
  // once.
  deps.signal.addEventListener("abort", () => void gateway[Symbol.asyncDispose](), {
    once: true,
    signal: closing.signal,
  });
  // Applications of today have their bot's id.
  let application = { id: deps.applicationId ?? botId, name: `Discord bot ${botId}` };
  let isKnown = deps.applicationId !== undefined;
  const learnWhoWeAre = async (): Promise<void> => {
    application = await askWhoWeAre(rest);
    isKnown = true;
  };
  return {
    id: `discord:${botId}`,
    sender,
    get profile() {
      return { name: application.name, url: inviteLink(application.id) };
    },
    async start() {
      await gateway.connect();
      // If it fails, the registration asks again.
      await atMost(learnWhoWeAre(), whoWeAreMs).catch(() => undefined);
      // Behind it: of a token that is refused it is said once.
      queue.start("registration", () =>
        registerCommands({
          ...deps,
          ...(isKnown ? { applicationId: application.id } : {}),
          rest,
          commandIds,
          signal,
          userInstall: deps.settings.userInstall === true,
        }),
      );
    },
    ended: new Promise(() => undefined),
    async [Symbol.asyncDispose]() {
      const deadlineMs = performance.now() + closingMs;
      connection.announceEnd();
      await gateway[Symbol.asyncDispose]();
      await atMost(queue.idle(), Math.max(0, deadlineMs - performance.now()));
      closing.abort();
      await atMost(channelLog.write(), lastWriteMs);
      await connection.end();
      connection[Symbol.dispose]();
    },
  };
}

/** Handles the events that the gateway delivers. */
function createEars(
  deps: DiscordBotDeps,
  parts: {
    readonly botId: string;
    readonly rest: ReturnType<typeof createRest>["rest"];
    readonly queue: KeyedQueue;
    readonly channelLog: ChannelLog;
    readonly say: ReceiveDeps["say"];
    readonly signal: AbortSignal;
  },
) {
  const { accept, noteReach, memory, log, holdAtMost, apiRoot, completion, now } = deps;
  const { botId, rest, queue, channelLog, say, signal } = parts;
  const channels = new Channels();
  const ownRoles = new OwnRoles({ botId, rest, log });
  const commands = byName(deps.commands);
  const receiving = {
    botId,
    accept,
    now,
    queue,
    log,
    signal,
    say,
    commands,
    fetchFile: createFiles({ apiRoot, signal }),
    held: new Held(log, holdAtMost),
    handled: (...what: Parameters<ChannelLog["handled"]>) => channelLog.handled(...what),
  };
  const places = new Places({ known: (id) => channels.get(id), rest });
  const { fetchFile } = receiving;
  const references = new References({ rest, places, botId, fetchFile, log });
  const messages = messageReceiver({
    ...receiving,
    places,
    references,
    threads: deps.settings.autoThread
      ? new AutoThreads({
          rest,
          botId,
          commands,
          isKnown: (id) => channels.get(id) !== undefined,
          mayAsk: deps.mayAsk,
          hasSeen: deps.hasSeen,
          log,
        })
      : undefined,
    ownWords: new OwnWords(),
    mark: reactionTo({ rest, log }),
    ownRoles,
    chatter: new Held(log, holdAtMost),
    before: (channelId) => catchUp.before(channelId),
  });
  const takeMissed = (payload: unknown) => messages.takeMissed(payload);
  const catchUp = new CatchUp({
    rest,
    memory,
    takeMissed,
    now,
    log,
    signal,
  });
  const receiveInteraction = interactionReceiver({
    ...receiving,
    rest,
    completion,
    references,
    userInstalls: deps.userInstalls,
    hasOlder: (channelId) => messages.hasOlder(channelId),
  });
  const joins = new Joins({ ...receiving, noteReach });
  const leaves = new Leaves({ ...receiving, channels, noteReach });
  const handle = (event: GatewayDispatchPayload): Promise<boolean> | undefined => {
    switch (event.t) {
      case GatewayDispatchEvents.MessageCreate:
        return messages.take(event.d);
      case GatewayDispatchEvents.MessageUpdate:
        return messages.takeEdit(event.d);
      case GatewayDispatchEvents.InteractionCreate:
        return receiveInteraction(event.d);
      default:
        channels.learn(event);
        ownRoles.learn(event);
        return joins.take(event) ?? leaves.take(event);
    }
  };
  return { handle, catchUp };
}
