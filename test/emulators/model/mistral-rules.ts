import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem } from "./problem.ts";

/**
 * What Mistral refuses in `messages` beside OpenAI's own rules, in its words (its error codes 3230
 * and 3280).
 */
export function mistralProblems(messages: readonly unknown[]): Problem[] {
  const known = messages.filter(isObject);
  return known.flatMap((message, index) => [
    ...idsOf(message)
      .filter((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id)))
      .map((id) =>
        problem(
          `messages[${index}]`,
          `Tool call id was ${String(id)} but must be a-z, A-Z, 0-9, with a length of 9.`,
        ),
      ),
    ...(message["role"] === "user" && known[index - 1]?.["role"] === "tool"
      ? [problem(`messages[${index}]`, "Unexpected role 'user' after role 'tool'")]
      : []),
  ]);
}

function idsOf(message: JsonObject): unknown[] {
  const { tool_calls: calls, tool_call_id: id } = message;
  return [
    ...(id === undefined ? [] : [id]),
    ...(Array.isArray(calls) ? calls.filter(isObject).map((call) => call["id"]) : []),
  ];
}
