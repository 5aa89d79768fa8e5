import { describe, expect, it } from "vitest";
import { shortApprovalId, type Deciders } from "../../../src/core/approval.ts";
import type { ToolPolicy } from "../../../src/loop/tools/prepare-call.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import { chatKeys, approvalKey } from "../../../src/store/keys.ts";
import { waiting } from "../waiting.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  calls,
  ann,
  asDeclared,
  bob,
  counted,
  defaultPolicy,
  openScene,
  until,
  type Scene,
  type SceneOptions,
} from "../scene.ts";
import { testTools } from "../test-tools.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

const lastResults = (scene: Scene): string[] =>
  (scene.model.requests.at(-1)?.toolResults ?? []).map(({ text }) => text.split(/[:\n]/)[0] ?? "");

describe("a call that needs an approval", () => {
  it("is shown exactly, holds no worker, and costs begin and one commit", async () => {
    await using scene = await open();
    const { store, counts } = counted(scene.deps.store);
    scene.with({ store });
    await waiting(scene, { ...calls("buy"), text: "I will buy it." });
    expect(counts).toEqual({ begin: 1, commit: 1, release: 0 });
    expect(scene.runs).toEqual([]);
    expect(await scene.hash("owner")).toBeNull();
    const [said, card] = await scene.outbox();
    expect(said).toMatchObject({ kind: "message", text: "I will buy it." });
    expect(card).toMatchObject({
      kind: "card",
      card: {
        tool: "buy",
        arguments: '{"label":"0"}',
        requesterName: "Ann",
        approvers: "requester-or-admins",
      },
    });
    expect(await scene.statuses()).toEqual(["pending"]);
  });

  it("has a display id that no other open one of its chat has", async () => {
    await using scene = await open();
    const { store } = scene.deps;
    const drawn: string[] = [];
    // Each is drawn twice.
    const newApprovalId: typeof store.newApprovalId = (chat) => {
      const [last] = drawn.slice(-1);
      const id = last === undefined || drawn.length % 2 === 0 ? store.newApprovalId(chat) : last;
      drawn.push(id);
      return id;
    };
    scene.with({ store: { ...store, newApprovalId } });
    await waiting(scene, calls("buy", "buy"));
    const asked = await scene.asked();
    expect(asked).toHaveLength(2);
    expect(new Set(asked.map(({ approval }) => shortApprovalId(approval.id))).size).toBe(2);
    expect(drawn).toHaveLength(3);
  });

  it("runs once it is approved, and the answer comes below the card", async () => {
    await using scene = await open();
    await waiting(scene, { ...calls("buy"), text: "I will buy it." }, { text: "Bought." });
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
    expect((await scene.outbox()).map(({ kind, id }) => [kind, id])).toEqual([
      ["message", "turn-1"],
      ["card", expect.any(String)],
      ["resolution", expect.any(String)],
      ["message", "turn-1-1"],
    ]);
    expect(await scene.said()).toEqual(["I will buy it.", "Bought."]);
    expect(await scene.story()).toEqual([
      "message buy it",
      "assistant I will buy it. [buy]",
      "tool buy done",
      "assistant Bought.",
    ]);
    await scene.expectAtRest();
  });

  it.each([
    ["denied", "confirmation-denied"],
    ["expired", "confirmation-expired"],
  ] as const)("does not run once it is %s", async (status, failure) => {
    await using scene = await open({
      deps: { approvalTtlMs: status === "expired" ? 0 : 60_000 },
    });
    await waiting(scene, calls("buy"), { text: "Then not." });
    expect(await scene.decide(0, status)).toEqual({ type: "decided", status });
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(lastResults(scene)).toEqual([failure]);
    expect(scene.model.requests.at(-1)?.mayCallTools).toBe(false);
    expect(await scene.said()).toEqual(["Then not."]);
    expect((await scene.story()).at(-1)).toBe("end confirmation-denied");
    await scene.expectAtRest();
  });

  it("denied, the turn goes on where the operator wants that", async () => {
    await using scene = await open();
    scene.with({
      policy: {
        ...defaultPolicy,
        stopOn: { ...defaultPolicy.stopOn, confirmationDenied: false },
      },
    });
    await waiting(scene, calls("buy"), calls("look"), { text: "Looked." });
    await scene.decide(0, "denied");
    await scene.settle();
    expect(scene.runs).toEqual(['look {"label":"0"}']);
    expect(await scene.said()).toEqual(["Looked."]);
  });

  it("whose time is over cannot be approved any more", async () => {
    await using scene = await open({ deps: { approvalTtlMs: 0 } });
    await waiting(scene, calls("buy"), { text: "Too late." });
    expect(await scene.decide(0, "approved")).toEqual({
      type: "decided",
      status: "expired",
    });
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await scene.said()).toEqual(["Too late."]);
  });

  it("tapped twice is decided once", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    expect(await scene.decide(0, "approved")).toMatchObject({
      type: "decided",
    });
    expect(await scene.decide(0, "denied")).toMatchObject({
      type: "already",
      status: "approved",
    });
    await scene.settle();
    expect(await scene.decide(0, "approved")).toMatchObject({
      type: "already",
    });
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.said()).toEqual(["Bought."]);
  });

  it("woken for nothing, it goes on waiting and says nothing", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"));
    const before = await scene.outbox();
    expect(await scene.settle()).toEqual({ type: "done" });
    expect(await scene.outbox()).toEqual(before);
    expect((await scene.state())?.phase).toBe("waiting");
  });

  it("that was tapped while the worker let go is not slept over", async () => {
    await using scene = await open();
    scene.model.reply(calls("look", "buy"), { text: "Bought." });
    const gate = Promise.withResolvers<void>();
    scene.parts.effects.gates.set("look", gate.promise);
    await scene.say("buy it");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the read");
    // The card is out before the read beside it has ended.
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.decide(0, "approved");
    gate.resolve();
    expect(await running).toEqual({ type: "again" });
    await scene.settle();
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["look", "buy"]);
    expect(await scene.said()).toEqual(["Bought."]);
    await scene.expectAtRest();
  });

  it("whose record is gone has expired", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Then not." });
    const [view] = await scene.asked();
    await scene.parts.store.redis.del(approvalKey(view?.approval.id ?? ""));
    await scene.settle();
    expect(lastResults(scene)).toEqual(["confirmation-expired"]);
    expect(scene.runs).toEqual([]);
  });
});

