import type { JsonObject, Problem } from "./problem.ts";
import { isBase64, isObject, problem, surrogateProblems } from "./problem.ts";
import { toolNamePattern } from "./tool-rules.ts";

const roles = ["system", "user", "assistant", "tool"];
/** The rules for `messages` of `/api/chat`. */
export function ollamaMessageProblems(messages: unknown): Problem[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    return [problem("messages", "messages: expected a list with at least one message")];
  }
  const rolesInOrder = messages.map((message) => (isObject(message) ? message["role"] : undefined));
  const problems: Problem[] = messages.flatMap((message, index) =>
    oneMessageProblems(message, `messages[${index}]`),
  );
  problems.push(...pairingProblems(messages));
  if (!rolesInOrder.some((role) => role === "user" || role === "tool"))
    problems.push(problem("messages", "messages: no message has role user or tool"));
  if (rolesInOrder.at(-1) === "assistant")
    problems.push(problem("messages", "messages: the last message must not have role assistant"));
  problems.push(...surrogateProblems(messages, "messages"));
  return problems;
}

function oneMessageProblems(message: unknown, path: string): Problem[] {
  if (!isObject(message)) return [problem(path, `${path}: expected an object`)];
  const { role, content, tool_calls: calls, images, thinking } = message;
  const problems: Problem[] = [];
  if (!roles.includes(String(role)))
    problems.push(
      problem(
        `${path}.role`,
        `invalid role: ${String(role)}, role must be one of [${roles.map((name) => `"${name}"`).join(" ")}]`,
      ),
    );
  const hasCalls = Array.isArray(calls) && calls.length > 0;
  const hasThinking = typeof thinking === "string" && thinking !== "";
  if (typeof content !== "string" && !(content === undefined && hasCalls))
    problems.push(
      problem(
        `${path}.content`,
        `json: cannot unmarshal ${Array.isArray(content) ? "array" : String(content)} into Go struct field ChatRequest.messages.content of type string`,
      ),
    );
  if (role === "assistant" && !hasCalls && !hasThinking && content === "")
    problems.push(problem(`${path}.content`, `${path}: an assistant message must not be empty`));
  if (thinking !== undefined && (role !== "assistant" || typeof thinking !== "string"))
    problems.push(problem(`${path}.thinking`, `${path}.thinking: only text, only of an assistant`));
  if (images !== undefined) problems.push(...imageProblems(images, role, path));
  if (calls !== undefined) problems.push(...callProblems(calls, role, path));
  return problems;
}

function imageProblems(images: unknown, role: unknown, path: string): Problem[] {
  if (!Array.isArray(images) || images.length === 0)
    return [problem(`${path}.images`, `${path}.images: expected a list of base64 strings`)];
  if (role !== "user" && role !== "tool")
    return [problem(`${path}.images`, `${path}.images: not allowed in role ${String(role)}`)];
  return images.flatMap((image, index) =>
    typeof image === "string" && isBase64(image)
      ? []
      : [
          problem(
            `${path}.images[${index}]`,
            `illegal base64 data at input byte 0 (${path}.images[${index}])`,
          ),
        ],
  );
}

function callProblems(calls: unknown, role: unknown, path: string): Problem[] {
  if (role !== "assistant" || !Array.isArray(calls) || calls.length === 0)
    return [
      problem(`${path}.tool_calls`, `${path}.tool_calls: a non-empty list, only of an assistant`),
    ];
  return calls.flatMap((call, index) => {
    const callPath = `${path}.tool_calls[${index}]`;
    const called = isObject(call) ? call["function"] : undefined;
    if (!isObject(called)) return [problem(callPath, `${callPath}.function: missing`)];
    const problems: Problem[] = [];
    const name = called["name"];
    if (typeof name !== "string" || !toolNamePattern.test(name))
      problems.push(
        problem(
          `${callPath}.function.name`,
          `${callPath}.function.name: ${JSON.stringify(name) ?? "missing"}`,
        ),
      );
    if (!isObject(called["arguments"]))
      problems.push(
        problem(
          `${callPath}.function.arguments`,
          `json: cannot unmarshal ${typeof called["arguments"]} into Go struct field ToolCallFunction.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments`,
        ),
      );
    return problems;
  });
}

interface OpenCall {
  readonly id: unknown;
  readonly name: unknown;
}

/**
 * Calls have no ids on this wire: results follow at once, one per call, in the calls' order or
 * carrying their names.
 */
function pairingProblems(messages: readonly unknown[]): Problem[] {
  const problems: Problem[] = [];
  let open: OpenCall[] = [];
  let insideAnswers = false;
  const missing = (index: number): void => {
    if (open.length > 0)
      problems.push(
        problem(
          `messages[${index}]`,
          `messages[${index}]: ${open.length} tool call(s) before it have no tool message: ${open.map((call) => String(call.name)).join(", ")}`,
        ),
      );
  };
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    if (message["role"] !== "tool") {
      missing(index);
      open = openCalls(message);
      insideAnswers = open.length > 0;
      continue;
    }
    const found = open.findIndex((call) => answers(message, call));
    if (found >= 0) open.splice(found, 1);
    else
      problems.push(
        problem(
          `messages[${index}]`,
          insideAnswers
            ? `messages[${index}]: tool message (tool_name ${JSON.stringify(message["tool_name"]) ?? "missing"}) answers no open call of the assistant message before it`
            : `messages[${index}]: tool message without a tool call before it`,
        ),
      );
  }
  missing(messages.length);
  return problems;
}

function openCalls(message: JsonObject): OpenCall[] {
  const calls = message["role"] === "assistant" ? message["tool_calls"] : undefined;
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).map((call) => ({
    id: call["id"],
    name: isObject(call["function"]) ? call["function"]["name"] : undefined,
  }));
}

function answers(message: JsonObject, call: OpenCall): boolean {
  const { tool_name: name, tool_call_id: id } = message;
  if (id !== undefined && call.id !== undefined) return id === call.id;
  return name === undefined || name === call.name;
}
