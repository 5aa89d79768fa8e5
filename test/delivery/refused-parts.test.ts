import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { askingEntry, type OutboxEntry } from "../../src/core/outbox.ts";
import type { Undelivered } from "../../src/delivery/deps.ts";
import { shortApprovalId } from "../../src/core/approval.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { listDeadLetters } from "../../src/store/turns/dead-letters.ts";
import { approvalKey, chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { asking, callsOnOneCard } from "../store/asking.ts";
import {
  begun,
  committed,
  leaseMs,
  message,
  newChat,
  storeOn,
  turnStoreOn,
  wakeMembers,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import { answer, deliverAll, deliveryDeps, draftOf, writeDraft } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);

function open(chat: ChatKey = newChat()) {
  const sender = new ScriptedSender();
  const undelivered: Undelivered[] = [];
  const deps = deliveryDeps(outbox, sender, {
    onUndelivered: (each) => {
      undelivered.push(each);
      return Promise.resolve();
    },
  });
  return {
    chat,
    sender,
    undelivered,
    post: (...entries: readonly OutboxEntry[]) =>
      Promise.all(entries.map((entry) => inbox.post(chat, entry))),
    deliver: () => deliverAll(deps, chat),
    ledger: (id: string) => redis.hgetall(`${chatKeys(chat).sentPrefix}${id}`),
  };
}

/** A chat whose turn waits for calls on one card. */
async function asked(count: number) {
  const here = open();
  await inbox.append(here.chat, message("m1"));
  const turn = await begun(turns, here.chat);
  const changes = Array.from({ length: count }, (_, index) => ({
    arguments: `{"path":"file ${index}"}`,
  }));
  const [first, ...others] = callsOnOneCard(turns, here.chat, changes);
  if (first === undefined) throw new Error("no call");
  const all = [first, ...others] as const;
  await committed(turns, turn, {
    ...asking(turn, all),
    outbox: [askingEntry(all, { replyTo: "77" })],
  });
  return { ...here, asked: all, card: `card-${first.id}` };
}

const buttons = [{ label: "Go", data: "x" }];

describe("a part that is refused", () => {
  it("is left out, once, of what follows in the entry, and the ledger says so", async () => {
    const { sender, post, deliver, ledger } = open();
    sender.refuses.add("reply").add("markup");
    await post({ ...answer("turn-1", "one|two|three"), replyTo: "77" });
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["one", "two", "three"]);
    const counts = sender.requests.map(({ text }) => text).join(" ");
    expect(counts).toBe("one one one two two three three");
    expect(await ledger("turn-1")).toMatchObject({
      without: "reply markup:0 markup:1 markup:2",
      done: "3",
    });
  });

  it("of a draft is left out of the draft and of the answer", async () => {
    const { sender, chat, post, deliver } = open();
    sender.refuses.add("reply");
    await writeDraft(redis, chat, { ...draftOf("turn-1", "gro"), replyTo: "77" });
    await deliver();
    await deliver();
    expect(sender.texts).toEqual(["gro"]);
    await writeDraft(redis, chat, undefined);
    await post({ ...answer("turn-1", "grown"), replyTo: "77" });
    await deliver();
    expect(sender.texts).toEqual(["grown"]);
    expect(sender.did).toEqual(["send gro", "send gro", "edit grown"]);
  });

  it("is given up if the rest is refused, too", async () => {
    const { sender, chat, post, deliver, undelivered } = open();
    sender.refuses.add("reply");
    sender.faults.push(undefined, "refused");
    await post({ ...answer("turn-1", "one"), replyTo: "77" });
    await deliver();
    expect(sender.texts).toEqual([]);
    expect(await listDeadLetters(store, chat)).toHaveLength(1);
    expect(undelivered).toMatchObject([{ chat, entry: { id: "turn-1" }, isDoubtful: false }]);
  });

  it("takes a notice's buttons, and says that others can be typed", async () => {
    const { sender, post, deliver } = open();
    sender.refuses.add("buttons");
    await post({ kind: "notice", v: 1, id: "n1", text: "Which?", buttons });
    await deliver();
    expect(sender.texts).toEqual([
      "Which?\n\nI can't show buttons here. /help lists what you can type instead.",
    ]);
  });

  it.each([1, 3])("takes the buttons of a card of %i, which says what to type", async (count) => {
    const { sender, deliver, asked: calls, card, ledger } = await asked(count);
    sender.refuses.add("buttons").add("reply");
    expect(await deliver()).toEqual({ type: "done" });
    const [shown, ...others] = sender.shown;
    expect(others).toEqual([]);
    const id = shortApprovalId(calls[0].id);
    expect(shown?.text).toContain(`\`/approve ${id}\``);
    expect(shown?.text).toContain(`\`/deny ${id}\``);
    expect(shown?.buttons).toEqual([]);
    expect((await ledger(card))["without"]?.split(" ").toSorted()).toEqual(["buttons", "reply"]);
    expect(await redis.hget(approvalKey(calls[0].id), "card")).toBe(shown?.id);
  });
});

