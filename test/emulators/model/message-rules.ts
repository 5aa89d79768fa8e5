import { ollamaMessageProblems } from "./ollama-message-rules.ts";
import type { OpenAiMessageOptions } from "./openai-message-rules.ts";
import { openAiMessageProblems } from "./openai-message-rules.ts";
import type { Problem } from "./problem.ts";
import { toolProblems } from "./tool-rules.ts";

/**
 * What OpenAI's Chat Completions (and the servers that copy it) refuse in `messages` and `tools`,
 * as sentences; empty when the request may be sent.
 */
export function validateOpenAiMessages(
  messages: unknown,
  tools?: unknown,
  options: OpenAiMessageOptions = {},
): string[] {
  return sentences([...openAiMessageProblems(messages, options), ...toolProblems(tools)]);
}

/** The same for Ollama's native `/api/chat`. */
export function validateOllamaMessages(messages: unknown, tools?: unknown): string[] {
  return sentences([...ollamaMessageProblems(messages), ...toolProblems(tools)]);
}

export function sentences(problems: readonly Problem[]): string[] {
  return problems.map(({ param, message }) =>
    param === null || message.includes(param) ? message : `${param}: ${message}`,
  );
}
