import type { z } from "zod";
import { readable } from "../stored.ts";

/** How long entries are kept. */
export interface Age {
  readonly nowMs: number;
  /** Undefined: never. */
  readonly retentionMs?: number | undefined;
}

/**
 * Of what is stored, what is readable and not too old: one of a newer version, or a broken one, must
 * not block its chat. Pure.
 */
export const readKept = <Kept extends { readonly atMs: number }>(
  schema: z.ZodType<Kept>,
  stored: readonly string[],
  { nowMs, retentionMs = Infinity }: Age,
): readonly Kept[] =>
  stored
    .flatMap((json) => readable(schema, json) ?? [])
    .filter(({ atMs }) => nowMs - atMs <= retentionMs);
