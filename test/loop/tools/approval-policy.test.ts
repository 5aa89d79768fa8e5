import { describe, expect, it } from "vitest";
import type { Asking, Deciders } from "../../../src/core/approval.ts";
import type { QuietHours } from "../../../src/core/quiet-hours.ts";
import { outcomeEntry } from "../../../src/core/outbox.ts";
import type { ToolPolicy } from "../../../src/loop/tools/prepare-call.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { asDeclared, calls, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

const asking =
  (how: Asking): ToolPolicy =>
  (tool, ...call) =>
    tool === "buy" ? { type: "confirm", ...how } : asDeclared(tool, ...call);

const open = (how: Asking) => openScene({ redis, deps: { toolPolicy: asking(how) } });

const group = { group: true } as const;

/** Asks for a call in a group, and returns what waits. */
async function waiting(scene: Scene, more: Parameters<Scene["say"]>[1] = group): Promise<void> {
  scene.model.reply(calls("buy"), { text: "Done." });
  await scene.say("buy it", more);
  await scene.settle();
}

async function approve(scene: Scene, ...names: readonly string[]) {
  const outcomes: string[] = [];
  for (const name of names) {
    const [view] = await scene.asked();
    if (view === undefined) throw new Error("nothing was asked");
    const entry = (id: string) => outcomeEntry(view.approval, { id: `${id}-${name}`, text: id });
    const { type } = await scene.parts.approvals.decide(view, {
      status: "approved",
      decidedBy: name,
      decidedById: `telegram:${name}`,
      told: entry("told"),
      toldExpired: entry("expired"),
      toldFirst: entry("first"),
    });
    outcomes.push(type);
  }
  return outcomes;
}

const lastResult = (scene: Scene): string =>
  scene.model.requests.at(-1)?.toolResults[0]?.text ?? "";

describe("a call that two persons have to approve", () => {
  const two = { approvers: "members", persons: 2 } as const;

  it("waits for both, and runs once", async () => {
    await using scene = await open(two);
    await waiting(scene);
    const [card] = await scene.outbox();
    expect(card).toMatchObject({ kind: "cards", v: 2 });
    expect(await scene.state()).toMatchObject({ v: 2, phase: "waiting" });
    const [asked] = await scene.asked();
    expect(asked?.approval).toMatchObject({ v: 2, ...two });
    expect(await approve(scene, "Ann")).toEqual(["counted"]);
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect((await scene.state())?.phase).toBe("waiting");
    expect(await approve(scene, "Bob")).toEqual(["decided"]);
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
    expect(await scene.said()).toEqual(["Done."]);
    await scene.expectAtRest();
  });

  it("in a private chat is not asked for, and the model says why", async () => {
    await using scene = await open(two);
    await waiting(scene, {});
    expect(await scene.asked()).toEqual([]);
    expect(lastResult(scene)).toMatch(/^policy-denied: .*two persons.*private/);
    expect(scene.runs).toEqual([]);
    await scene.expectAtRest();
  });
});

describe("a call that only others may decide", () => {
  it("in a private chat is not asked for", async () => {
    await using scene = await open({ approvers: "admins" });
    await waiting(scene, { role: "member" });
    expect(lastResult(scene)).toMatch(/^policy-denied: .*an admin/);
    await scene.expectAtRest();
  });

  it.each([{ role: "admin" }, {}, { role: "member", ...group }] as const)(
    "is asked for where they may be there: %j",
    async (more) => {
      await using scene = await open({ approvers: "admins" });
      await waiting(scene, more);
      expect(await scene.statuses()).toEqual(["pending"]);
    },
  );

  it("of a guest is told to the policy, when it is proposed and when it is claimed", async () => {
    const told: unknown[] = [];
    await using scene = await open({ approvers: "admins" });
    scene.with({
      toolPolicy: (tool, declared, call) => {
        told.push(call);
        return asking({ approvers: "admins" })(tool, declared, call);
      },
    });
    await waiting(scene, { role: "guest", ...group });
    await approve(scene, "Ann");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    const call = { arguments: '{"label":"0"}', requesterRole: "guest" };
    expect(told).toEqual([call, call]);
  });
});