describe("two approvals", () => {
  const orders = [
    [0, 1],
    [1, 0],
  ] as const;
  const decisions = [
    ["approved", "approved", ["buy 0 done", "buy 1 done"]],
    ["approved", "denied", ["buy 0 done", "confirmation-denied"]],
    ["denied", "approved", ["confirmation-denied", "buy 1 done"]],
    ["denied", "denied", ["confirmation-denied", "confirmation-denied"]],
  ] as const;
  const table = orders.flatMap((order) =>
    decisions.map(([first, second, results]) => ({
      order,
      statuses: [first, second],
      results,
    })),
  );

  it.each(table)("$statuses, decided in the order $order", async ({ order, statuses, results }) => {
    await using scene = await open();
    await waiting(scene, calls("buy", "buy"), { text: "So be it." });
    const [first, second] = order;
    await scene.decide(first, statuses[first] ?? "denied");
    await scene.settle();
    // Nothing that asks starts before everything is decided.
    expect(scene.runs).toEqual([]);
    expect((await scene.state())?.phase).toBe("waiting");
    await scene.decide(second, statuses[second] ?? "denied");
    await scene.settle();
    expect(lastResults(scene)).toEqual(results);
    expect(await scene.said()).toEqual(["So be it."]);
    await scene.expectAtRest();
  });

  it("decided between two runs are both seen", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy", "buy"), { text: "So be it." });
    await scene.decide(1, "approved");
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}', 'buy {"label":"1"}']);
  });

  it("one of them decided, then something else: neither runs", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy", "buy"));
    await scene.decide(0, "approved");
    await scene.settle();
    await scene.say("no, something else");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await scene.statuses()).toEqual(["approved", "superseded"]);
    expect(await scene.story()).toEqual([
      "message buy it",
      "assistant [buy] [buy]",
      "tool buy superseded",
      "tool buy superseded",
      "end superseded",
      "message no, something else",
      "assistant You said: no, something else",
    ]);
    await scene.expectAtRest();
  });

  it("mixed with calls that need none: those run at once", async () => {
    await using scene = await open();
    await waiting(scene, calls("look", "buy", "pay", "fly"), { text: "Done." });
    expect(scene.runs).toEqual(['look {"label":"0"}', 'pay {"label":"2"}']);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(lastResults(scene)).toEqual(["look 0 done", "buy 1 done", "pay 2 done", "unknown-tool"]);
    await scene.expectAtRest();
  });
});

