import { z } from "zod";
import type { CardFields } from "../card-source.ts";
import { defined } from "../defined.ts";

const tokens = z.number().int().positive().nullish().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const names = z.array(z.string()).nullish().catch(undefined);
/** OpenRouter writes US dollars per token as text; -1 means "it depends". */
const price = z.union([z.string(), z.number()]).transform(Number).pipe(z.number().nonnegative());

/**
 * An entry of `/models`, with servers' additions to OpenAI's `id`. Unreadable fields are undefined.
 */
const entrySchema = z.object({
  id: z.string(),
  /** vLLM. */
  max_model_len: tokens,
  /** OpenRouter, Together. */
  context_length: tokens,
  /** Groq. */
  context_window: tokens,
  /** Mistral. */
  max_context_length: tokens,
  capabilities: z.object({ function_calling: flag, vision: flag }).nullish().catch(undefined),
  /** llama.cpp; `n_ctx` is newer. */
  meta: z.object({ n_ctx: tokens, n_ctx_train: tokens }).nullish().catch(undefined),
  supported_parameters: names,
  architecture: z.object({ input_modalities: names }).nullish().catch(undefined),
  pricing: z.object({ prompt: price, completion: price }).nullish().catch(undefined),
});
export type ListedModel = z.infer<typeof entrySchema>;

/** The readable entries of a list of models. */
export function listing(body: unknown): ListedModel[] {
  const parsed = z.object({ data: z.array(z.unknown()) }).safeParse(body);
  return (parsed.data?.data ?? []).flatMap((entry) => {
    const read = entrySchema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

export function listedCard(entry: ListedModel): CardFields {
  const knows = (...wanted: string[]): boolean | undefined =>
    entry.supported_parameters
      ? wanted.some((name) => entry.supported_parameters?.includes(name))
      : undefined;
  const { pricing } = entry;
  return defined({
    tools: knows("tools") ?? entry.capabilities?.function_calling,
    toolChoiceNone: knows("tool_choice"),
    thinking: knows("reasoning", "include_reasoning"),
    jsonMode: knows("response_format"),
    settableTemperature: knows("temperature"),
    vision: entry.architecture?.input_modalities?.includes("image") ?? entry.capabilities?.vision,
    contextWindow:
      entry.max_model_len ??
      entry.context_length ??
      entry.context_window ??
      entry.max_context_length ??
      entry.meta?.n_ctx ??
      entry.meta?.n_ctx_train ??
      undefined,
    usdPerMillionTokens: pricing
      ? {
          input: perMillion(pricing.prompt),
          output: perMillion(pricing.completion),
        }
      : undefined,
  });
}

/** Without the dust of binary fractions. */
function perMillion(usdPerToken: number): number {
  return Number((usdPerToken * 1_000_000).toPrecision(12));
}
