import { z } from "zod";
import { tokenCountSchema } from "../../usage.ts";

/**
 * A chunk as compatible servers really send it: any field may be missing, null or of another type.
 * What cannot be read is undefined, so that one odd field does not cost the answer.
 */
const text = z.string().nullish().catch(undefined);

const thoughtSchema = z.union([
  z.string(),
  z.array(z.object({ text })).transform((parts) => {
    return parts.map((part) => part.text ?? "").join("");
  }),
]);

/**
 * A part of `content`: `text`, Mistral's `thinking`, Databricks' `reasoning` with its `summary`, or
 * something that has no words, such as a reference.
 */
const partSchema = z
  .object({
    type: text,
    text,
    thinking: thoughtSchema.nullish(),
    summary: thoughtSchema.nullish().catch(undefined),
  })
  .catch({});

type Part = z.infer<typeof partSchema>;

/** The words of an answer in their order. */
const contentSchema = z
  .union([z.string().transform((words): Part[] => [{ text: words }]), z.array(partSchema)])
  .nullish()
  .catch(undefined);

const callDeltaSchema = z.looseObject({
  index: z.number().nullish().catch(undefined),
  id: text,
  function: z
    .object({
      name: text,
      /** A piece of text; some servers send the whole object. */
      arguments: z.unknown().optional(),
    })
    .nullish()
    .catch(undefined),
});
export type CallDelta = z.infer<typeof callDeltaSchema>;

const deltaSchema = z
  .looseObject({
    content: contentSchema,
    /** DeepSeek, vLLM, LM Studio. */
    reasoning_content: text,
    /** OpenRouter, Ollama, newer vLLM. */
    reasoning: text,
    refusal: text,
    tool_calls: z.array(callDeltaSchema).nullish().catch(undefined),
    /** The one call of servers that know no `tool_calls` yet. */
    function_call: callDeltaSchema.shape.function,
  })
  .nullish()
  .catch(undefined);

export type Delta = NonNullable<z.infer<typeof deltaSchema>>;

const choiceSchema = z.object({
  index: z.number().nullish().catch(undefined),
  delta: deltaSchema,
  /** In the place of `delta` when the answer comes whole. */
  message: deltaSchema,
  finish_reason: text,
  /** OpenRouter, next to the finish reason `error`. */
  error: z
    .object({
      code: z.union([z.string(), z.number()]).nullish().catch(undefined),
      message: text,
    })
    .nullish()
    .catch(undefined),
});

const usageSchema = z
  .object({
    prompt_tokens: tokenCountSchema,
    completion_tokens: tokenCountSchema,
  })
  .nullish()
  .catch(undefined);

const openAiChunkSchema = z.object({
  choices: z.array(choiceSchema).nullish().catch(undefined),
  usage: usageSchema,
});
export type Chunk = z.infer<typeof openAiChunkSchema>;

/** A chunk of llama.cpp's own API, which old servers send on OpenAI's path, too. */
const nativeChunkSchema = z
  .object({
    choices: z.undefined().optional(),
    content: z.string().optional(),
    stop: z.boolean(),
    stopped_limit: z.boolean().nullish().catch(undefined),
    stop_type: text,
    tokens_evaluated: tokenCountSchema.optional().catch(undefined),
    tokens_predicted: tokenCountSchema.optional().catch(undefined),
  })
  .transform(
    ({ content, stop, tokens_evaluated: input, tokens_predicted: output, ...end }): Chunk => {
      const isLimit = end.stopped_limit === true || end.stop_type === "limit";
      const finish = isLimit ? "length" : "stop";
      const choice = {
        index: 0,
        delta: { content: [{ text: content }] },
        finish_reason: stop ? finish : null,
      };
      const hasUsage = input !== undefined && output !== undefined;
      return {
        choices: [choice],
        usage: hasUsage ? { prompt_tokens: input, completion_tokens: output } : undefined,
      };
    },
  );

export const chunkSchema = z.union([nativeChunkSchema, openAiChunkSchema]);

/**
 * The words of a chunk that holds nothing else, as nearly all of an answer do; undefined: it may hold
 * more, and is for `chunkSchema`, which takes several times as long.
 */
export function plainWords(raw: unknown): string | undefined {
  return plainSchema.safeParse(raw).data?.choices[0].delta.content;
}

/** Nothing that `chunkSchema` knows is left out where another field is there, but not read. */
const plainSchema = z.object({
  choices: z.tuple([
    z.strictObject({
      index: z.literal(0),
      delta: z.strictObject({ role: z.string().optional(), content: z.string() }),
      finish_reason: z.null().optional(),
      logprobs: z.null().optional(),
    }),
  ]),
  usage: z.null().optional(),
});
