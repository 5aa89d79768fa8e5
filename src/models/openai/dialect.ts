import type { CardFields } from "../card-source.ts";
import type { Catalog } from "./catalog.ts";
import {
  anthropicCatalog,
  googleCatalog,
  llamaCppCatalog,
  lmStudioCatalog,
  openAiCatalog,
} from "./catalogs.ts";

export type PresetName =
  | "lmstudio"
  | "llamacpp"
  | "vllm"
  | "openrouter"
  | "anthropic"
  | "mistral"
  | "google"
  | "deepseek"
  | "moonshot";

/**
 * Fields that providers want back with an answer: OpenRouter's `reasoning_details`, Copilot's
 * `reasoning_opaque`, LiteLLM's `thinking_blocks`, and signatures of Gemini's texts.
 */
export const answerExtras = [
  "reasoning_details",
  "reasoning_opaque",
  "thinking_blocks",
  "extra_content",
  "provider_specific_fields",
];
/** With a call: Google's and hebo's `extra_content`, LiteLLM's `provider_specific_fields`, and bare signatures. */
export const callExtras = [
  "extra_content",
  "provider_specific_fields",
  "thought_signature",
  "thoughtSignature",
];

type Fields = Readonly<Record<string, unknown>>;

/** How a server that speaks OpenAI's wire differs from OpenAI. */
export interface Dialect {
  /**
   * `by-model`: an unknown server; well-known OpenAI models get OpenAI's new
   * name.
   */
  readonly outputCap: "max_tokens" | "max_completion_tokens" | "by-model";
  /** False: usage comes without being asked for, or the question is refused. */
  readonly streamOptions: boolean;
  readonly repeatPenalty?: "repeat_penalty" | "repetition_penalty";
  /** Whether chat templates refuse a system message after another one. */
  readonly oneSystemMessage: boolean;
  /**
   * Whether two messages of one side in a row may be refused. `by-model`: by the model's chat
   * template, which models of OpenAI, Anthropic and Google don't have.
   */
  readonly alternates: boolean | "by-model";
  /**
   * The fields that switch thinking on or off in a chat request; none if not
   * configured.
   */
  readonly thinking: (on: boolean) => Fields;
  /**
   * Where an assistant's message carries its thoughts, in a server that wants them back; a blank
   * if there are none.
   */
  readonly reasoningField?: string;
  /** Whether a provider's own fields go back to it with its answers and calls. */
  readonly returnsExtras: boolean;
  /** Added to calls that have no extras of their own. */
  readonly callFields?: Fields;
  /** The server's endpoint for model properties. */
  readonly catalog?: Catalog;
  /** Differences from most models. */
  readonly card: CardFields;
}

/**
 * Local servers run a model with a window that fits their memory, seldom with all that the model
 * knows.
 */
const localContextWindow = 8192;

const nothing = (): Fields => ({});

/** Every reasoning model knows `low`; `minimal` and `none` only some do. */
const lowEffort = (on: boolean): Fields => (on ? {} : { reasoning_effort: "low" });

/**
 * Which of the two a chat template reads depends on the model (Qwen, Gemma: the first; Granite,
 * DeepSeek: the second).
 */
const templateSwitch = (on: boolean): Fields => ({
  chat_template_kwargs: { enable_thinking: on, thinking: on },
});

const compatible: Dialect = {
  outputCap: "by-model",
  streamOptions: true,
  oneSystemMessage: true,
  returnsExtras: true,
  alternates: "by-model",
  thinking: nothing,
  catalog: openAiCatalog,
  card: {},
};

/** OpenAI itself lists nothing but names, so it is not asked. */
const official: Dialect = {
  outputCap: "max_completion_tokens",
  streamOptions: true,
  oneSystemMessage: false,
  returnsExtras: true,
  alternates: false,
  thinking: lowEffort,
  card: {},
};

/**
 * DeepSeek and Moonshot's Kimi refuse an answer with calls that comes back without its thoughts:
 * "Missing `reasoning_content` field in the assistant message".
 */
const wantsThoughts: Dialect = {
  ...compatible,
  outputCap: "max_tokens",
  thinking: (on) => ({ thinking: { type: on ? "enabled" : "disabled" } }),
  reasoningField: "reasoning_content",
  card: { thinking: true },
};

