import { afterAll, describe, expect, it } from "vitest";
import type { Grant } from "../../../src/core/grants.ts";
import { createApprovalStore } from "../../../src/store/approvals/approvals.ts";
import { createGrantStore } from "../../../src/store/approvals/grants.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { approvalKey, chatKeys } from "../../../src/store/keys.ts";
import { createToolSchemas } from "../../../src/store/approvals/tool-schemas.ts";
import { askedIn } from "../asking.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { cuttingProxy } from "../cutting-proxy.ts";
import { anna, begun, ben, message, newChat, notice, storeOn, turnStoreOn } from "../support.ts";

const server = await testDatabase();
const proxy = await cuttingProxy(server.port);
afterAll(() => proxy[Symbol.asyncDispose]());
const store = storeOn({ url: proxy.url });
const grants = createGrantStore(store);

const hour = 3_600_000;
const grant = (id: string, more: Partial<Grant> = {}): Grant => ({
  v: 1,
  id,
  tool: "files.delete",
  definition: "once",
  scope: "same",
  arguments: '{"path":"a"}',
  by: { id: anna.id, name: anna.name },
  approvers: "requester-or-admins",
  fromMs: Date.now(),
  untilMs: Date.now() + hour,
  ...more,
});

const isIt =
  ({ id }: Pick<Grant, "id">) =>
  (each: Pick<Grant, "id">) =>
    each.id === id;

describe("the standing permissions of a chat", () => {
  it("are those that were given in it, and whose time is not over", async () => {
    const [chat, other] = [newChat(), newChat()];
    const given = grant("g1");
    expect(await grants.give(chat, given)).toBe(true);
    expect(await grants.give(chat, grant("g2", { untilMs: 1 }))).toBe(true);
    expect(await grants.of(chat)).toEqual([given]);
    expect(await grants.of(other)).toEqual([]);
  });

  it("go with the last of them", async () => {
    const chat = newChat();
    await grants.give(chat, grant("g1", { untilMs: Date.now() + 2 * hour }));
    await grants.give(chat, grant("g2"));
    const key = chatKeys(chat).grants;
    const leftMs = await store.redis.pttl(key);
    expect(leftMs).toBeGreaterThan(hour);
    expect(leftMs).toBeLessThanOrEqual(2 * hour);
  });

  it("are taken back one by one, once", async () => {
    const chat = newChat();
    const [one, two] = [grant("g1"), grant("g2")];
    await grants.give(chat, one);
    await grants.give(chat, two);
    expect(await grants.revoke(chat, isIt(one))).toBe(true);
    expect(await grants.revoke(chat, isIt(one))).toBe(false);
    expect(await grants.of(chat)).toEqual([two]);
  });

  it("are taken back, also where a later version has written more of them", async () => {
    const chat = newChat();
    const { grants: key } = chatKeys(chat);
    const later = JSON.stringify({ later: 1, ...grant("g1") });
    await store.redis.zadd(key, Date.now() + hour, later, Date.now(), "{}");
    const [known] = await grants.of(chat);
    expect(known?.id).toBe("g1");
    expect(await grants.revoke(chat, isIt(known ?? grant("g1")))).toBe(true);
    expect(await grants.of(chat)).toEqual([]);
  });

  it("are so many and no more, and those that are over make room", async () => {
    const chat = newChat();
    for (let count = 0; count < 49; count += 1) await grants.give(chat, grant(`g${count}`));
    await grants.give(chat, grant("short", { untilMs: 1 }));
    expect(await grants.give(chat, grant("fits"))).toBe(true);
    expect(await grants.give(chat, grant("not"))).toBe(false);
    expect(await grants.of(chat)).toHaveLength(50);
  });

  it("are given once, also where the reply was lost", async () => {
    const chat = newChat();
    await grants.give(chat, grant("first"));
    proxy.loseNextReply();
    expect(await grants.give(chat, grant("second"))).toBe(true);
    expect((await grants.of(chat)).map(({ id }) => id)).toEqual(["first", "second"]);
  });

  it("permit nothing where they are of a shape that no one knows", async () => {
    const chat = newChat();
    const later = JSON.stringify({ ...grant("g2"), v: 2 });
    for (const odd of ["{}", "{", later])
      await store.redis.zadd(chatKeys(chat).grants, Date.now() + hour, odd);
    expect(await grants.of(chat)).toEqual([]);
    const known = grant("g1");
    await grants.give(chat, known);
    expect(await grants.of(chat)).toEqual([known]);
    expect(await grants.revoke(chat, isIt(known))).toBe(true);
  });
});

describe("an approval that is changed", () => {
  const approvals = createApprovalStore(store);
  const turns = turnStoreOn(store);
  const waiting = async () => {
    const chat = newChat();
    await createInbox(store).append(chat, message("m1"));
    const { id } = await askedIn(turns, chat);
    return { chat, id };
  };
  const change = {
    status: "changed" as const,
    decidedBy: ben.name,
    edit: { v: 1 as const, arguments: '{"path":"b"}', by: ben },
    told: notice("told"),
    toldExpired: notice("expired"),
  };
  const decide = async (id: string, decision: typeof change) => {
    const view = await approvals.find(id);
    if (view === undefined) throw new Error("the approval is gone");
    return await approvals.decide(view, decision);
  };

  it("is so once, with what is to be asked about instead, and wakes its turn", async () => {
    const { chat, id } = await waiting();
    expect(await decide(id, change)).toEqual({
      type: "decided",
      status: "changed",
    });
    expect(await approvals.find(id)).toMatchObject({
      status: "changed",
      decidedBy: ben.name,
      edit: change.edit,
    });
    const turn = await begun(turns, chat);
    expect(turn.approvals).toMatchObject([{ status: "changed", edit: change.edit }]);
    expect(await decide(id, { ...change, decidedBy: anna.name })).toMatchObject({
      type: "already",
      status: "changed",
      decidedBy: ben.name,
    });
    expect(await approvals.shownOf(chat)).toEqual([]);
  });

  it("by two at once is changed by one of them", async () => {
    const { id } = await waiting();
    const outcomes = await Promise.all(
      [anna, ben].map((by) =>
        decide(id, {
          ...change,
          decidedBy: by.name,
          edit: { ...change.edit, by },
        }),
      ),
    );
    expect(outcomes.map(({ type }) => type).toSorted()).toEqual(["already", "decided"]);
    const view = await approvals.find(id);
    expect(view?.edit?.by.name).toBe(view?.decidedBy);
  });

  it("whose time is over has expired, and holds nothing of the change", async () => {
    const { id } = await waiting();
    await store.redis.hset(approvalKey(id), "expiresAt", 1);
    expect(await decide(id, change)).toMatchObject({ status: "expired" });
    expect((await approvals.find(id))?.edit).toBeUndefined();
  });
});

describe("what tools can be given", () => {
  const schemas = createToolSchemas(store);

  it("is what was written last; what is too long is left out", async () => {
    const long = { description: "x".repeat(20_000) };
    await schemas.write(
      new Map<string, unknown>([
        ["one", { type: "object" }],
        ["long", long],
      ]),
    );
    expect(await schemas.read("one")).toEqual({ type: "object" });
    expect(await schemas.read("long")).toBeUndefined();
    await schemas.write(new Map([["two", {}]]));
    expect(await schemas.read("one")).toBeUndefined();
    expect(await schemas.read("two")).toEqual({});
  });
});
