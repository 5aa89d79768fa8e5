import type { OpenAiMessageOptions } from "./openai-message-rules.ts";
import { openAiMessageProblems } from "./openai-message-rules.ts";
import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem } from "./problem.ts";
import { toolNames, toolProblems } from "./tool-rules.ts";

/**
 * `ChatCompletionCreateParams` of openai 7.55. Anything else: "Unrecognized request argument
 * supplied".
 */
const knownParameters = new Set(
  (
    "messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens " +
    "max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key " +
    "prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed " +
    "service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity " +
    "web_search_options"
  ).split(" "),
);

export interface OpenAiRequestOptions extends OpenAiMessageOptions {
  /**
   * What this server knows beside OpenAI's own parameters: `repeat_penalty` of LM Studio, `top_k`
   * of vLLM.
   */
  readonly extraParameters?: readonly string[];
  /** The o-series and gpt-5: no `max_tokens`, no sampling parameters but their defaults. */
  readonly reasoningModel?: boolean;
  /** DeepSeek's own API, whose thoughts must come back. Default false. */
  readonly deepseek?: boolean;
}

/** Everything that Chat Completions checks before it runs a model. */
export function openAiRequestProblems(
  body: JsonObject,
  options: OpenAiRequestOptions = {},
): Problem[] {
  return [
    ...openAiMessageProblems(body["messages"], {
      mistral: /[sx]tral/i.test(String(body["model"])),
      ...options,
    }),
    ...toolProblems(body["tools"]),
    ...toolChoiceProblems(body),
    ...parameterProblems(body, options),
    ...numberProblems(body),
    ...(options.reasoningModel === true ? reasoningProblems(body) : []),
    ...(options.deepseek === true ? missingReasoning(body) : []),
  ];
}

export function toolChoiceProblems(body: JsonObject): Problem[] {
  const { tool_choice: choice, tools } = body;
  const problems: Problem[] = [];
  if (tools === undefined && body["parallel_tool_calls"] !== undefined) {
    problems.push(
      problem(
        "parallel_tool_calls",
        "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
      ),
    );
  }
  if (choice === undefined) return problems;
  if (tools === undefined) {
    problems.push(
      problem(
        "tool_choice",
        "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      ),
    );
    return problems;
  }
  if (choice === "none" || choice === "auto" || choice === "required") return problems;
  if (isObject(choice) && choice["type"] === "allowed_tools") return problems;
  const named =
    isObject(choice) && choice["type"] === "function" && isObject(choice["function"])
      ? choice["function"]["name"]
      : undefined;
  if (typeof named !== "string") {
    problems.push(
      problem(
        "tool_choice",
        `Invalid value: '${JSON.stringify(choice)}'. Supported values are: 'none', 'auto', 'required' and a named function.`,
        "invalid_value",
      ),
    );
  } else if (!toolNames(tools).includes(named)) {
    problems.push(
      problem(
        "tool_choice",
        `Invalid value for 'tool_choice': no function named '${named}' was specified in the 'tools' parameter.`,
      ),
    );
  }
  return problems;
}

function parameterProblems(body: JsonObject, options: OpenAiRequestOptions): Problem[] {
  const problems = Object.keys(body)
    .filter((key) => !knownParameters.has(key) && options.extraParameters?.includes(key) !== true)
    .map((key) => problem(null, `Unrecognized request argument supplied: ${key}`));
  if (body["stream_options"] !== undefined && body["stream"] !== true) {
    problems.push(
      problem(
        "stream_options",
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      ),
    );
  }
  const format = body["response_format"];
  const type = isObject(format) ? format["type"] : undefined;
  if (format !== undefined && type !== "text" && type !== "json_object" && type !== "json_schema") {
    problems.push(
      problem(
        "response_format",
        `Invalid value: '${JSON.stringify(format)}'. Supported types are: 'text', 'json_object', and 'json_schema'.`,
        "invalid_value",
      ),
    );
  }
  if (type === "json_object" && !/json/i.test(JSON.stringify(body["messages"] ?? []))) {
    problems.push(
      problem(
        "messages",
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      ),
    );
  }
  return problems;
}

const ranges: readonly [name: string, from: number, to: number][] = [
  ["temperature", 0, 2],
  ["top_p", 0, 1],
  ["presence_penalty", -2, 2],
  ["frequency_penalty", -2, 2],
  ["max_tokens", 1, Infinity],
  ["max_completion_tokens", 1, Infinity],
  ["n", 1, 128],
];

function numberProblems(body: JsonObject): Problem[] {
  return ranges.flatMap(([name, from, to]) => {
    const value = body[name];
    if (value === undefined || value === null) return [];
    if (typeof value === "number" && value >= from && value <= to) return [];
    return [
      problem(
        name,
        `Invalid '${name}': expected a number from ${from} to ${to}, but got ${JSON.stringify(value)} instead.`,
        "invalid_value",
      ),
    ];
  });
}

function missingReasoning({ messages }: JsonObject): Problem[] {
  return (Array.isArray(messages) ? messages : []).flatMap((message, index) =>
    isObject(message) &&
    message["role"] === "assistant" &&
    typeof message["reasoning_content"] !== "string"
      ? [
          problem(
            null,
            `Missing \`reasoning_content\` field in the assistant message at message index ${index}.`,
            "invalid_request_error",
          ),
        ]
      : [],
  );
}

function reasoningProblems(body: JsonObject): Problem[] {
  const problems: Problem[] = [];
  if (body["max_tokens"] !== undefined) {
    problems.push(
      problem(
        "max_tokens",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "unsupported_parameter",
      ),
    );
  }
  for (const [name, standard] of [
    ["temperature", 1],
    ["top_p", 1],
    ["presence_penalty", 0],
    ["frequency_penalty", 0],
  ] as const) {
    const value = body[name];
    if (value !== undefined && value !== standard) {
      problems.push(
        problem(
          name,
          `Unsupported value: '${name}' does not support ${JSON.stringify(value)} with this model. Only the default (${standard}) value is supported.`,
          "unsupported_value",
        ),
      );
    }
  }
  return problems;
}
