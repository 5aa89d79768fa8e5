import { z } from "zod";
import type { CardFields } from "../card-source.ts";
import { defined } from "../defined.ts";
import type { Catalog } from "./catalog.ts";
import { nothingKnown } from "./catalog.ts";
import { listedCard, listing } from "./listing.ts";

const tokens = z.number().int().positive().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

/** `GET /models`: vLLM, OpenRouter and most others put more into it than OpenAI does. */
export const openAiCatalog: Catalog = async ({ ask, baseUrl, model }) => {
  const entry = listing(await ask(`${baseUrl}/models`)).find(({ id }) => id === model);
  return entry === undefined ? nothingKnown : { card: listedCard(entry), final: true };
};

const lmStudioList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** `llm`, `vlm` or `embeddings`. */
      type: z.string().optional().catch(undefined),
      state: z.string().optional().catch(undefined),
      max_context_length: tokens,
      loaded_context_length: tokens,
      /** Since 0.3.16. */
      capabilities: z.array(z.string()).optional().catch(undefined),
    }),
  ),
});

/** A model is loaded by its first request, as a rule with far less than it knows. */
const unloadedContextWindow = 4096;

/**
 * LM Studio's own API, next to the one it shares with OpenAI. A model that
 * isn't loaded is looked up again.
 */
export const lmStudioCatalog: Catalog = async ({ ask, baseUrl, model }) => {
  const parsed = lmStudioList.safeParse(await ask(`${rootOf(baseUrl)}/api/v0/models`));
  const entry = parsed.data?.data.find(({ id }) => id === model);
  if (entry === undefined) return nothingKnown;
  const { type, max_context_length: known = Infinity } = entry;
  const loaded = entry.loaded_context_length;
  const card = defined({
    tools: entry.capabilities?.includes("tool_use"),
    vision: type === undefined ? undefined : type === "vlm",
    embeddings: type === undefined ? undefined : type === "embeddings",
    contextWindow: loaded ?? Math.min(known, unloadedContextWindow),
  });
  return { card, final: loaded !== undefined };
};

const llamaCppProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }).optional().catch(undefined),
  modalities: z.object({ vision: flag }).optional().catch(undefined),
  chat_template: z.string().optional().catch(undefined),
});

/**
 * llama.cpp's `/props` reports the window of a slot, `/models` at least the window of the training.
 */
export const llamaCppCatalog: Catalog = async ({ ask, baseUrl, model }) => {
  const list = listing(await ask(`${baseUrl}/models`));
  // It serves its one model under any name.
  const entry = list.find(({ id }) => id === model) ?? (list.length === 1 ? list[0] : undefined);
  const props = llamaCppProps.safeParse(await ask(`${rootOf(baseUrl)}/props`)).data;
  const told: CardFields = defined({
    contextWindow: props?.default_generation_settings?.n_ctx,
    vision: props?.modalities?.vision,
    thinking: props?.chat_template?.includes("enable_thinking"),
  });
  return {
    card: { ...(entry === undefined ? {} : listedCard(entry)), ...told },
    final: true,
  };
};

const anthropicModel = z.object({
  max_input_tokens: tokens,
  capabilities: z
    .object({
      image_input: z.object({ supported: flag }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Anthropic's own Models API, which knows no Bearer key. */
export const anthropicCatalog: Catalog = async (context) => {
  const { ask, baseUrl, apiKey, model } = context;
  const told = anthropicModel.safeParse(
    await ask(`${baseUrl}/models/${encodeURIComponent(model)}`, {
      authorization: null,
      "x-api-key": apiKey,
      "anthropic-version": "2023-06-01",
    }),
  ).data;
  const card = defined({
    contextWindow: told?.max_input_tokens,
    vision: told?.capabilities?.image_input?.supported,
  });
  return { card, final: true };
};

const googleModel = z.object({ inputTokenLimit: tokens, thinking: flag });

/** Gemini's own API, one step above its compatible one. */
export const googleCatalog: Catalog = async (context) => {
  const { ask, baseUrl, apiKey, model } = context;
  const root = baseUrl.replace(/\/openai$/, "");
  const name = encodeURIComponent(model.replace(/^models\//, ""));
  const told = googleModel.safeParse(
    await ask(`${root}/models/${name}`, {
      authorization: null,
      "x-goog-api-key": apiKey,
    }),
  ).data;
  const card = defined({
    contextWindow: told?.inputTokenLimit,
    thinking: told?.thinking,
  });
  return { card, final: true };
};

/** The root of a server's own API, next to OpenAI's `/v1`. */
function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, "");
}
