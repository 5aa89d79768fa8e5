import { describe, expect, it } from "vitest";
import { decideApproval } from "../approvals/decide.ts";
import type { Approval } from "../../src/core/approval.ts";
import { askingEntry, outcomeEntry } from "../../src/core/outbox.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { approvalKey, chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { asking, callsOnOneCard } from "../store/asking.ts";
import {
  anna,
  approvalOf,
  begun,
  committed,
  leaseMs,
  message,
  newChat,
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import { deliverAll, deliveryDeps, letTimePass } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);

const labels = (numbers: readonly number[]) =>
  numbers.flatMap((number) => [`✓ ${number}`, `✗ ${number}`]);

/** A chat whose turn waits for three calls on one card. */
async function asked(more = "") {
  const chat = newChat();
  await inbox.append(chat, message("m1"));
  const turn = await begun(turns, chat);
  const [first, ...others] = callsOnOneCard(
    turns,
    chat,
    [0, 1, 2].map((index) => ({
      arguments: `{"path":"file ${index}${more}"}`,
    })),
  );
  if (first === undefined) throw new Error("three approvals");
  await committed(turns, turn, {
    ...asking(turn, [first, ...others]),
    outbox: [askingEntry([first, ...others], {})],
  });
  const sender = new ScriptedSender();
  const deps = deliveryDeps(outbox, sender);
  return {
    chat,
    asked: [first, ...others],
    sender,
    deliver: () => deliverAll(deps, chat),
  };
}

const decide = async (approval: Approval | undefined, status: "approved" | "denied") => {
  if (approval === undefined) throw new Error("no such approval");
  const outcome = await decideApproval(approvals, {
    approvalId: approval.id,
    status,
    person: anna,
    role: "member",
    chat: approval.chat,
  });
  expect(outcome.type).toBe("decided");
};

describe("a card of several calls", () => {
  it("is one message, which every approval knows, and shows each decision where it stands", async () => {
    const { sender, asked: three, deliver } = await asked();
    await deliver();
    expect(sender.shown).toMatchObject([
      { buttons: ["Approve all", "Deny all", ...labels([1, 2, 3])] },
    ]);
    for (const index of [0, 1, 2]) expect(sender.texts[0]).toContain(`path: file ${index}`);
    for (const { id } of three) expect(await redis.hget(approvalKey(id), "card")).toBe("1");

    await decide(three[1], "denied");
    await deliver();
    expect(sender.shown).toMatchObject([
      { buttons: ["Approve all", "Deny all", ...labels([1, 3])] },
    ]);
    expect(sender.texts[0]).toContain("✗ 2 denied by Anna");

    await decide(three[0], "approved");
    await decide(three[2], "approved");
    await deliver();
    expect(sender.shown).toMatchObject([{ buttons: [] }]);
    expect(sender.texts[0]).toMatch(
      /✓ 1 approved by Anna\n✗ 2 denied by Anna\n✓ 3 approved by Anna/,
    );
  });

  it("is edited once for what was decided at once", async () => {
    const { sender, asked: three, deliver } = await asked();
    await deliver();
    for (const each of three) await decide(each, "approved");
    await deliver();
    expect(sender.did.filter((each) => each.startsWith("edit"))).toHaveLength(1);
    expect(sender.shown[0]?.buttons).toEqual([]);
  });

  it("that is sent when all of it is decided has no buttons", async () => {
    const { sender, asked: three, deliver } = await asked();
    for (const each of three) await decide(each, "denied");
    await deliver();
    expect(sender.shown).toMatchObject([{ buttons: [] }]);
    expect(sender.texts[0]).toContain("✗ 3 denied by Anna");
  });

  it("of several messages is decided by a tap that comes before its id is known", async () => {
    const { chat, sender, asked: three, deliver } = await asked(" | on");
    const taps: unknown[] = [];
    sender.onRequest = async ({ did, options }) => {
      if (did !== "send" || !options.buttons) return;
      const messageId = String(sender.shown.length + 1);
      const by = { status: "denied", person: anna, role: "member" } as const;
      const [{ id: approvalId }] = three as [Approval];
      taps.push(await decideApproval(approvals, { ...by, approvalId, chat, messageId }));
    };
    await deliver();
    expect(sender.shown.length).toBeGreaterThan(2);
    expect(taps).toMatchObject([{ type: "decided" }]);
    expect(await redis.hget(approvalKey(three[1]?.id ?? ""), "card")).toBe(sender.shown.at(-1)?.id);
  });

  it("that someone has deleted comes again, and its buttons count there", async () => {
    const { chat, sender, asked: three, deliver } = await asked();
    await deliver();
    await decide(three[0], "approved");
    sender.faults.push("gone");
    await deliver();
    expect(sender.shown.at(-1)?.buttons).toEqual(["Approve all", "Deny all", ...labels([2, 3])]);
    expect(await redis.hget(approvalKey(three[2]?.id ?? ""), "card")).toBe("2");
    await decide(three[1], "approved");
    await deliver();
    expect(sender.shown).toHaveLength(2);
    expect(sender.shown[1]?.buttons).toEqual(labels([3]));
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(0);
  });

  it("is found when its ledger is gone, hours later", async () => {
    const { chat, sender, asked: three, deliver } = await asked();
    await deliver();
    await redis.del(`${chatKeys(chat).sentPrefix}card-${three[0]?.id}`);
    await decide(three[0], "approved");
    await deliver();
    expect(sender.shown).toMatchObject([{ text: expect.stringContaining("✓ 1 approved by Anna") }]);
  });

  it("that has to wait shows what is true when it goes on", async () => {
    const { chat, sender, asked: three, deliver } = await asked();
    await deliver();
    await decide(three[0], "approved");
    sender.faults.push("retry");
    expect((await deliver()).type).toBe("later");
    await decide(three[1], "denied");
    await letTimePass(redis, chat);
    await deliver();
    expect(sender.texts).toEqual([
      expect.stringMatching(/✓ 1 approved by Anna\n✗ 2 denied by Anna/),
    ]);
  });

  it("says nothing of what was erased, and has no buttons", async () => {
    const { chat, sender, asked: three, deliver } = await asked();
    await deliver();
    await redis.hdel(approvalKey(three[1]?.id ?? ""), "approval");
    const [first] = three;
    if (first === undefined) throw new Error("no approval");
    await inbox.post(chat, outcomeEntry(first, { id: "closed", text: "" }));
    await deliver();
    expect(sender.shown).toMatchObject([{ text: "Deleted.", buttons: [] }]);
    const language = "de";
    const { requester } = first;
    const german = { ...first, requester: { ...requester, language } };
    await inbox.post(chat, outcomeEntry(german, { id: "again", text: "" }));
    await deliver();
    expect(sender.shown).toMatchObject([{ text: "Gelöscht.", buttons: [] }]);
  });
});

