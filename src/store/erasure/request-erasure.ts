import type { ErasureEntry } from "../../core/history.ts";
import {
  erasureEntryId,
  type ErasureJob,
  type ErasureTarget,
} from "./erasures.ts";
import {
  seenTtlMs,
  serialiseIn,
  stopChannel,
  type Inbox,
} from "../turns/inbox.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/**
 * Puts the order to erase into a chat's inbox, once, behind what it ends: all work of the chat, or what the person has under
 * way in it. False when the inbox is full: it must be tried again.
 */
export async function requestErasure(
  { store, inbox }: { readonly store: Store; readonly inbox: Inbox },
  job: ErasureJob,
  { chat, what }: ErasureTarget,
): Promise<boolean> {
  const entry = entryOf(job, what, store.clock.now());
  if (what === "chat") {
    // What has begun since it was put there must not be ended by it.
    if (await inbox.hasSeen(chat, entry.id)) return true;
    await inbox.stop(chat);
    return (await inbox.append(chat, entry)) !== "full";
  }
  const keys = chatKeys(chat);
  const { id: personId } = entry.person;
  await store.run(
    "append-erasure",
    [keys.seen, keys.state, keys.inbox, keys.log, keys.wake],
    [
      entry.id,
      serialiseIn(entry),
      personId,
      JSON.stringify(personId),
      `in:${chat}`,
      seenTtlMs,
    ],
  );
  await store.redis.publish(stopChannel, chat);
  return true;
}

/**
 * How far the owner of the chat is with an order that was put there. `lost`: nothing is known of it any more, since too
 * much time has passed, or Redis has lost it: it has to be put there again.
 */
export async function progressOf(
  { redis }: Pick<Store, "redis">,
  job: ErasureJob,
  { chat }: ErasureTarget,
): Promise<"waiting" | "erased" | "lost"> {
  const { state, seen, inbox } = chatKeys(chat);
  const id = erasureEntryId(job);
  // The inbox first: what is taken out meanwhile has left its mark by then.
  const [waiting, erasedBy, wasPut] = await Promise.all([
    redis.lrange(inbox, 0, -1),
    redis.hget(state, "erasedBy"),
    redis.zscore(seen, id),
  ]);
  const quoted = `"id":${JSON.stringify(id)}`;
  if (waiting.some((each) => each.includes(quoted))) return "waiting";
  return wasPut !== null || erasedBy === id ? "erased" : "lost";
}

const entryOf = (
  job: ErasureJob,
  what: ErasureTarget["what"],
  atMs: number,
): ErasureEntry => ({
  kind: "control",
  v: 2,
  id: erasureEntryId(job),
  control: what === "chat" ? "forget-chat" : "forget-author",
  person: {
    id: job.of.what === "person" ? job.of.personId : "parley:erasure",
    name: "",
  },
  atMs,
});
