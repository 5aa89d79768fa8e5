import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { readLines } from "./audit-lines.ts";
import { auditStreamKeys } from "./audit.ts";

/** Lines of all chats that are looked at. */
const maxLookedAt = 20_000;

const lineSchema = z.object({
  action: z.string(),
  chat: z.string(),
  target: z.string().default(""),
  outcome: z.string().default(""),
  details: z.record(z.string(), z.string()).default({}),
});
export type ChatAudit = Readonly<z.output<typeof lineSchema>> & { readonly atMs: number };

/** What the audit log has of a chat in a time, the oldest first. Milliseconds since the epoch. */
export async function readAuditOf(
  store: Store,
  chat: ChatKey,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly ChatAudit[]> {
  const found: ChatAudit[] = [];
  let lookedAt = 0;
  for await (const { id, json } of readLines(store, auditStreamKeys, { fromMs, first: "oldest" })) {
    const atMs = Number(id.split("-", 1)[0]);
    lookedAt += 1;
    if (atMs > toMs || lookedAt > maxLookedAt) break;
    if (!json.includes(chat)) continue;
    const line = readable(lineSchema, json);
    if (line?.chat === chat) found.push({ ...line, atMs });
  }
  return found;
}