describe("a card that two persons have to decide", () => {
  const ben = { id: "telegram:2", name: "Ben" };

  /** One call that waits for two members, asked without a sound. */
  async function askedOfTwo() {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const approval = approvalOf(turns, chat, {
      v: 2,
      approvers: "members",
      persons: 2,
      askedAtMs: Date.now(),
    });
    await committed(turns, turn, {
      ...asking(turn, [approval]),
      outbox: [askingEntry([approval], { silent: true })],
    });
    const sender = new ScriptedSender();
    const deps = deliveryDeps(outbox, sender);
    const by = (person: typeof ben, status: "approved" | "denied") =>
      decideApproval(approvals, {
        approvalId: approval.id,
        status,
        person,
        role: "member",
        chat,
      });
    return { chat, sender, by, deliver: () => deliverAll(deps, chat) };
  }

  it("says so, then who was the first, then both, in one message", async () => {
    const { sender, by, deliver } = await askedOfTwo();
    const silent: unknown[] = [];
    sender.onRequest = ({ options }) => {
      silent.push("silent" in options ? options.silent : "edit");
      return Promise.resolve();
    };
    await deliver();
    const [asks] = sender.texts;
    expect(asks).toMatch(/^\*\*files: Delete\*\*\?[^]*`files.delete`/);
    expect(asks).toContain("Needs two approvals, from a member.");
    const buttons = sender.shown[0]?.buttons;
    expect(buttons?.slice(0, 2)).toEqual(["Approve", "Deny"]);
    await by(anna, "approved");
    await deliver();
    expect(sender.texts).toEqual([
      expect.stringContaining("1 of 2: approved by Anna. One more is needed."),
    ]);
    expect(sender.shown).toMatchObject([{ buttons }]);
    await by(ben, "approved");
    await deliver();
    expect(sender.texts).toEqual([
      expect.stringMatching(/^✓ \*\*files: Delete\*\* · approved by Anna and Ben\n`files.delete`/),
    ]);
    expect(sender.shown).toMatchObject([{ buttons: [] }]);
    expect(silent).toEqual([true, "edit", "edit"]);
  });

  it("is denied by one, who is named", async () => {
    const { sender, by, deliver } = await askedOfTwo();
    await deliver();
    await by(anna, "approved");
    await by(ben, "denied");
    await deliver();
    expect(sender.texts).toEqual([expect.stringMatching(/^✗ .* · denied by Ben\n/)]);
  });
});
