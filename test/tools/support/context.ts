import { chatKey, type ChatKey } from "../../../src/core/chat.ts";
import type { Tool, ToolContext } from "../../../src/core/tool.ts";

export const here = chatKey({ platform: "telegram", bot: "b", chat: "1" });
export const elsewhere = chatKey({ platform: "telegram", bot: "b", chat: "2" });

export const contextIn = (
  chat: ChatKey = here,
  signal: AbortSignal = new AbortController().signal,
): ToolContext => ({
  chat,
  requester: { id: "telegram:1", name: "Ann" },
  idempotencyKey: "k",
  signal,
});

/**
 * The text of a result, from arguments as a model sends them. @throws when they are refused, and
 * what the tool throws
 */
export async function textOf(
  tool: Tool,
  given: object,
  context: ToolContext = contextIn(),
): Promise<string> {
  const { text } = await tool.run(tool.parameters.parse(given), context);
  return text;
}

/** @throws when there is none. */
export function named(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new TypeError(`no tool ${name}`);
  return tool;
}
