import type { ErasureEntry } from "../../core/history.ts";
import { erasureEntryId, type ErasureJob, type ErasureTarget } from "./erasures.ts";
import { seenTtlMs, serialiseIn, stopChannel, type Inbox } from "../turns/inbox.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/**
 * Appends the erasure order to a chat's inbox, once, after ending all work of the chat, or the
 * person's work in it. False if the inbox is full: it must be tried again.
 */
export async function requestErasure(
  { store, inbox }: { readonly store: Store; readonly inbox: Inbox },
  job: ErasureJob,
  { chat, what }: ErasureTarget,
): Promise<boolean> {
  const entry = entryOf(job, what, store.clock.now());
  if (what === "chat") {
    // A repetition must not end work that began since.
    if (await inbox.hasSeen(chat, entry.id)) return true;
    await inbox.stop(chat);
    return (await inbox.append(chat, entry)) !== "full";
  }
  const keys = chatKeys(chat);
  const { id: personId } = entry.person;
  await store.run(
    "append-erasure",
    [keys.seen, keys.state, keys.inbox, keys.log, keys.wake],
    [entry.id, serialiseIn(entry), personId, JSON.stringify(personId), `in:${chat}`, seenTtlMs],
  );
  await store.redis.publish(stopChannel, chat);
  return true;
}

/**
 * The progress of an erasure order in a chat. `lost`: the order must be appended again, because too
 * much time has passed or Redis has lost it.
 */
export async function progressOf(
  { redis }: Pick<Store, "redis">,
  job: ErasureJob,
  { chat }: ErasureTarget,
): Promise<"waiting" | "erased" | "lost"> {
  const { state, seen, inbox } = chatKeys(chat);
  const id = erasureEntryId(job);
  // Read the inbox first: an entry taken from it since has set `erasedBy`.
  const [waiting, erasedBy, wasPut] = await Promise.all([
    redis.lrange(inbox, 0, -1),
    redis.hget(state, "erasedBy"),
    redis.zscore(seen, id),
  ]);
  const quoted = `"id":${JSON.stringify(id)}`;
  if (waiting.some((each) => each.includes(quoted))) return "waiting";
  return wasPut !== null || erasedBy === id ? "erased" : "lost";
}

const entryOf = (job: ErasureJob, what: ErasureTarget["what"], atMs: number): ErasureEntry => ({
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
