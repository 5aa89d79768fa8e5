import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem } from "./problem.ts";

/**
 * What Anthropic's and Google's OpenAI-compatible endpoints refuse in `messages` beside OpenAI's
 * own rules, with the vendors' words for it: they translate into their own APIs, whose rules are
 * stricter.
 */
export function compatibleEndpointProblems(messages: readonly unknown[]): Problem[] {
  const conversation = messages
    .filter(isObject)
    .filter(({ role }) => role !== "system" && role !== "developer");
  const problems = messages.flatMap((message, index) =>
    isObject(message) && message["role"] !== "tool" && isBlankText(message["content"])
      ? [
          problem(
            `messages.[${index}].content`,
            "messages: text content blocks must contain non-whitespace text",
          ),
        ]
      : [],
  );
  const [first] = conversation;
  if (first !== undefined && first["role"] !== "user")
    problems.push(problem("messages", 'messages: first message must use the "user" role'));
  for (const [index, message] of conversation.entries()) {
    const before = conversation[index - 1]?.["role"];
    if (calls(message) && before !== "user" && before !== "tool")
      problems.push(
        problem(
          "messages",
          "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        ),
      );
  }
  return problems;
}

/** A list of parts is refused when none of its texts has words, and nothing but texts is in it. */
function isBlankText(content: unknown): boolean {
  if (typeof content === "string") return content.trim() === "";
  return (
    Array.isArray(content) &&
    content.every(
      (part) => isObject(part) && typeof part["text"] === "string" && part["text"].trim() === "",
    )
  );
}

const calls = ({ role, tool_calls: asked }: JsonObject): boolean =>
  role === "assistant" && Array.isArray(asked) && asked.length > 0;