describe("where only replies keep a thread together", () => {
  it("every part answers the one before", async () => {
    const { sender, post, deliver } = open();
    sender.threadsByReply = true;
    await post({ ...answer("turn-1", "one|two|three"), replyTo: "77" });
    await deliver();
    const [one, two] = sender.shown.map(({ id }) => id);
    expect(sender.requests.map(({ options }) => options.replyTo)).toEqual(["77", one, two]);
  });

  it("does so after a draft, too, and not elsewhere", async () => {
    const { sender, chat, post, deliver } = open();
    sender.threadsByReply = true;
    await writeDraft(redis, chat, { ...draftOf("turn-1", "one"), replyTo: "77" });
    await deliver();
    await writeDraft(redis, chat, undefined);
    await post({ ...answer("turn-1", "one|two"), replyTo: "77" });
    await deliver();
    expect(sender.requests.at(-1)?.options.replyTo).toBe(sender.shown[0]?.id);
    const other = open();
    await other.post({ ...answer("turn-1", "one|two"), replyTo: "77" });
    await other.deliver();
    expect(other.sender.requests.map(({ options }) => options.replyTo)).toEqual(["77", undefined]);
  });
});

describe("a card that reaches no one", () => {
  it.each([1, 3])("closes its %i calls with the letter, and wakes the turn", async (count) => {
    const { sender, chat, deliver, asked: calls, undelivered } = await asked(count);
    sender.faults.push("refused");
    await deliver();
    const ids = calls.map(({ id }) => id);
    for (const id of ids) {
      expect(await approvals.find(id)).toMatchObject({ status: "expired", reason: "unreached" });
      expect(await redis.pttl(approvalKey(id))).toBeGreaterThan(0);
    }
    expect(undelivered).toMatchObject([{ closed: ids }]);
    expect(await wakeMembers(redis, chat)).toEqual(["in"]);
    expect((await turns.begin(chat)).type).toBe("begun");
  });

  it("is a dead letter with what the platform has against it", async () => {
    const { sender, chat, deliver } = await asked(1);
    sender.reason = "closed";
    sender.faults.push("refused");
    await deliver();
    expect(await listDeadLetters(store, chat)).toMatchObject([
      { why: "refused", reason: "closed", cause: "blocked" },
    ]);
  });

  it("is closed also where only the messages above it were taken", async () => {
    const { sender, deliver, asked: calls } = await asked(1);
    const render = sender.render.bind(sender);
    sender.render = (markdown) => render(`above|${markdown.replaceAll("|", "/")}`);
    sender.faults.push(undefined, "refused");
    await deliver();
    expect(sender.texts).toEqual(["above"]);
    expect(await approvals.find(calls[0].id)).toMatchObject({ status: "expired" });
  });

  it("stays open where it may have arrived, or did before", async () => {
    const unknown = await asked(1);
    unknown.sender.faults.push("lost", "lost", "lost", "lost", "lost");
    for (let tries = 0; tries < 5; tries += 1) {
      await unknown.deliver();
      await redis.hset(chatKeys(unknown.chat).state, "out:notBefore", 1);
    }
    expect(await listDeadLetters(store, unknown.chat)).toMatchObject([{ why: "unknown" }]);
    expect(await approvals.find(unknown.asked[0].id)).toMatchObject({ status: "pending" });
    const shown = await asked(1);
    await shown.deliver();
    await shown.post({ ...askingEntry(shown.asked, {}), id: "again" });
    shown.sender.faults.push("refused");
    await shown.deliver();
    expect(await approvals.find(shown.asked[0].id)).toMatchObject({ status: "pending" });
  });

  it("leaves what was decided as it is", async () => {
    const { sender, deliver, asked: calls } = await asked(1);
    await redis.hset(approvalKey(calls[0].id), "status", "denied", "decidedBy", "Anna");
    sender.faults.push("refused");
    await deliver();
    expect(await approvals.find(calls[0].id)).toMatchObject({
      status: "denied",
      decidedBy: "Anna",
    });
  });
});