describe("calls of one answer that need an approval", () => {
  it("are asked for on one card, and know each other", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy", "look", "buy", "buy"), { text: "Done." });
    const asked = await scene.asked();
    const ids = asked.map(({ approval }) => approval.id);
    expect(ids).toHaveLength(3);
    expect(await scene.outbox()).toEqual([
      {
        kind: "cards",
        v: 2,
        id: `card-${ids[0]}`,
        approvals: ids,
      },
    ]);
    for (const { approval } of asked) expect(approval.together).toEqual(ids);
    for (const index of [1, 0, 2]) await scene.decide(index, "approved");
    await scene.settle();
    expect(scene.runs.filter((run) => run.startsWith("buy"))).toHaveLength(3);
    await scene.expectAtRest();
  });

  it("are on as many cards as it takes, one for each kind of people who may decide", async () => {
    await using scene = await open();
    const nine = Array.from({ length: 9 }, () => "buy");
    scene.with({
      toolPolicy: (name, ...call) =>
        name === "pay" ? { type: "confirm", approvers: "admins" } : asDeclared(name, ...call),
    });
    await waiting(scene, calls(...nine, "pay", "pay"));
    const asks = (await scene.outbox()).map((entry) =>
      entry.kind === "cards" ? entry.approvals.length : entry.kind,
    );
    expect(asks).toEqual([8, "card", 2]);
  });

  it("are questions of their own where the chat has no cards of several", async () => {
    await using scene = await open({ deps: { callsPerCard: () => 1 } });
    await waiting(scene, calls("buy", "buy"));
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual(["card", "card"]);
  });

  it("are closed together when something newer comes", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy", "buy"));
    await scene.decide(0, "approved");
    await scene.say("never mind");
    await scene.settle();
    expect(await scene.statuses()).toEqual(["approved", "superseded"]);
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual([
      "cards",
      "cards-outcome",
      "cards-outcome",
      "message",
    ]);
    await scene.expectAtRest();
  });

  it("have a sentence about their tool, and why they were denied is told to the model", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy", "buy"), { text: "I see." });
    const [first] = await scene.asked();
    expect(first?.approval.about).toMatch(/^[^.]+\.?$/);
    await scene.decide(0, "denied", 'too "dear"');
    await scene.decide(1, "approved");
    await scene.settle();
    const [denied, bought] = scene.model.requests.at(-1)?.toolResults ?? [];
    expect(denied?.text).toContain("confirmation-denied");
    expect(denied?.text).toContain(String.raw`Their reason: "too \"dear\""`);
    expect(bought?.text).not.toContain("reason");
    await scene.expectAtRest();
  });
});

const onlyAdmins: ToolPolicy = (tool) =>
  tool === "buy" ? { type: "confirm", approvers: "admins" } : { type: "run" };

