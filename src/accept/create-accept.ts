import { botOf, chatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { Accept, Acceptance } from "../core/inbound.ts";
import { isOutOfMemory, unlessOutOfMemory } from "../store/refusals.ts";
import { acceptCommand } from "./command.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { acceptMessage } from "./message.ts";
import { NotKept } from "./not-kept.ts";
import { acceptTap } from "./tap.ts";

/**
 * The door: decides what becomes of everything that arrives. Durable when its promise fulfils; where the store's memory is
 * full, what only reads or goes on is done as ever, and whoever brings something new is told that it is not kept.
 */
export function createAccept(deps: AcceptDeps): Accept {
  const notKept = new NotKept(deps);
  return async (inbound) => {
    const profile = await deps.access.profileOf(inbound.person);
    const chat = chatKey(inbound.address);
    if (profile.role === "admin" && inbound.direct) {
      await deps.people
        .setDirectChat(botOf(chat), inbound.person.id, chat)
        // It is set with what they do next.
        .catch(unlessOutOfMemory(undefined));
    }
    const arrived = { inbound, chat, ...profile };
    try {
      return await decide(deps, arrived);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return await notKept.tell(arrived);
    }
  };
}

async function decide(
  deps: AcceptDeps,
  { inbound, ...known }: Arrived,
): Promise<Acceptance> {
  switch (inbound.type) {
    case "message":
      return await acceptMessage(deps, { inbound, ...known });
    case "command":
      return await acceptCommand(deps, { inbound, ...known });
    case "tap":
      return await acceptTap(deps, { inbound, ...known });
    default:
      return unreachable(inbound);
  }
}
