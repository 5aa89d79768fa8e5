import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApprovalStore } from "../../../src/store/approvals/approvals.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createNotes } from "../../../src/store/turns/notes.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { createPeopleStore } from "../../../src/store/people/people.ts";
import { readUsage } from "../../../src/store/turns/usage.ts";
import { asking } from "../asking.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { cuttingProxy } from "../cutting-proxy.ts";
import {
  approvalOf,
  anna,
  begun,
  committed,
  compaction,
  dump,
  finishing,
  leaseMs,
  message,
  newChat,
  notice,
  said,
  stateOf,
  storeOn,
  turnStoreOn,
  waitingFor,
} from "../support.ts";

// ioredis sends a command again whose reply was lost with its connection: every script runs twice
// then.
const server = await testDatabase();
const proxy = await cuttingProxy(server.port);
afterAll(() => proxy[Symbol.asyncDispose]());
const store = storeOn({ url: proxy.url });
const { redis } = storeOn(server);
const turns = turnStoreOn(store);
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const approvals = createApprovalStore(store);
const people = createPeopleStore(store);

/** Runs `action` with the reply of its first command lost, and makes sure that it was. */
async function replyLost<T>(action: () => Promise<T>): Promise<T> {
  const before = proxy.lost;
  proxy.loseNextReply();
  const result = await action();
  expect(proxy.lost).toBe(before + 1);
  return result;
}

const decision = (n: string) => ({
  status: "approved" as const,
  decidedBy: "Anna",
  told: notice(`told-${n}`),
  toldExpired: notice(`expired-${n}`),
});

beforeAll(async () => {
  // Scripts are loaded by their first use, so that what is lost below is the reply to the script
  // itself.
  const chat = newChat();
  await inbox.append(chat, message("m1"));
  const turn = await begun(turns, chat);
  const asked = approvalOf(turns, chat);
  await turns.waiting(turn.session);
  await turns.heartbeat(turn.session);
  await committed(turns, turn, asking(turn, [asked]));
  const view = await approvals.find(asked.id);
  if (view) await approvals.decide(view, decision("warm"));
  const opened = await outbox.open(chat);
  if (opened.type === "open")
    await outbox.write(opened.session, { id: "x", fields: {}, release: {} });
  await redis.flushdb();
});

