import { alternatingProblems } from "./alternating-rules.ts";
import { compatibleEndpointProblems } from "./compatible-endpoint-rules.ts";
import { mistralProblems } from "./mistral-rules.ts";
import { assistantProblems } from "./openai-assistant-rules.ts";
import { textProblems, userContentProblems } from "./openai-content-rules.ts";
import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem, surrogateProblems } from "./problem.ts";

/** OpenAI's pattern for `messages[n].name`. */
const namePattern = /^[^\s<|\\/>]{1,64}$/;
const roles = ["system", "developer", "user", "assistant", "tool"];

export interface OpenAiMessageOptions {
  /**
   * Many local chat templates (Mistral, Qwen) refuse a system message after the first place; OpenAI
   * itself takes it anywhere. Default false.
   */
  readonly systemOnlyFirst?: boolean;
  /**
   * Whether Anthropic's and Google's compatible endpoints must take the messages too. Default
   * false.
   */
  readonly compatibleEndpoints?: boolean;
  /** Whether Mistral must take the messages too. Default false. */
  readonly mistral?: boolean;
  /** Whether the chat template wants user and assistant to alternate. Default false. */
  readonly alternating?: boolean;
}

/**
 * The rules for `messages` of Chat Completions, from OpenAI's API reference and its error messages.
 * Stricter than the vendor in two places: the last message must not be the assistant's, and
 * arguments must be valid JSON (OpenAI passes broken ones on to the model, compatible servers parse
 * them and answer 400).
 */
export function openAiMessageProblems(
  messages: unknown,
  options: OpenAiMessageOptions = {},
): Problem[] {
  if (messages === undefined) {
    return [
      problem("messages", "Missing required parameter: 'messages'.", "missing_required_parameter"),
    ];
  }
  if (!Array.isArray(messages)) {
    return [
      problem(
        "messages",
        "Invalid type for 'messages': expected an array of objects.",
        "invalid_type",
      ),
    ];
  }
  if (messages.length === 0) {
    return [
      problem(
        "messages",
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        "empty_array",
      ),
    ];
  }
  return [
    ...messages.flatMap((message, index) => oneMessageProblems(message, `messages[${index}]`)),
    ...pairingProblems(messages),
    ...wholeProblems(messages, options),
    ...(options.compatibleEndpoints === true ? compatibleEndpointProblems(messages) : []),
    ...(options.mistral === true ? mistralProblems(messages) : []),
    ...(options.alternating === true ? alternatingProblems(messages) : []),
    ...surrogateProblems(messages, "messages"),
  ];
}

function wholeProblems(messages: readonly unknown[], options: OpenAiMessageOptions): Problem[] {
  const rolesInOrder = messages.map((message) => (isObject(message) ? message["role"] : undefined));
  const problems: Problem[] = [];
  if (!rolesInOrder.some((role) => role === "user" || role === "tool")) {
    problems.push(
      problem(
        "messages",
        "Invalid 'messages': expected at least one message with role 'user' or 'tool'.",
      ),
    );
  }
  if (rolesInOrder.at(-1) === "assistant") {
    problems.push(
      problem(
        `messages.[${messages.length - 1}].role`,
        "Invalid 'messages': the last message must not have role 'assistant'.",
      ),
    );
  }
  if (options.systemOnlyFirst === true) {
    for (const [index, role] of rolesInOrder.entries()) {
      if (index > 0 && (role === "system" || role === "developer")) {
        problems.push(
          problem(`messages.[${index}].role`, "System message must be at the beginning."),
        );
      }
    }
  }
  return problems;
}

/**
 * Every call is answered at once, once, in any order, and nothing is answered that was not asked.
 */
function pairingProblems(messages: readonly unknown[]): Problem[] {
  const problems: Problem[] = [];
  let openIds = new Set<string>();
  let insideAnswers = false;
  const missing = (index: number): void => {
    if (openIds.size === 0) return;
    problems.push(
      problem(
        `messages.[${index}].role`,
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...openIds].join(", ")}`,
      ),
    );
    openIds = new Set();
  };
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    if (message["role"] !== "tool") {
      missing(index);
      openIds = new Set(callIds(message));
      insideAnswers = openIds.size > 0;
      continue;
    }
    const id = message["tool_call_id"];
    if (!insideAnswers) {
      problems.push(
        problem(
          `messages.[${index}].role`,
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        ),
      );
    } else if (typeof id === "string" && !openIds.delete(id)) {
      problems.push(
        problem(
          `messages.[${index}].tool_call_id`,
          `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message, or answered twice.`,
        ),
      );
    }
  }
  missing(messages.length);
  return problems;
}

function callIds(message: JsonObject): string[] {
  const calls = message["role"] === "assistant" ? message["tool_calls"] : [];
  return Array.isArray(calls)
    ? calls.flatMap((call) =>
        isObject(call) && typeof call["id"] === "string" ? [call["id"]] : [],
      )
    : [];
}

function oneMessageProblems(message: unknown, path: string): Problem[] {
  if (!isObject(message)) {
    return [problem(path, `Invalid type for '${path}': expected an object.`, "invalid_type")];
  }
  const name = message["name"];
  const nameProblems =
    name === undefined || (typeof name === "string" && namePattern.test(name))
      ? []
      : [
          problem(
            `${path}.name`,
            `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.`,
            "invalid_value",
          ),
        ];
  switch (message["role"]) {
    case "system":
    case "developer":
      return [...nameProblems, ...textProblems(message["content"], path)];
    case "user":
      return [...nameProblems, ...userContentProblems(message["content"], path)];
    case "assistant":
      return [...nameProblems, ...assistantProblems(message, path)];
    case "tool":
      return [
        ...(typeof message["tool_call_id"] === "string"
          ? []
          : [
              problem(
                `${path}.tool_call_id`,
                `Missing required parameter: '${path}.tool_call_id'.`,
                "missing_required_parameter",
              ),
            ]),
        ...textProblems(message["content"], path),
      ];
    default:
      return [
        problem(
          `${path}.role`,
          `Invalid value: '${String(message["role"])}'. Supported values are: ${roles.map((role) => `'${role}'`).join(", ")}.`,
          "invalid_value",
        ),
      ];
  }
}
