import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** UTF-16 units of one tool's schema; a longer one is not stored. */
const maxSchemaLength = 16_000;
/** Of all of them. */
const maxTotalLength = 1_000_000;

/**
 * The tools' parameter schemas, as a worker has reported them: receiving processes run no tools.
 */
export interface ToolSchemas {
  /** JSON Schema; undefined where none is known. */
  read(tool: string): Promise<unknown>;
  /** All that are stored, as JSON, by the tools' names. */
  readAll(): Promise<ReadonlyMap<string, string>>;
  /** All of them, by the tools' names. */
  write(schemas: ReadonlyMap<string, unknown>): Promise<void>;
}

export function createToolSchemas({ redis }: Pick<Store, "redis">): ToolSchemas {
  const key = configKey("tool-schemas");
  return {
    async read(tool) {
      const json = await redis.hget(key, tool);
      return json === null ? undefined : parsed(json);
    },
    readAll: async () => new Map(Object.entries(await redis.hgetall(key))),
    async write(schemas) {
      const change = redis.multi().del(key);
      let left = maxTotalLength;
      for (const [tool, schema] of schemas) {
        const json = JSON.stringify(schema);
        if (json.length > Math.min(left, maxSchemaLength)) continue;
        left -= json.length;
        change.hset(key, tool, json);
      }
      await change.exec();
    },
  };
}

/** One that cannot be read is as if there were none: the worker checks by its own. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
