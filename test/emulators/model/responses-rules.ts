import type { OpenAiRequestOptions } from "./openai-request-rules.ts";
import { toolChoiceProblems } from "./openai-request-rules.ts";
import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem, surrogateProblems } from "./problem.ts";
import { chatTool, inputItems } from "./responses-input.ts";
import { inputProblems, missing } from "./responses-input-rules.ts";
import { toolProblems } from "./tool-rules.ts";

/** `ResponseCreateParams` of openai 7.55. Anything else: "Unknown parameter". */
const knownParameters = new Set(
  (
    "access_programs background context_management conversation image include input instructions max_output_tokens " +
    "max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key " +
    "prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream " +
    "stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
  ).split(" "),
);
const efforts = new Set<unknown>(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

/**
 * Everything that the Responses API checks before it runs a model, for a conversation whose history
 * is in `input`. Stricter than the vendor where Chat Completions' rules are: arguments must be JSON
 * objects, and someone else must have the last word.
 */
export function responsesRequestProblems(
  body: JsonObject,
  options: Pick<OpenAiRequestOptions, "reasoningModel" | "extraParameters"> = {},
): Problem[] {
  return [
    ...inputProblems(body),
    ...toolShapeProblems(body["tools"]),
    ...toolChoiceProblems({ ...body, ...chatTools(body["tools"]) }),
    ...parameterProblems(body, options),
    ...surrogateProblems(body, "body"),
  ];
}

function chatTools(tools: unknown): JsonObject {
  return Array.isArray(tools) ? { tools: tools.map(chatTool) } : {};
}

const flat = (text: string): string => text.replaceAll("].function.", "].");

/** Chat Completions' rules, with the parameters' names of this wire. */
function toolShapeProblems(tools: unknown): Problem[] {
  if (!Array.isArray(tools)) return toolProblems(tools);
  return [
    ...toolProblems(tools.map(chatTool)).map((each) => ({
      ...each,
      param: each.param === null ? null : flat(each.param),
      message: flat(each.message),
    })),
    ...tools.flatMap((tool, index) =>
      isObject(tool) && typeof tool["name"] !== "string" ? [missing(`tools[${index}].name`)] : [],
    ),
    // The API would make a schema strict by itself, and refuse one with optional fields.
    ...tools.flatMap((tool, index) =>
      isObject(tool) && tool["strict"] !== false && !isStrictSchema(tool)
        ? [
            problem(
              `tools[${index}].parameters`,
              `Invalid schema for function '${String(tool["name"])}': In context=(), 'additionalProperties' is required to be supplied and to be false.`,
              "invalid_function_parameters",
            ),
          ]
        : [],
    ),
  ];
}

function isStrictSchema(tool: JsonObject): boolean {
  const schema = tool["parameters"];
  return isObject(schema) && schema["additionalProperties"] === false;
}

function parameterProblems(
  body: JsonObject,
  options: Pick<OpenAiRequestOptions, "reasoningModel" | "extraParameters">,
): Problem[] {
  const problems = Object.keys(body)
    .filter((key) => !knownParameters.has(key) && options.extraParameters?.includes(key) !== true)
    .map((key) => problem(key, `Unknown parameter: '${key}'.`, "unknown_parameter"));
  const cap = body["max_output_tokens"];
  if (cap !== undefined && !(typeof cap === "number" && cap >= 16))
    problems.push(
      problem(
        "max_output_tokens",
        `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${JSON.stringify(cap)} instead.`,
        "integer_below_min_value",
      ),
    );
  problems.push(...samplingProblems(body, options.reasoningModel === true));
  const format = isObject(body["text"]) ? body["text"]["format"] : undefined;
  if (
    isObject(format) &&
    format["type"] === "json_object" &&
    !/json/i.test(JSON.stringify(inputItems(body)))
  )
    problems.push(
      problem(
        "input",
        "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      ),
    );
  return problems;
}

function samplingProblems(body: JsonObject, reasons: boolean): Problem[] {
  const { temperature, reasoning } = body;
  const problems: Problem[] = [];
  if (temperature !== undefined && reasons)
    problems.push(
      problem(
        "temperature",
        "Unsupported parameter: 'temperature' is not supported with this model.",
      ),
    );
  else if (
    temperature !== undefined &&
    !(typeof temperature === "number" && temperature >= 0 && temperature <= 2)
  )
    problems.push(
      problem(
        "temperature",
        "Invalid 'temperature': expected a number from 0 to 2.",
        "invalid_value",
      ),
    );
  if (reasoning === undefined) return problems;
  const effort = isObject(reasoning) ? reasoning["effort"] : reasoning;
  if (!reasons)
    problems.push(
      problem(
        "reasoning.effort",
        "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
        "unsupported_parameter",
      ),
    );
  else if (effort !== undefined && !efforts.has(effort))
    problems.push(
      problem("reasoning.effort", `Invalid value: '${JSON.stringify(effort)}'.`, "invalid_value"),
    );
  return problems;
}
