import { botOf, chatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { Accept } from "../core/inbound.ts";
import { acceptCommand } from "./command.ts";
import type { AcceptDeps } from "./deps.ts";
import { acceptMessage } from "./message.ts";
import { acceptTap } from "./tap.ts";

/** The door: decides what becomes of everything that arrives. Durable when its promise fulfils. */
export function createAccept(deps: AcceptDeps): Accept {
  return async (inbound) => {
    const profile = await deps.access.profileOf(inbound.person);
    const chat = chatKey(inbound.address);
    if (profile.role === "admin" && inbound.direct) {
      await deps.people.setDirectChat(botOf(chat), inbound.person.id, chat);
    }
    switch (inbound.type) {
      case "message":
        return await acceptMessage(deps, { inbound, chat, ...profile });
      case "command":
        return await acceptCommand(deps, { inbound, chat, ...profile });
      case "tap":
        return await acceptTap(deps, { inbound, chat, ...profile });
      default:
        return unreachable(inbound);
    }
  };
}
