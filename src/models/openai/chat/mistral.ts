import { createHash } from "node:crypto";
import type OpenAI from "openai";

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/**
 * Mistral, Ministral, Magistral, Codestral, Devstral, Mixtral, Pixtral,
 * Voxtral, on any server.
 */
const family = /[sx]tral/i;

export const isMistral = (model: string): boolean => family.test(model);

/**
 * The same messages by the rules that Mistral's servers and templates add to OpenAI's: a call's id
 * is nine letters or digits (error 3280), and the assistant speaks between a tool and a person
 * (error 3230).
 */
export function toMistral(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, index): Message[] => {
    if (message.role === "tool")
      return [{ ...message, tool_call_id: shortId(message.tool_call_id) }];
    if (message.role === "assistant" && message.tool_calls !== undefined)
      return [
        {
          ...message,
          tool_calls: message.tool_calls.map((call) => ({
            ...call,
            id: shortId(call.id),
          })),
        },
      ];
    return message.role === "user" && messages[index - 1]?.role === "tool"
      ? [{ role: "assistant", content: "OK." }, message]
      : [message];
  });
}

/** Hexadecimal: the same for the same id, so that a provider's cache is found again. */
const shortId = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 9);