describe("a newer message", () => {
  it("of the requester supersedes what waits, and is answered", async () => {
    await using scene = await open();
    await waiting(scene, { ...calls("buy"), text: "Shall I?" });
    await scene.say("what time is it?");
    await scene.settle();
    expect(await scene.statuses()).toEqual(["superseded"]);
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual([
      "message",
      "card",
      "resolution",
      "message",
    ]);
    expect(await scene.said()).toEqual(["Shall I?", "You said: what time is it?"]);
    // The next request has a result for every call.
    expect(scene.parts.server.violations).toEqual([]);
    expect(scene.runs).toEqual([]);
    await scene.expectAtRest();
  });

  it("decisions come before messages", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.decide(0, "approved");
    await scene.say("thanks");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.said()).toEqual(["Bought.", "You said: thanks"]);
  });

  it("a tap that comes while it is superseded counts", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.say("thanks");
    const { store } = scene.deps;
    let tapped = false;
    const result = await scene.settle({
      store: {
        ...store,
        async commit(session, revision, commit) {
          if (!tapped && commit.close?.length === 1) {
            tapped = true;
            await scene.decide(0, "approved");
          }
          return store.commit(session, revision, commit);
        },
      },
    });
    expect(result).toEqual({ type: "done" });
    expect(tapped).toBe(true);
    expect(scene.runs).toHaveLength(1);
    expect(await scene.statuses()).toEqual(["approved"]);
    expect(await scene.said()).toEqual(["Bought.", "You said: thanks"]);
    await scene.expectAtRest();
  });

  it("of someone else waits, is told so once, and comes after the decision", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    const atMs = Date.now();
    const clock = { ...scene.deps.clock, wall: () => atMs + 20_000 };
    await scene.say("and me?", { person: bob, group: true, atMs });
    const result = await scene.settle({ clock });
    expect(result).toEqual({ type: "later", inMs: 100_000 });
    await scene.settle();
    await scene.settle();
    const notices = (await scene.outbox()).filter(({ kind }) => kind === "notice");
    expect(notices).toMatchObject([
      { replyTo: "2", silent: true, text: expect.stringContaining("Ann") },
    ]);
    expect(scene.model.received).toBe(1);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.said()).toEqual(["Bought.", "You said: Bob: and me?"]);
    await scene.expectAtRest();
  });

  it("of someone else supersedes when the question's deadline is over", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"));
    const atMs = Date.now();
    await scene.say("and me?", { person: bob, atMs });
    const clock = (wall: number) => ({ ...scene.deps.clock, wall: () => wall });
    expect(await scene.settle({ clock: clock(atMs + 119_999) })).toMatchObject({
      type: "later",
    });
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.settle({ clock: clock(atMs + 120_000) });
    expect(await scene.statuses()).toEqual(["superseded"]);
    expect(await scene.said()).toEqual(["You said: and me?"]);
    expect(scene.runs).toEqual([]);
    await scene.expectAtRest();
  });

  it("of the requester that is older than the question never takes it away", async () => {
    await using scene = await open();
    const atMs = Date.now() - 1_000;
    scene.model.reply(calls("buy"), { text: "Bought." });
    await scene.say("buy it", { atMs });
    await scene.say("please", { atMs });
    await scene.settle();
    const laterMs = Date.now() + 600_000;
    const clock = { ...scene.deps.clock, wall: () => laterMs };
    expect(await scene.settle({ clock })).toEqual({ type: "done" });
    expect(await scene.statuses()).toEqual(["pending"]);
  });

  it.each([-600_000, 600_000])(
    "of the requester supersedes what was asked before it, received by a clock that is %i ms off",
    async (offMs) => {
      await using scene = await open();
      await waiting(scene, calls("buy"));
      await scene.say("never mind", { atMs: Date.now() + offMs });
      await scene.settle();
      expect(await scene.statuses()).toEqual(["superseded"]);
      expect(await scene.said()).toEqual(["You said: never mind"]);
      await scene.expectAtRest();
    },
  );

  it.each([-600_000, 600_000])(
    "of the requester that waited when the question was asked leaves it alone, received by a clock that is %i ms off",
    async (offMs) => {
      await using scene = await open();
      scene.model.reply(calls("buy"), { text: "Bought." });
      const atMs = Date.now() + offMs;
      await scene.say("buy it", { atMs });
      await scene.say("please", { atMs });
      await scene.settle();
      expect(await scene.statuses()).toEqual(["pending"]);
      await scene.decide(0, "approved");
      await scene.settle();
      expect(await scene.said()).toEqual(["Bought.", "You said: please"]);
      await scene.expectAtRest();
    },
  );

  it.each([
    [-1_000, "pending"],
    [1_000, "superseded"],
  ])(
    "is told by its time from a question that an earlier version has asked: %i ms after it, %s",
    async (afterMs, status) => {
      await using scene = await open();
      await waiting(scene, calls("buy"));
      const [view] = await scene.asked();
      const { id = "", askedAtMs = 0 } = view?.approval ?? {};
      await scene.parts.store.redis.hdel(approvalKey(id), "askedAtPosition");
      await scene.say("never mind", { atMs: askedAtMs + afterMs });
      await scene.settle();
      expect(await scene.statuses()).toEqual([status]);
    },
  );

  it("of someone else, received by an earlier version whose clock is fast, waits no longer than any other", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"));
    await scene.say("and me?", { person: bob, atMs: Date.now() + 600_000 });
    expect(await scene.settle()).toEqual({ type: "later", inMs: 120_000 });
  });

  it("that is older than the question supersedes nothing: the deadline begins with the question", async () => {
    await using scene = await open();
    const atMs = Date.now() - 150_000;
    scene.model.reply(calls("buy"), { text: "Bought." });
    await scene.say("buy it", { atMs });
    await scene.say("please", { atMs });
    await scene.say("and me?", { person: bob, atMs });
    await scene.settle();
    expect(await scene.settle()).toMatchObject({ type: "later" });
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(await scene.said()).toEqual(["Bought.", "You said: please", "You said: and me?"]);
    await scene.expectAtRest();
  });

  it("of someone else names an admin where only admins decide", async () => {
    await using scene = await open();
    scene.with({ toolPolicy: onlyAdmins });
    await waiting(scene, calls("buy"));
    await scene.say("and me?", { person: bob });
    await scene.settle();
    const notice = (await scene.outbox()).find((entry) => entry.kind === "notice");
    expect(notice?.text).toContain("an admin");
    expect(notice?.text).not.toContain(ann.name);
  });

  it.each<Deciders>([{ approvers: "members" }, { approvers: "requester-or-admins", persons: 2 }])(
    "of someone else names no one where it is not one's alone to decide: %j",
    async (deciders) => {
      await using scene = await open();
      scene.with({
        toolPolicy: (tool, ...call) =>
          tool === "buy" ? { type: "confirm", ...deciders } : asDeclared(tool, ...call),
      });
      scene.model.reply(calls("buy"));
      await scene.say("buy it", { group: true });
      await scene.settle();
      await scene.say("and me?", { person: bob, group: true });
      await scene.settle();
      const [notice = ""] = await scene.notices();
      expect(notice).toContain("waiting for something to be approved here");
      expect(notice).not.toContain(ann.name);
    },
  );
});

