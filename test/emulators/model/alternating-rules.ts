import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem } from "./problem.ts";

/**
 * What the chat templates of Mistral, Devstral and Gemma refuse in `messages`, in Devstral's words:
 * calls and their results aside, people and the assistant take turns, and a person begins.
 */
export function alternatingProblems(messages: readonly unknown[]): Problem[] {
  const spoken = messages.filter(isObject).filter(countsAsTurn);
  const wrong = spoken.findIndex(
    ({ role }, index) => role !== (index % 2 === 0 ? "user" : "assistant"),
  );
  return wrong < 0
    ? []
    : [
        problem(
          "messages",
          "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
        ),
      ];
}

const countsAsTurn = ({ role, tool_calls: calls }: JsonObject): boolean =>
  role === "user" || (role === "assistant" && !(Array.isArray(calls) && calls.length > 0));
