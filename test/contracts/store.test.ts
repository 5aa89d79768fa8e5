import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { readUsage } from "../../src/store/turns/usage.ts";
import { expireLease, notice, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { turnStoreContract } from "./store-contract.ts";

const store = storeOn(await testDatabase());
const inbox = createInbox(store);
const approvals = createApprovalStore(store);
const notes = createNotes(store);
const todos = createTodos(store);

turnStoreContract("Redis", () => ({
  store: turnStoreOn(store),
  async arrive(chat, entry) {
    const ingested = await inbox.append(chat, entry);
    if (ingested !== "accepted") throw new Error(ingested);
  },
  async stop(chat) {
    await inbox.stop(chat);
  },
  async decide(approval, status) {
    const view = await approvals.find(approval.id);
    if (view === undefined) throw new Error("no such approval");
    if (status !== "approved" && status !== "denied") throw new Error(status);
    const decided = await approvals.decide(view, {
      status,
      decidedBy: "Anna",
      told: notice(`told-${approval.id}`),
      toldExpired: notice(`expired-${approval.id}`),
    });
    if (decided.type !== "decided")
      throw new Error("status" in decided ? decided.status : decided.type);
  },
  async set(chat, name, value) {
    await store.redis.hset(chatKeys(chat).settings, name, value);
  },
  note: (chat, note) => notes.write(chat, note, `key of ${note}`),
  todo: (chat, items) => todos.replace(chat, items),
  usage: (chat) => readUsage(store, chat),
  expireLease: (chat) => expireLease(store.redis, chat, "lease"),
  async outbox(chat) {
    const stored = await store.redis.lrange(chatKeys(chat).outbox, 0, -1);
    return stored.map((entry) => entry.split(" ", 1)[0] ?? "");
  },
}));
