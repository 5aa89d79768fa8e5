import { z } from "zod";
import { chatKey, parseChatKey } from "../core/chat.ts";
import { factScopes, maxFactLength, type FactOwner, type Facts } from "../core/facts.ts";
import { rememberTool as name, type Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";

/**
 * Keeps a fact about a person or a chat. Always asks, unless the person has allowed it for a while;
 * and even then if the fact isn't in that person's own words.
 */
export function rememberTool(facts: Pick<Facts, "keep">): Tool {
  return defineTool({
    name,
    description:
      "Keeps a fact for later conversations, if the person agrees with a tap. Call it at once when a person asks you to remember something, or says something lasting about themselves that will matter again.",
    parameters: z.strictObject({
      fact: z
        .string()
        .trim()
        .min(1)
        .max(maxFactLength)
        .describe("One sentence that can be understood alone, in the person's own words"),
      about: z
        .enum(factScopes)
        .describe(
          "me: about the person who writes; it is seen in their direct chats only. chat: for everyone in this chat",
        ),
      supersedes: z
        .string()
        .regex(/^[0-9a-f]{8}$/)
        .optional()
        .describe("The id of the fact that this one replaces, if it is no longer true"),
    }),
    effect: "keyed",
    confirm: ({ fact }, conversation) =>
      conversation.isOwnWords?.(fact) === true ? true : "each-time",
    history: "action",
    // A person agrees to each.
    repeatable: true,
    run: async ({ fact, about, supersedes }, context) => {
      const { chat, requester, messageId, where, idempotencyKey } = context;
      if (about === "me" && requester.anonymous)
        throw new Error("who writes is hidden here, so nothing can be kept about them");
      const owner: FactOwner =
        about === "me" ? { person: requester.id } : { chat: chatKey(parseChatKey(chat)) };
      const { id, name: who } = requester;
      const kept = await facts.keep(
        owner,
        { text: fact, by: { id, name: who }, chat, messageId, guild: where?.guild, supersedes },
        idempotencyKey,
      );
      if (kept === "full")
        throw new Error("there are as many facts as can be kept: people delete some with /memory");
      if (kept === "unknown")
        throw new Error(`there is no fact ${supersedes}: leave supersedes out, or name another`);
      return { text: "Kept." };
    },
  });
}