const presets: Readonly<Record<PresetName, Dialect>> = {
  // Takes `json_schema` only: "'response_format.type' must be 'json_schema' or 'text'".
  lmstudio: {
    ...compatible,
    outputCap: "max_tokens",
    repeatPenalty: "repeat_penalty",
    catalog: lmStudioCatalog,
    card: { contextWindow: localContextWindow, jsonMode: false },
  },
  llamacpp: {
    ...compatible,
    outputCap: "max_tokens",
    repeatPenalty: "repeat_penalty",
    thinking: templateSwitch,
    catalog: llamaCppCatalog,
    card: { contextWindow: localContextWindow },
  },
  vllm: {
    ...compatible,
    outputCap: "max_tokens",
    repeatPenalty: "repetition_penalty",
    thinking: templateSwitch,
    card: { contextWindow: localContextWindow },
  },
  // Usage is always in the last chunk; `stream_options` has no effect any more.
  openrouter: {
    ...compatible,
    outputCap: "max_tokens",
    streamOptions: false,
    repeatPenalty: "repetition_penalty",
    thinking: (on) => ({
      reasoning: on ? { enabled: true } : { effort: "none" },
    }),
  },
  // Ignores `response_format` and `reasoning_effort`, and shows no thoughts on this wire.
  anthropic: {
    ...compatible,
    outputCap: "max_tokens",
    alternates: false,
    catalog: anthropicCatalog,
    card: { vision: true, jsonMode: false, contextWindow: 200_000 },
  },
  // Usage comes without being asked for; a field that it does not know is refused ("Extra inputs
  // are not permitted").
  mistral: {
    ...compatible,
    outputCap: "max_tokens",
    alternates: false,
    streamOptions: false,
  },
  deepseek: wantsThoughts,
  moonshot: wantsThoughts,
  // Gemini 3 refuses a call that comes back without its signature. This is the one Google gives for
  // calls of others.
  google: {
    ...compatible,
    outputCap: "max_tokens",
    alternates: false,
    thinking: (on) =>
      on
        ? {
            extra_body: {
              google: { thinking_config: { include_thoughts: true } },
            },
          }
        : lowEffort(false),
    callFields: {
      extra_content: {
        google: { thought_signature: "skip_thought_signature_validator" },
      },
    },
    catalog: googleCatalog,
    card: { vision: true, thinking: true, contextWindow: 1_048_576 },
  },
};

const knownHosts: readonly [host: string, Dialect][] = [
  ["api.openai.com", official],
  ["openrouter.ai", presets.openrouter],
  ["api.anthropic.com", presets.anthropic],
  ["api.deepseek.com", presets.deepseek],
  ["api.moonshot.ai", presets.moonshot],
  ["api.moonshot.cn", presets.moonshot],
  ["api.kimi.com", presets.moonshot],
  ["api.mistral.ai", presets.mistral],
  ["generativelanguage.googleapis.com", presets.google],
];

/** Their vendors take any order of messages, and so does a server that passes requests on to them. */
const tolerantFamily = /(?:^|\/)(?:gpt-|chatgpt-|o\d|claude-|gemini-)/;

/** Whether requests for this model have to alternate. */
export const wantsAlternation = (
  { alternates }: Pick<Dialect, "alternates">,
  model: string,
): boolean => (alternates === "by-model" ? !tolerantFamily.test(model) : alternates);

/** How servers say that they differ from what was presumed of them. */
export const dialectLessons: readonly {
  readonly says: RegExp;
  readonly learn: (said: RegExpExecArray) => Partial<Dialect>;
}[] = [
  // Templates of Mistral and Gemma, Perplexity, Anthropic behind gateways, Mistral's error 3230.
  {
    says: /(?:must|should) alternate|unexpected role '?\w+'? after role/i,
    learn: () => ({ alternates: true }),
  },
  // DeepSeek, Kimi: "Missing `reasoning_content` field", "must be passed back".
  {
    says: /(?:missing|without)\b.{0,40}\b(reasoning_content|reasoning_text)|\b(reasoning_content|reasoning_text)\b.{0,60}(?:missing|required|must be)/is,
    learn: ([, first, second]) => ({ reasoningField: first ?? second ?? "reasoning_content" }),
  },
  {
    says: /system message must be (?:at the beginning|the first)|only one system message/i,
    learn: () => ({ oneSystemMessage: true }),
  },
  {
    says: new RegExp(
      `\\b(?:${[...new Set([...answerExtras, ...callExtras])].join("|")})\\b.{0,60}(?:unsupported|unknown|unrecognized|not (?:supported|permitted|allowed)|extra inputs)`,
      "is",
    ),
    learn: () => ({ returnsExtras: false }),
  },
];

/**
 * The preset's dialect, else that of a vendor known by its address, else what most servers
 * understand.
 */
export function dialectOf(url: string, preset?: PresetName): Dialect {
  if (preset !== undefined) return presets[preset];
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return knownHosts.find(([known]) => known === host)?.[1] ?? compatible;
}