const denyBuying: ToolPolicy = (tool, ...call) =>
  tool === "buy" ? { type: "deny" } : asDeclared(tool, ...call);

describe("at the claim everything is checked again", () => {
  it("a policy that names others to decide meanwhile beats the approval", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Not allowed." });
    await scene.decide(0, "approved");
    await scene.settle({ toolPolicy: onlyAdmins });
    expect(scene.runs).toEqual([]);
    expect(lastResults(scene)).toEqual(["policy-denied"]);
    await scene.expectAtRest();
  });

  it("a person is not flooded: calls beyond 16 questions are not asked, and the model may ask again", async () => {
    await using scene = await open();
    const twenty = Array.from({ length: 20 }, () => "buy");
    await waiting(scene, calls(...twenty), calls("buy"), { text: "Bought." });
    expect(await scene.statuses()).toHaveLength(16);
    for (let index = 0; index < 16; index += 1) await scene.decide(index, "approved");
    await scene.settle();
    expect(scene.runs).toHaveLength(16);
    expect(lastResults(scene).slice(16)).toEqual(Array(4).fill("limit-reached"));
    expect((await scene.state())?.phase).toBe("waiting");
    expect((await scene.state())?.closing).toBeUndefined();
  });

  it("nor asked for what the turn's limit would not let run", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxToolExecutions: 2 } });
    await waiting(scene, calls("buy", "buy", "buy"));
    expect(await scene.statuses()).toHaveLength(2);
  });

  it("a policy that denies meanwhile beats the approval", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Not allowed." });
    await scene.decide(0, "approved");
    await scene.settle({ toolPolicy: denyBuying });
    expect(scene.runs).toEqual([]);
    expect(lastResults(scene)).toEqual(["policy-denied"]);
    expect(await scene.said()).toEqual(["Not allowed."]);
    await scene.expectAtRest();
  });

  it("a policy that asks meanwhile stops what had not asked", async () => {
    await using scene = await open();
    const { store } = scene.deps;
    let asking = false;
    const policy: ToolPolicy = (tool, ...call) =>
      asking && tool === "pay"
        ? { type: "confirm", approvers: "admins" }
        : asDeclared(tool, ...call);
    scene.model.reply(calls("look", "pay"), { text: "Not allowed." });
    await scene.say("pay");
    await scene.settle({
      toolPolicy: policy,
      store: {
        ...store,
        commit(session, revision, commit) {
          asking = true;
          return store.commit(session, revision, commit);
        },
      },
    });
    expect(scene.runs).toEqual(['look {"label":"0"}']);
    expect(lastResults(scene)).toEqual(["look 0 done", "policy-denied"]);
  });

  it("a digest that does not fit means another call than the one shown", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "No." });
    const key = chatKeys(scene.chat).state;
    const stored = (await scene.parts.store.redis.hget(key, "state")) ?? "";
    const forged = stored.replace(String.raw`\"0\"`, String.raw`\"1000\"`);
    expect(forged).not.toBe(stored);
    await scene.parts.store.redis.hset(key, "state", forged);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(lastResults(scene)).toEqual(["policy-denied"]);
  });

  it("a tool that has another effect now is another tool", async () => {
    await using scene = await open();
    await waiting(scene, calls("ask_look"), { text: "No." });
    await scene.decide(0, "approved");
    const changed = testTools(scene.parts.effects).map((tool) =>
      tool.name === "ask_look" ? { ...tool, effect: "once" as const } : tool,
    );
    await scene.settle({ toolbox: createToolbox(changed) });
    expect(scene.runs).toEqual([]);
    expect(lastResults(scene)).toEqual(["policy-denied"]);
  });

  it("a tool that is gone is unknown", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "No." });
    await scene.decide(0, "approved");
    await scene.settle({ toolbox: createToolbox([]) });
    expect(scene.runs).toEqual([]);
    expect(await scene.story()).toContain("tool buy unknown-tool");
  });
});
