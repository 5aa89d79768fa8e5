import { ollamaMessageProblems } from "./ollama-message-rules.ts";
import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem } from "./problem.ts";
import { toolProblems } from "./tool-rules.ts";

/** `ChatRequest` of ollama 0.6.4. */
const knownParameters = new Set([
  "model",
  "messages",
  "stream",
  "format",
  "keep_alive",
  "tools",
  "think",
  "logprobs",
  "top_logprobs",
  "options",
]);
const integerOptions = new Set(
  "num_ctx num_batch num_gpu main_gpu num_thread num_keep seed num_predict top_k repeat_last_n mirostat".split(
    " ",
  ),
);
const numberOptions = new Set(
  (
    "top_p min_p tfs_z typical_p temperature repeat_penalty presence_penalty frequency_penalty mirostat_tau " +
    "mirostat_eta"
  ).split(" "),
);
const booleanOptions = new Set(
  "numa low_vram f16_kv logits_all vocab_only use_mmap use_mlock embedding_only penalize_newline".split(
    " ",
  ),
);
/** Go's `time.ParseDuration`: a number without a unit is refused ("missing unit in duration"). */
const durationPattern = /^[+-]?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;

/**
 * The rules for `/api/chat`. Ollama itself is lenient: it warns about unknown options, cuts prompts
 * longer than its default context without a word, and lets its templates drop what they don't
 * understand. Each of those is a problem here.
 */
export function ollamaRequestProblems(body: JsonObject): Problem[] {
  return [
    ...ollamaMessageProblems(body["messages"]),
    ...toolProblems(body["tools"]),
    ...optionProblems(body["options"]),
    ...Object.keys(body)
      .filter((key) => !knownParameters.has(key))
      .map((key) => problem(key, `unknown field "${key}"`)),
    ...settingProblems(body),
  ];
}

function settingProblems(body: JsonObject): Problem[] {
  const { keep_alive: keepAlive, think, format } = body;
  const problems: Problem[] = [];
  const keepAliveValid =
    keepAlive === undefined ||
    typeof keepAlive === "number" ||
    (typeof keepAlive === "string" && durationPattern.test(keepAlive));
  if (!keepAliveValid)
    problems.push(
      problem("keep_alive", `time: missing unit in duration ${JSON.stringify(keepAlive)}`),
    );
  if (
    think !== undefined &&
    typeof think !== "boolean" &&
    !(typeof think === "string" && ["high", "medium", "low"].includes(think))
  )
    problems.push(
      problem(
        "think",
        `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", true, or false)`,
      ),
    );
  if (format !== undefined && format !== "json" && !isObject(format))
    problems.push(
      problem(
        "format",
        `invalid format: ${JSON.stringify(format)}; expected "json" or a valid JSON Schema object`,
      ),
    );
  return problems;
}

function optionProblems(options: unknown): Problem[] {
  if (!isObject(options) || options["num_ctx"] === undefined) {
    return [
      problem(
        "options.num_ctx",
        "options.num_ctx is missing: the model would run at its default context of 4096 and cut longer prompts silently",
      ),
    ];
  }
  return Object.entries(options).flatMap(([name, value]) => {
    if (integerOptions.has(name))
      return Number.isInteger(value) && (name !== "num_ctx" || Number(value) > 0)
        ? []
        : [problem(`options.${name}`, `option "${name}" must be of type integer`)];
    if (numberOptions.has(name))
      return typeof value === "number"
        ? []
        : [problem(`options.${name}`, `option "${name}" must be of type float32`)];
    if (booleanOptions.has(name))
      return typeof value === "boolean"
        ? []
        : [problem(`options.${name}`, `option "${name}" must be of type boolean`)];
    if (name === "stop")
      return Array.isArray(value) && value.every((item) => typeof item === "string")
        ? []
        : [problem("options.stop", `option "stop" must be of an array of strings`)];
    return [problem(`options.${name}`, `invalid option provided: "${name}"`)];
  });
}
