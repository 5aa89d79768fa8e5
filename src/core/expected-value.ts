import { z } from "zod";

/** The values that a setting accepts, to be described in any language. */
export const expectedValueSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("count"),
    min: z.number(),
    max: z.number(),
    orOff: z.boolean(),
  }),
  z.object({
    type: z.literal("decimal"),
    min: z.number(),
    max: z.number(),
    orOff: z.literal(false),
  }),
  /** E.g. `15m`. */
  z.object({ type: z.literal("duration"), orOff: z.boolean() }),
  /** E.g. `5usd`. */
  z.object({ type: z.literal("usd"), orOff: z.boolean() }),
]);
export type ExpectedValue = Readonly<z.infer<typeof expectedValueSchema>>;
