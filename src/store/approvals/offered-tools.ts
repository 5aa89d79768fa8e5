import { z } from "zod";
import { effects, type OfferedTool } from "../../core/tool.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

const storedTools = z.object({
  v: z.literal(1),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      asks: z.enum(["never", "sometimes", "always"]),
      effect: z.enum(effects).optional(),
    }),
  ),
});

/**
 * The tools that workers offer, for processes that run no tools but describe
 * them to people.
 */
export interface OfferedTools {
  /** The last report of a worker; empty if there is none. */
  read(): Promise<readonly OfferedTool[]>;
  write(tools: readonly OfferedTool[]): Promise<void>;
}

export function createOfferedTools({ redis }: Pick<Store, "redis">): OfferedTools {
  const key = configKey("tools");
  return {
    async read() {
      const json = await redis.get(key);
      return json === null ? [] : parseStored(storedTools, key, json).tools;
    },
    async write(tools) {
      await redis.set(key, JSON.stringify({ v: 1, tools }));
    },
  };
}