describe("at the claim the policy of now counts", () => {
  const changes: readonly [string, Deciders, Deciders, boolean][] = [
    ["asks for less", { approvers: "owners", persons: 2 }, { approvers: "admins" }, true],
    ["asks for more people", { approvers: "admins" }, { approvers: "admins", persons: 2 }, false],
    ["asks for other people", { approvers: "requester" }, { approvers: "owners" }, false],
    [
      "asks for the same",
      { approvers: "members", persons: 2 },
      { approvers: "members", persons: 2 },
      true,
    ],
  ];
  it.each(changes)("that %s", async (_, before, after, runs) => {
    await using scene = await open(before);
    await waiting(scene);
    await approve(scene, "Ann", "Bob");
    await scene.settle({ toolPolicy: asking(after) });
    expect(scene.runs).toHaveLength(runs ? 1 : 0);
    if (!runs) expect(lastResult(scene)).toMatch(/^policy-denied: /);
    await scene.expectAtRest();
  });
});

describe("an approval", () => {
  it("expires when its rule says so, and knows what has asked", async () => {
    await using scene = await open({
      approvers: "admins",
      expiresAfterMs: 5_000,
      alwaysAllowMs: 70,
      policy: "p-1",
    });
    await waiting(scene);
    const [view] = await scene.asked();
    expect(view?.approval).toMatchObject({
      v: 1,
      alwaysAllowMs: 70,
      policy: "p-1",
    });
    const { expiresAtMs = 0, askedAtMs = 0 } = view?.approval ?? {};
    expect(expiresAtMs - askedAtMs).toBe(5_000);
  });
});

const allDay = (mode: QuietHours["mode"]): QuietHours => ({
  // The one minute of the day that is not quiet is at the other end of it.
  fromMinute: (new Date().getUTCHours() * 60 + 720 + 1) % 1_440,
  toMinute: (new Date().getUTCHours() * 60 + 720) % 1_440,
  timezone: "UTC",
  mode,
});

describe("in quiet hours", () => {
  it("a card does not ring, and its time begins behind them", async () => {
    await using scene = await open({
      approvers: "admins",
      expiresAfterMs: 1_000,
      quietHours: allDay("silent"),
    });
    await waiting(scene);
    expect(await scene.outbox()).toMatchObject([{ kind: "card", silent: true }]);
    const [view] = await scene.asked();
    const { expiresAtMs = 0, askedAtMs = 0 } = view?.approval ?? {};
    expect(expiresAtMs - askedAtMs).toBeGreaterThan(3_600_000);
    expect((expiresAtMs - 1_000) % 60_000).toBe(0);
  });

  it("no one is asked where the operator wants that, and the model is told until when", async () => {
    await using scene = await open({
      approvers: "admins",
      quietHours: allDay("deny"),
    });
    await waiting(scene);
    expect(await scene.asked()).toEqual([]);
    expect(lastResult(scene)).toMatch(
      /^policy-denied: .*between \d\d:\d\d and \d\d:\d\d \(UTC\) nobody is asked/,
    );
    await scene.expectAtRest();
  });

  it("what was approved runs all the same", async () => {
    await using scene = await open({ approvers: "admins" });
    await waiting(scene);
    await approve(scene, "Ann");
    const quiet = { approvers: "admins", quietHours: allDay("deny") } as const;
    await scene.settle({ toolPolicy: asking(quiet) });
    expect(scene.runs).toHaveLength(1);
  });
});

it("calls that expire at different times, or ring and don't, have cards of their own", async () => {
  await using scene = await openScene({ redis });
  scene.with({
    toolPolicy: (tool) => ({
      type: "confirm",
      approvers: "admins",
      ...(tool === "pay" ? { expiresAfterMs: 9_000 } : {}),
    }),
  });
  scene.model.reply(calls("buy", "pay", "buy"));
  await scene.say("buy", group);
  await scene.settle();
  const kinds = (await scene.outbox()).map((entry) =>
    entry.kind === "cards" ? entry.approvals.length : entry.kind,
  );
  expect(kinds).toEqual([2, "card"]);
});
