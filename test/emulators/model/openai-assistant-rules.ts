import { contentTypeProblem, partProblems } from "./openai-content-rules.ts";
import type { JsonObject, Problem } from "./problem.ts";
import { isObject, parseJson, problem } from "./problem.ts";
import { toolNamePattern } from "./tool-rules.ts";

/** OpenAI's error for longer ids: "Expected a string with maximum length 40". */
const callIdPattern = /^[A-Za-z0-9_-]{1,40}$/;

/** Content, calls, or both. */
export function assistantProblems(message: JsonObject, path: string): Problem[] {
  const calls = message["tool_calls"];
  const content = message["content"];
  const problems: Problem[] = [];
  if (calls !== undefined) problems.push(...callProblems(calls, path));
  const hasCalls = Array.isArray(calls) && calls.length > 0;
  const refusal = message["refusal"];
  if (content === null || content === undefined) {
    if (!hasCalls && typeof refusal !== "string") problems.push(contentTypeProblem(content, path));
  } else if (typeof content === "string") {
    if (content === "" && !hasCalls)
      problems.push(
        problem(
          `${path}.content`,
          `Invalid '${path}.content': an assistant message must not be empty.`,
        ),
      );
  } else if (Array.isArray(content)) {
    problems.push(...partProblems(content, path, ["text", "refusal"]));
  } else {
    problems.push(contentTypeProblem(content, path));
  }
  return problems;
}

function callProblems(calls: unknown, path: string): Problem[] {
  if (!Array.isArray(calls) || calls.length === 0) {
    return [
      problem(
        `${path}.tool_calls`,
        `Invalid '${path}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        "empty_array",
      ),
    ];
  }
  const seen = new Set<unknown>();
  return calls.flatMap((call, index) => {
    const callPath = `${path}.tool_calls[${index}]`;
    const problems = oneCallProblems(call, callPath);
    const id = isObject(call) ? call["id"] : undefined;
    if (id !== undefined && seen.has(id)) {
      problems.push(
        problem(`${callPath}.id`, `Duplicate value for 'tool_call_id' of ${JSON.stringify(id)}.`),
      );
    }
    seen.add(id);
    return problems;
  });
}

function oneCallProblems(call: unknown, path: string): Problem[] {
  if (!isObject(call) || !isObject(call["function"])) {
    return [
      problem(
        `${path}.function`,
        `Missing required parameter: '${path}.function'.`,
        "missing_required_parameter",
      ),
    ];
  }
  const { id, type, function: called } = call;
  const problems: Problem[] = [];
  if (type !== "function")
    problems.push(
      problem(
        `${path}.type`,
        `Missing required parameter: '${path}.type'.`,
        "missing_required_parameter",
      ),
    );
  if (typeof id !== "string" || !callIdPattern.test(id))
    problems.push(
      problem(
        `${path}.id`,
        `Invalid '${path}.id': expected 1 to 40 characters of [A-Za-z0-9_-], but got ${JSON.stringify(id) ?? "nothing"} instead.`,
        typeof id === "string" && id.length > 40 ? "string_above_max_length" : "invalid_value",
      ),
    );
  const name = called["name"];
  if (typeof name !== "string" || !toolNamePattern.test(name))
    problems.push(
      problem(
        `${path}.function.name`,
        `Invalid '${path}.function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$', at most 64 long.`,
        "invalid_value",
      ),
    );
  const text = called["arguments"];
  const parsed = typeof text === "string" ? parseJson(text) : { ok: false, reason: "not a string" };
  if (!parsed.ok || !("value" in parsed) || !isObject(parsed.value))
    problems.push(
      problem(
        `${path}.function.arguments`,
        `Invalid '${path}.function.arguments': expected a string holding a JSON object, but got ${JSON.stringify(text) ?? "nothing"}.`,
        "invalid_value",
      ),
    );
  return problems;
}
