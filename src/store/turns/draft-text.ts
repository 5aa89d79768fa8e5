import type { ChatKey } from "../../core/chat.ts";
import { answerEntryId, draftSchema } from "../../core/outbox.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";

/** What has been written of a turn's answer, as its chat sees it grow; empty: nothing, or it's over. */
export async function readDraftText(
  { redis }: Pick<Store, "redis">,
  chat: ChatKey,
  turn: number,
): Promise<string> {
  const stored = (await redis.get(chatKeys(chat).draft)) ?? "";
  const [id = ""] = stored.split(" ", 1);
  const whole = answerEntryId({ turn });
  const isItsOwn = id === whole || id.startsWith(`${whole}-`);
  return (isItsOwn && readable(draftSchema, stored.slice(id.length + 1))?.text) || "";
}
