import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decideApproval } from "../../approvals/decide.ts";
import { createApprovalStore } from "../../../src/store/approvals/approvals.ts";
import { createGatewaySessions } from "../../../src/store/operations/gateway-sessions.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createLeases } from "../../../src/store/operations/leases.ts";
import { createNotes } from "../../../src/store/turns/notes.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { createPeopleStore } from "../../../src/store/people/people.ts";
import { isOutOfMemory, unlessOutOfMemory } from "../../../src/store/redis/refusals.ts";
import { sweep } from "../../../src/store/turns/sweep.ts";
import { asking } from "../asking.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  approvalOf,
  begun,
  committed,
  control,
  dump,
  finishing,
  leaseMs,
  message,
  newChat,
  notice,
  reset,
  said,
  stateOf,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const turns = turnStoreOn(store);
const outbox = createOutboxStore(store, leaseMs);
const approvals = createApprovalStore(store);

/** Whatever is used is too much. */
const fillMemory = () => redis.config("SET", "maxmemory", "1");
const freeMemory = () => redis.config("SET", "maxmemory", "0");
const refusal = (error: unknown): boolean => isOutOfMemory(error);

beforeEach(() => redis.flushdb());
afterEach(freeMemory);

describe("while the memory is full", () => {
  it.each([
    ["a message", message("m1")],
    ["a reset", reset("m1")],
    ["an order", control("m1")],
  ])("%s is refused and leaves nothing behind", async (_, entry) => {
    const chat = newChat();
    await inbox.append(chat, message("m0"));
    const before = await dump(redis);
    await fillMemory();
    await expect(inbox.append(chat, entry)).rejects.toSatisfy(refusal);
    await freeMemory();
    expect(await dump(redis)).toEqual(before);
    expect(await inbox.append(chat, entry)).toBe("accepted");
  });

  it("a message that comes again is still known", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await fillMemory();
    expect(await inbox.append(chat, message("m1"))).toBe("duplicate");
  });

  it("what was accepted becomes a turn, and what is under way ends and is delivered", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await fillMemory();
    const turn = await begun(turns, chat);
    expect(turn.opened).toBe(true);
    expect(await turns.heartbeat(turn.session)).toEqual({
      stopAt: 0,
      waiting: 0,
    });
    expect(
      await turns.draft(turn.session, {
        v: 1,
        id: "turn-1",
        text: "half",
        generation: 1,
      }),
    ).toBe(true);
    await createNotes(store).write(chat, "a note", "1.1.0");
    const { revision } = await committed(turns, turn, {
      state: stateOf(turn),
      turn: 1,
      append: [said(1)],
      outbox: [notice("n1")],
    });
    await committed(turns, { ...turn, revision }, finishing(1));
    const opened = await outbox.open(chat);
    if (opened.type !== "open") throw new Error(opened.type);
    for (const { id } of opened.entries)
      await outbox.write(opened.session, {
        id,
        fields: { m0: "77", done: "1" },
        finished: true,
      });
    await outbox.write(opened.session, { id: "", fields: {}, release: {} });
    await freeMemory();
    expect(await redis.lrange(chatKeys(chat).outbox, 0, -1)).toEqual([]);
    expect(await redis.llen(chatKeys(chat).log)).toBe(3);
    expect(await createNotes(store).read(chat)).toEqual(["a note"]);
  });

  it("a turn can be given back and stopped", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    await fillMemory();
    expect(await inbox.stop(chat)).toMatchObject({ wasRunning: true });
    expect(await turns.heartbeat(turn.session)).toMatchObject({ stopAt: 1 });
    expect(await turns.release(turn.session)).toBe(true);
  });

  it("a stop is remembered, and so is what was answered at once", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await fillMemory();
    await inbox.stop(chat, "e1");
    await inbox.markSeen(chat, "e2");
    expect(await inbox.hasSeen(chat, "e2")).toBe(true);
    expect(await inbox.stop(chat, "e1")).toMatchObject({ waiting: 1 });
  });

  it("Discord's shards can be taken up and taken over", async () => {
    await fillMemory();
    const [one, other] = ["1", "1"].map((bot) => createGatewaySessions(store, bot));
    expect([await one?.meet(), await other?.meet()]).toEqual([1, 2]);
    expect(await other?.leave()).toBe(1);
    expect(await one?.takeIdentifySlot(0)).toBe(true);
    expect(await other?.takeIdentifySlot(0)).toBe(false);
    await one?.writeShardCount(2);
    await one?.writeShardCount(3);
    expect(await other?.readShardCount()).toBe(3);
    const session = {
      sessionId: "s",
      resumeUrl: "wss://x",
      sequence: 7,
      shardCount: 3,
    };
    const written = { ...session, fence: 1, ageMs: 0 };
    expect(await one?.writeSession(0, written)).toBe(true);
    expect(await other?.readSession(0)).toMatchObject(session);
  });

  it("an approval is decided, and its turn goes on", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const approval = approvalOf(turns, chat);
    await fillMemory();
    await committed(turns, turn, asking(turn, [approval]));
    const outcome = await decideApproval(approvals, {
      approvalId: approval.id,
      status: "approved",
      person: approval.requester,
      role: "member",
      chat,
    });
    expect(outcome.type).toBe("decided");
    expect(await begun(turns, chat)).toMatchObject({
      approvals: [{ status: "approved" }],
    });
  });

  it("what is due is swept, answers go out, and leases are taken and kept", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await fillMemory();
    expect((await sweep(store, -1)).due).toMatchObject([{ member: `in:${chat}` }]);
    expect(await inbox.post(chat, notice("n1"))).toBe("accepted");
    expect(await inbox.answer(chat, "c1", notice("n2"))).toBe("accepted");
    expect(await inbox.answer(chat, "c1", notice("n2"))).toBe("duplicate");
    await using lease = await createLeases(store).take("somebody");
    expect(lease?.fence).toBe(1);
    expect(await createLeases(store).take("somebody")).toBeUndefined();
  });

  it("plain writes are recognised as refused, transactions too", async () => {
    await fillMemory();
    const people = createPeopleStore(store);
    await expect(people.mayNotify("x", "1", 1_000)).rejects.toSatisfy(refusal);
    await expect(people.setPreference("telegram:1", { tier: "fast" })).rejects.toSatisfy(refusal);
  });
});

it("only a full memory may be gone without", () => {
  const other = new Error("something else");
  expect(() => unlessOutOfMemory(1)(other)).toThrow(other);
});
