import { z } from "zod";
import type { Usage } from "../core/history.ts";

/**
 * Tokens as a server counts them: a whole number that a request could have. Anything else (12.5,
 * -1, 1e21, a text) is no figure. Limits and prices are sums of these, and Redis adds whole numbers
 * only.
 */
export const tokenCountSchema = z.number().int().min(0).max(1e12);

/** Whether both figures are ones that may travel on, whichever model they come from. */
export const isUsage = ({ inputTokens, outputTokens }: Usage): boolean =>
  tokenCountSchema.safeParse(inputTokens).success &&
  tokenCountSchema.safeParse(outputTokens).success;
