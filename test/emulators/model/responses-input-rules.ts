import type { JsonObject, Problem } from "./problem.ts";
import { isBase64, isObject, parseJson, problem } from "./problem.ts";
import { inputItems } from "./responses-input.ts";
import { toolNamePattern } from "./tool-rules.ts";

const roles = ["assistant", "system", "developer", "user"];
/** "Expected a string with maximum length 64". */
const callIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The rules for `input`, from OpenAI's API reference and its error messages. */
export function inputProblems(body: JsonObject): Problem[] {
  const { input } = body;
  if (input === undefined)
    return [problem("input", "Missing required parameter: 'input'.", "missing_required_parameter")];
  if (typeof input !== "string" && !Array.isArray(input))
    return [problem("input", "Invalid type for 'input'.", "invalid_type")];
  if (input.length === 0)
    return [problem("input", "Invalid 'input': it must not be empty.", "empty_array")];
  const items = inputItems(body);
  const shapes = items.flatMap((item, index) => itemProblems(item, `input[${index}]`));
  const last = items.at(-1);
  return [
    ...shapes,
    ...pairingProblems(items),
    ...(last?.["role"] === "assistant"
      ? [problem("input", "The last item must not be the assistant's.")]
      : []),
  ];
}

function itemProblems(item: JsonObject, path: string): Problem[] {
  // Items of a response that was not stored cannot be found again by their ids.
  const known =
    item["id"] === undefined
      ? []
      : [
          problem(
            `${path}.id`,
            `Item with id ${JSON.stringify(item["id"])} not found. Items are not persisted when 'store' is set to false.`,
          ),
        ];
  switch (item["type"]) {
    case undefined:
    case "message":
      return [...known, ...messageProblems(item, path)];
    case "function_call":
      return [...known, ...callProblems(item, path)];
    case "function_call_output":
      return [
        ...known,
        ...callIdProblems(item, path),
        ...(typeof item["output"] === "string" ? [] : [missing(`${path}.output`)]),
      ];
    default:
      return [
        problem(`${path}.type`, `Invalid value: '${String(item["type"])}'.`, "invalid_value"),
      ];
  }
}

function messageProblems(item: JsonObject, path: string): Problem[] {
  const { role, content } = item;
  const problems: Problem[] = [];
  if (typeof role !== "string" || !roles.includes(role))
    problems.push(
      problem(
        `${path}.role`,
        `Invalid value: '${String(role)}'. Supported values are: ${roles.map((each) => `'${each}'`).join(", ")}.`,
        "invalid_value",
      ),
    );
  if (typeof content === "string") {
    if (content === "" && role === "assistant")
      problems.push(problem(`${path}.content`, "An assistant message must not be empty."));
    return problems;
  }
  if (!Array.isArray(content) || content.length === 0)
    return [...problems, missing(`${path}.content`)];
  return [
    ...problems,
    ...content.flatMap((part, index) => partProblems(part, `${path}.content[${index}]`, role)),
  ];
}

function partProblems(part: unknown, path: string, role: unknown): Problem[] {
  const type = isObject(part) ? part["type"] : undefined;
  const allowed =
    role === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
  if (!isObject(part) || typeof type !== "string" || !allowed.includes(type))
    return [
      problem(
        path,
        `Invalid value: '${String(type)}'. Supported values are: ${allowed.map((each) => `'${each}'`).join(", ")}.`,
        "invalid_value",
      ),
    ];
  if (type === "input_image") return imageProblems(part, path);
  return typeof part["text"] === "string" ? [] : [missing(`${path}.text`)];
}

function imageProblems(part: JsonObject, path: string): Problem[] {
  const url = part["image_url"];
  const data =
    typeof url === "string" ? /^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/s.exec(url) : null;
  const valid =
    data === null
      ? typeof url === "string" && /^https?:\/\/\S+$/.test(url)
      : isBase64(data[1] ?? "");
  return valid
    ? []
    : [
        problem(
          `${path}.image_url`,
          `Invalid '${path}.image_url'. Expected a valid URL, but got a value with an invalid format.`,
          "invalid_value",
        ),
      ];
}

function callProblems(item: JsonObject, path: string): Problem[] {
  const problems = callIdProblems(item, path);
  const { name, arguments: text } = item;
  if (typeof name !== "string" || !toolNamePattern.test(name))
    problems.push(
      problem(
        `${path}.name`,
        `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        "invalid_value",
      ),
    );
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  if (parsed === undefined || !parsed.ok || !isObject(parsed.value))
    problems.push(
      problem(
        `${path}.arguments`,
        `Invalid '${path}.arguments': expected a string holding a JSON object.`,
        "invalid_value",
      ),
    );
  return problems;
}

function callIdProblems(item: JsonObject, path: string): Problem[] {
  const id = item["call_id"];
  return typeof id === "string" && callIdPattern.test(id) ? [] : [missing(`${path}.call_id`)];
}

/**
 * Every call has its output behind it, once; no output is without its call; no id is used twice.
 */
function pairingProblems(items: readonly JsonObject[]): Problem[] {
  const problems: Problem[] = [];
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    const id = String(item["call_id"]);
    if (item["type"] === "function_call") {
      if (calls.has(id))
        problems.push(problem("input", `Duplicate function call with call_id ${id} in the input.`));
      calls.add(id);
    } else if (item["type"] === "function_call_output") {
      if (!calls.has(id))
        problems.push(
          problem("input", `No tool call found for function call output with call_id ${id}.`),
        );
      else if (answered.has(id))
        problems.push(
          problem("input", `Duplicate function call output for call_id ${id} in the input.`),
        );
      answered.add(id);
    }
  }
  for (const id of calls)
    if (!answered.has(id))
      problems.push(problem("input", `No tool output found for function call ${id}.`));
  return problems;
}

export function missing(path: string): Problem {
  return problem(path, `Missing required parameter: '${path}'.`, "missing_required_parameter");
}
