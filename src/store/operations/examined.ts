import { z } from "zod";
import { findingStatuses, type Finding } from "../../core/finding.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";

const keptMs = 7 * 86_400_000;
const key = configKey("examined");

const findingSchema = z.object({
  id: z.string(),
  status: z.enum(findingStatuses),
  what: z.string(),
  why: z.string().optional(),
  fix: z.string().optional(),
});

const examinedSchema = z.object({
  v: z.literal(2),
  /** By Redis' clock. */
  atMs: z.number(),
  /** In each language, by its code. */
  findings: z.record(z.string(), z.array(findingSchema)),
});
type Examined = Readonly<z.infer<typeof examinedSchema>>;

/** What the last examination of the deployment has found: it takes seconds, and is read in one. */
export interface ExaminedStore {
  note(findings: Readonly<Record<string, readonly Finding[]>>): Promise<void>;
  /** Undefined: there was none in the last week, or one of another version. */
  read(): Promise<Examined | undefined>;
}

export function createExamined({ redis, clock }: Pick<Store, "redis" | "clock">): ExaminedStore {
  return {
    async note(findings) {
      const json = JSON.stringify({ v: 2, atMs: clock.now(), findings });
      await redis.set(key, json, "PX", keptMs);
    },
    async read() {
      return readable(examinedSchema, await redis.get(key));
    },
  };
}
