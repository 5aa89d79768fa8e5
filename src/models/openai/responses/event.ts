import { z } from "zod";
import { tokenCountSchema } from "../../usage.ts";

/** An event as servers really send it: what cannot be read is undefined. */
const text = z.string().nullish().catch(undefined);
const count = z.number().nullish().catch(undefined);

const itemSchema = z
  .object({
    type: text,
    id: text,
    call_id: text,
    name: text,
    /** Text; some servers send the whole object. */
    arguments: z.unknown().optional(),
    content: z
      .array(z.object({ type: text, text: text, refusal: text }))
      .nullish()
      .catch(undefined),
    summary: z
      .array(z.object({ text: text }))
      .nullish()
      .catch(undefined),
  })
  .nullish()
  .catch(undefined);
export type Item = NonNullable<z.infer<typeof itemSchema>>;

const errorSchema = z.object({ code: text, type: text, message: text }).nullish().catch(undefined);

export const responseSchema = z.object({
  status: text,
  error: errorSchema,
  incomplete_details: z.object({ reason: text }).nullish().catch(undefined),
  output: z.array(itemSchema).nullish().catch(undefined),
  usage: z
    .object({ input_tokens: tokenCountSchema, output_tokens: tokenCountSchema })
    .nullish()
    .catch(undefined),
});
export type WholeResponse = z.infer<typeof responseSchema>;

export const eventSchema = z.object({
  type: z.string(),
  output_index: count,
  summary_index: count,
  item_id: text,
  call_id: text,
  item: itemSchema,
  delta: text,
  arguments: z.unknown().optional(),
  response: responseSchema.nullish().catch(undefined),
  /** Of `error`: next to the type, or in a nested object. */
  code: text,
  message: text,
  error: errorSchema,
});
export type ResponsesEvent = z.infer<typeof eventSchema>;
