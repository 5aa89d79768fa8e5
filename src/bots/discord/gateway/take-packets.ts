import { GatewayDispatchEvents, SimpleShardingStrategy } from "discord.js";
import type { ClientOptions, GatewayDispatchPayload } from "discord.js";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";

type BuildStrategy = NonNullable<
  NonNullable<ClientOptions["ws"]>["buildStrategy"]
>;

/** The events that are ours alone. */
type TakenEvent =
  GatewayDispatchEvents.MessageCreate | GatewayDispatchEvents.InteractionCreate;

export interface PacketHandlers {
  taken(name: TakenEvent, payload: unknown): void;
  ready(applicationId: string): void;
}

interface PacketDeps {
  readonly handlers: PacketHandlers;
  readonly log: Logger;
  /** Nothing may be connected any more. */
  readonly isClosed: () => boolean;
}

/**
 * Messages and interactions are taken out of the stream before discord.js builds its objects from them; the rest
 * (guilds, channels, threads) goes its usual way. Three reasons: discord.js throws on an interaction without `entitlements`,
 * out of every handler's reach, and the process ends; it holds both back until every guild has arrived; and after a
 * resumed session without READY it would hold them back for ever.
 * What discord.js throws over any other packet is logged.
 *
 * And a client that is destroyed while it waits to reconnect would reconnect all the same: what asks for its session then
 * waits for ever.
 */
export function takePackets(deps: PacketDeps): BuildStrategy {
  const { handlers, log, isClosed } = deps;
  return (manager) => {
    const retrieve = manager.options.retrieveSessionInfo.bind(manager.options);
    manager.options.retrieveSessionInfo = (shard) =>
      isClosed() ? new Promise(() => {}) : retrieve(shard);
    const pass: (...given: readonly never[]) => boolean =
      manager.emit.bind(manager);
    const emit = (event: string, ...given: readonly never[]): boolean => {
      try {
        if (event === "dispatch" && take(given[0], handlers)) return true;
        return pass(event as never, ...given);
      } catch (failure) {
        log.error(
          { event, cause: messageOf(failure) },
          "a packet of Discord's could not be handled",
        );
        return true;
      }
    };
    manager.emit = emit;
    return new SimpleShardingStrategy(manager);
  };
}

/** True: discord.js is not to see it. */
function take(given: unknown, handlers: PacketHandlers): boolean {
  const { data } = given as { data: GatewayDispatchPayload };
  switch (data.t) {
    case GatewayDispatchEvents.Ready:
      handlers.ready(data.d.application.id);
      return false;
    case GatewayDispatchEvents.MessageCreate:
    case GatewayDispatchEvents.InteractionCreate:
      handlers.taken(data.t, data.d);
      return true;
    default:
      return false;
  }
}