describe("a lost reply", () => {
  it("to a commit costs nothing: the final answer is written once and its outcome is told", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const outcome = await replyLost(() =>
      committed(turns, turn, {
        ...finishing(1),
        usage: {
          turns: 1,
          modelCalls: 1,
          inputTokens: 5,
          outputTokens: 5,
          models: {
            m: { requests: 1, inputTokens: 5, outputTokens: 5, costUsd: 0.25 },
          },
        },
      }),
    );
    expect(outcome).toMatchObject({ again: false, revision: 2 });
    expect(await readUsage(store, chat)).toEqual({
      m: { requests: 1, inputTokens: 5, outputTokens: 5, costUsd: 0.25 },
    });
    const { outbox: out, log, state } = chatKeys(chat);
    expect(await redis.llen(out)).toBe(1);
    expect(await redis.llen(log)).toBe(2);
    expect(await redis.hget(state, "usage:turns")).toBe("1");
  });

  it("to a commit that goes on by itself enqueues its message once", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const enqueue = [message("auto-1")];
    expect(
      await replyLost(() =>
        committed(turns, turn, {
          state: stateOf(turn),
          turn: 1,
          append: [compaction(0)],
          viewStart: 1,
          enqueue,
        }),
      ),
    ).toMatchObject({ again: false, revision: 2, waiting: 1 });
    const at = { session: turn.session, revision: 2 };
    expect(await replyLost(() => committed(turns, at, finishing(1, { enqueue })))).toMatchObject({
      again: true,
      revision: 3,
      waiting: 2,
    });
    expect(await redis.llen(chatKeys(chat).inbox)).toBe(2);
    expect(await begun(turns, chat)).toMatchObject({
      opened: true,
      viewStart: 1,
      transcript: [compaction(0), said(1), message("auto-1")],
      inbox: [{ position: 3 }],
    });
  });

  it("to a look at what waits looks again", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    await inbox.append(chat, message("m2"));
    expect(await replyLost(() => turns.waiting(turn.session))).toEqual([
      { position: 2, entry: message("m2") },
    ]);
    expect(await replyLost(() => turns.heartbeat(turn.session))).toEqual({
      stopAt: 0,
      waiting: 1,
    });
  });

  it("to a commit is told even when another session has worked since", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    await inbox.append(chat, message("m2"));
    await committed(turns, turn, finishing(1));
    const other = await begun(turns, chat);
    const before = await dump(redis);
    expect(await committed(turns, turn, finishing(1))).toMatchObject({
      revision: turn.revision + 1,
      again: true,
    });
    expect(await dump(redis)).toEqual(before);
    await committed(turns, other, finishing(2));
  });

  it("to begin returns the same turn, opened once and not counted twice", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await inbox.append(chat, message("m2"));
    const turn = await replyLost(() => begun(turns, chat));
    expect(turn).toMatchObject({
      opened: true,
      deaths: 0,
      state: { turn: 1, modelCallOpen: true },
      transcript: [message("m1")],
      inbox: [{ position: 2 }],
    });
    await committed(turns, turn, finishing(1));
  });

  it("to what arrives keeps it once", async () => {
    const chat = newChat();
    await replyLost(() => inbox.append(chat, message("m1")));
    expect(await redis.llen(chatKeys(chat).inbox)).toBe(1);
    await replyLost(() => inbox.post(chat, notice("n1")));
    await replyLost(() => inbox.answer(chat, "m2", notice("n2")));
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(2);
  });

  it("to a decision tells who decided that they did", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const asked = approvalOf(turns, chat);
    await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      append: [said(1)],
      ask: [asked],
      release: {},
    });
    const view = await approvals.find(asked.id);
    if (view === undefined) throw new Error("no approval");
    expect(await replyLost(() => approvals.decide(view, decision("1")))).toEqual({
      type: "decided",
      status: "approved",
    });
    expect(await approvals.decide(view, decision("1"))).toEqual({
      type: "already",
      status: "approved",
      decidedBy: "Anna",
    });
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(1);
  });

  it("to the first of two approvals counts it once, and for its person", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    const asked = approvalOf(turns, chat, {
      v: 2,
      approvers: "members",
      persons: 2,
    });
    await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      append: [said(1)],
      ask: [asked],
      release: {},
    });
    const view = await approvals.find(asked.id);
    if (view === undefined) throw new Error("no approval");
    const by = (id: string) => approvals.decide(view, { ...decision(id), decidedById: id });
    expect(await replyLost(() => by("1"))).toEqual({ type: "counted" });
    expect(await by("1")).toEqual({ type: "same" });
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(1);
    expect(await replyLost(() => by("2"))).toEqual({
      type: "decided",
      status: "approved",
    });
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(2);
  });

  it("to a delivery's steps drops no entry and sends none twice", async () => {
    const chat = newChat();
    for (const id of ["n1", "n2"]) await inbox.post(chat, notice(id));
    const opened = await replyLost(() => outbox.open(chat));
    if (opened.type !== "open") throw new Error(opened.type);
    expect(opened.interrupted).toBeUndefined();
    expect(
      await replyLost(() =>
        outbox.write(opened.session, {
          id: "n1",
          fields: { m0: "1", done: "1" },
          finished: true,
        }),
      ),
    ).toEqual({ hasMore: true, isDead: false });
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(1);
    await outbox.write(opened.session, {
      id: "n2",
      fields: {},
      finished: true,
      release: {},
    });
  });

  it("to the first refusal of a window still lets it be told", async () => {
    expect(await replyLost(() => people.mayNotify("x", "m1", 60_000))).toBe(true);
    expect(await people.mayNotify("x", "m2", 60_000)).toBe(false);
    expect(await people.mayNotify("x", "m1", 60_000)).toBe(true);
  });

  it("to a stranger's code leaves one that works", async () => {
    const chat = newChat();
    const { code } = await replyLost(() => people.pair(anna, chat));
    const decide = () => people.decidePairing(code, "telegram:1 allow");
    expect((await replyLost(decide))?.person).toEqual(anna);
    expect((await decide())?.person).toEqual(anna);
    expect(await people.decidePairing(code, "telegram:2 deny")).toBeUndefined();
  });

  it("to a claim still makes the first admin", async () => {
    const code = (await people.claimCode()) ?? "";
    expect(await replyLost(() => people.claim(code, anna.id))).toBe(true);
    expect(await people.claim(code, "telegram:99")).toBe(false);
  });

  it("to a note writes it once", async () => {
    const chat = newChat();
    const notes = createNotes(store);
    await replyLost(() => notes.write(chat, "buy tea", "1.1.0"));
    await notes.write(chat, "buy milk", "2.1.0");
    expect(await notes.read(chat)).toEqual(["buy tea", "buy milk"]);
  });
});
