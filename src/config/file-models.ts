import { z } from "zod";
import type { TierName } from "../core/model.ts";
import { tierTurnSection } from "./file-turn.ts";
import {
  count,
  decimal,
  durationMs,
  flag,
  httpUrl,
  leaf,
  listOf,
  named,
  oneOf,
  section,
  text,
} from "./leaves.ts";

/** Base URLs of servers that speak OpenAI's wire, from their own documentation. */
export const presets = {
  lmstudio: "http://127.0.0.1:1234/v1",
  llamacpp: "http://127.0.0.1:8080/v1",
  vllm: "http://127.0.0.1:8000/v1",
  openrouter: "https://openrouter.ai/api/v1",
  mistral: "https://api.mistral.ai/v1",
  anthropic: "https://api.anthropic.com/v1",
  deepseek: "https://api.deepseek.com/v1",
  moonshot: "https://api.moonshot.ai/v1",
  google: "https://generativelanguage.googleapis.com/v1beta/openai",
} as const;
export type PresetName = keyof typeof presets;
const presetNames = Object.keys(presets) as PresetName[];

const provider = z.discriminatedUnion(
  "type",
  [
    section({
      type: z.literal("openai"),
      preset: oneOf(...presetNames).optional(),
      baseUrl: httpUrl.optional(),
      apiKey: text.optional(),
      api: oneOf("chat", "responses").default("chat"),
    }),
    section({ type: z.literal("ollama"), host: httpUrl.optional() }),
    section({ type: z.literal("demo") }),
  ],
  { error: () => "expected a mapping with type: openai, ollama or demo" },
);

export const providersSection = named(provider, {
  pattern: /^[A-Za-z0-9_.-]+$/,
  expected: "a provider's name of letters, digits, -, _ and .",
});

export type ModelReference = {
  readonly provider: string;
  /** The vendor's own name; it may hold slashes. */
  readonly model: string;
};

/**
 * Splits at the first slash: `openrouter/meta/llama` is the model `meta/llama` of the provider
 * `openrouter`.
 */
export function parseModelKey(key: string): ModelReference | undefined {
  const slash = key.indexOf("/");
  return slash > 0 && slash < key.length - 1
    ? { provider: key.slice(0, slash), model: key.slice(slash + 1) }
    : undefined;
}

const modelKey = leaf("a model such as openai/gpt-5-mini", (value) => {
  const reference = typeof value === "string" ? parseModelKey(value) : undefined;
  return reference === undefined ? undefined : { value: reference };
});

const tokens = count({ min: 1, max: 100_000_000 });
const price = decimal({ min: 0, max: 1_000_000 });

/** The options that chats may set; the others are about the server's memory. */
export const optionLeaves = {
  temperature: decimal({ min: 0, max: 2 }),
  maxOutputTokens: tokens,
  repeatPenalty: decimal({ min: 0, max: 10 }),
};

const options = {
  temperature: optionLeaves.temperature.optional(),
  maxOutputTokens: optionLeaves.maxOutputTokens.optional(),
  contextWindow: tokens.optional(),
  repeatPenalty: optionLeaves.repeatPenalty.optional(),
  thinking: flag.optional(),
  keepAlive: durationMs.optional(),
};

export const modelsSection = named(
  section({
    ...options,
    tools: flag.optional(),
    vision: flag.optional(),
    toolChoiceNone: flag.optional(),
    streaming: flag.optional(),
    jsonMode: flag.optional(),
    embeddings: flag.optional(),
    settableTemperature: flag.optional(),
    settableKeepAlive: flag.optional(),
    settableContext: flag.optional(),
    usdPerMillionTokens: section({ input: price, output: price }).optional(),
  }),
  {
    pattern: /^[^/]+\/.+$/,
    expected: "a model such as openai/gpt-5-mini",
  },
);

const chain = listOf(modelKey)
  .pipe(z.array(z.custom<ModelReference>()).min(1, "expected at least one model"))
  .optional();

const tierKeys = { models: chain, ...options, json: flag.optional() };

const tier = section({ ...tierKeys, turn: tierTurnSection.optional() });

/** A summary belongs to the turn that needs it, and counts towards that turn's limits. */
const compactionTier = section({
  ...tierKeys,
  turn: leaf<undefined>(
    "no limits here: summaries count towards those of the turn that needs them",
    (value) => (value === undefined ? { value } : undefined),
  ).optional(),
}).transform((given) => {
  const { turn: _, ...others } = given;
  return others;
});

export const tiersSection = section({
  fast: tier.optional(),
  balanced: tier.optional(),
  smart: tier.optional(),
  coding: tier.optional(),
  deep: tier.optional(),
  compaction: compactionTier.optional(),
} satisfies Record<TierName, z.ZodType>);

/** What is remembered beyond the conversation, and how it is found again. */
export const memorySection = section({
  recall: oneOf("auto", "tool", "off").default("auto"),
  embeddings: modelKey.optional(),
  facts: oneOf("ask", "off").default("ask"),
  summaries: flag.default(true),
}).prefault({});

/** Who makes text of voice notes; absent: they are refused. */
export const transcriptionSection = section({
  provider: text,
  model: text.default("whisper-1"),
}).optional();
