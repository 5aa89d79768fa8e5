import { setTimeout as sleep } from "node:timers/promises";
import { GatewayDispatchEvents } from "discord.js";
import type { Logger } from "pino";
import { unreachable } from "../../core/errors.ts";
import type { Accept } from "../../core/inbound.ts";
import type { Bot, CommandSpec } from "../../core/ports.ts";
import { Gateway } from "./gateway/gateway.ts";
import { botIdOf } from "./identity.ts";
import { byName } from "./receive/commands.ts";
import { Lanes } from "./receive/lanes.ts";
import { Places } from "./receive/places.ts";
import { interactionReceiver } from "./receive/receive-interaction.ts";
import { messageReceiver } from "./receive/receive-message.ts";
import { registerCommands } from "./register/register-commands.ts";
import type { Registration } from "./register/register-commands.ts";
import { createRest } from "./rest.ts";
import { createSender } from "./send/sender.ts";

/** What has been received may still be accepted and answered while the bot closes. */
const closingMs = 2_000;

export interface DiscordBotDeps {
  readonly token: string;
  /** The base of Discord's REST, including `/api`; the gateway's address comes from it. */
  readonly apiRoot: string;
  /** Known from the gateway when absent. */
  readonly applicationId?: string;
  readonly accept: Accept;
  readonly commands: readonly CommandSpec[];
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly settings: {
    /** Asks for the privileged message content intent. */
    readonly messageContent: boolean;
  };
  readonly registration: Registration;
  /** Milliseconds that requests in flight get after the end was announced. */
  readonly sendingGraceMs?: number;
}

/**
 * The Discord bot: `created → started → closed`. The sender works from the beginning, the ears from `start` on.
 * @throws PermanentError when the token cannot be one.
 */
export function createDiscordBot(deps: DiscordBotDeps): Bot {
  const { token, apiRoot, accept, log, settings, registration } = deps;
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
  const lanes = new Lanes();
  const commands = byName(deps.commands);
  const places = new Places({ known: (id) => gateway.channel(id), rest });
  const receiving = { botId, commands, accept, lanes, log, signal };
  const receiveMessage = messageReceiver({ ...receiving, places });
  const receiveInteraction = interactionReceiver({ ...receiving, rest });
  let registered = false;
  const gateway = new Gateway({
    token,
    apiRoot,
    messageContent: settings.messageContent,
    log,
    signal,
    handlers: {
      ready(id) {
        if (registered) return;
        registered = true;
        const applicationId = deps.applicationId ?? id;
        const given = { applicationId, commands: deps.commands };
        lanes.run("registration", () =>
          registerCommands({ ...given, registration, rest, log, signal }),
        );
      },
      taken(name, payload) {
        switch (name) {
          case GatewayDispatchEvents.MessageCreate:
            return receiveMessage(payload);
          case GatewayDispatchEvents.InteractionCreate:
            return receiveInteraction(payload);
          default:
            return unreachable(name);
        }
      },
    },
  });
  return {
    id: `discord:${botId}`,
    sender: createSender({ connection, log }),
    start: () => gateway.connect(),
    ended: new Promise(() => undefined),
    async [Symbol.asyncDispose]() {
      connection.announceEnd();
      await gateway[Symbol.asyncDispose]();
      const inTime = new AbortController();
      await Promise.race([
        lanes.idle(),
        sleep(closingMs, undefined, { signal: inTime.signal }).catch(
          () => undefined,
        ),
      ]);
      inTime.abort();
      closing.abort();
      await connection.end();
      connection[Symbol.dispose]();
    },
  };
}
