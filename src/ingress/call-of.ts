import type { CommandCall } from "../commands/command.ts";
import type { InboundCommand, InboundMessage, InboundTap } from "../core/inbound.ts";
import type { Arrived } from "./deps.ts";

/** As commands see an event. */
export async function callOf(
  arrived: Arrived<InboundCommand | InboundMessage | InboundTap>,
): Promise<CommandCall> {
  const { inbound, chat, role, preference, locale, reported } = arrived;
  const { type, id: eventId, ...asked } = inbound;
  return {
    ...asked,
    eventId,
    argument: type === "command" ? inbound.argument.trim() : "",
    chat,
    role,
    chatRole: await arrived.chatRole(),
    preference,
    locale,
    reported,
    ...(arrived.placePersona === undefined ? {} : { placePersona: arrived.placePersona }),
  };
}
