import { z } from "zod";
import type { AuditAction } from "../../core/audit.ts";
import type { ChatKey, Person } from "../../core/chat.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { readLines } from "./audit-lines.ts";
import { auditActsKey } from "./audit.ts";

const lineSchema = z.object({
  action: z.string(),
  by: z.object({ id: z.string() }),
  chat: z.string(),
  target: z.string(),
});

interface Act {
  readonly action: AuditAction;
  readonly by: Pick<Person, "id">;
  readonly chat: ChatKey;
  readonly target: string;
}

/**
 * When the audit log has last noted an act, since then; undefined: it hasn't. Reads no attempts,
 * however many there were. Milliseconds since the epoch.
 */
export async function readLastAct(
  store: Store,
  { action, by, chat, target }: Act,
  fromMs: number,
): Promise<number | undefined> {
  for await (const { id, json } of readLines(store, [auditActsKey], { fromMs, first: "newest" })) {
    const line = json.includes(action) ? readable(lineSchema, json) : undefined;
    const isIt = line?.action === action && line.by.id === by.id;
    if (isIt && line.chat === chat && line.target === target) return Number(id.split("-", 1)[0]);
  }
  return undefined;
}
