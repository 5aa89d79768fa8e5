import { describe, expect, it } from "vitest";
import type { ToolPolicy } from "../../../src/loop/tools/prepare-call.ts";
import { approvalKey } from "../../../src/store/keys.ts";
import { waiting } from "../waiting.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { ann, bob, calls, openScene, type Scene, type SceneOptions } from "../scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

const notices = async (scene: Scene): Promise<string[]> =>
  (await scene.outbox()).flatMap((entry) => (entry.kind === "notice" ? [entry.text] : []));

const results = (scene: Scene): string[] =>
  (scene.model.requests.at(-1)?.toolResults ?? []).map(({ text }) => text);

const noTwo: ToolPolicy = (_tool, _declared, { arguments: given }) =>
  given.includes("two") ? { type: "deny" } : { type: "confirm", approvers: "requester-or-admins" };
const freeTwo: ToolPolicy = (_tool, _declared, { arguments: given }) =>
  given.includes("two") ? { type: "run" } : { type: "confirm", approvers: "admins" };
const dear: ToolPolicy = (_tool, _declared, { arguments: given }) => ({
  type: "confirm",
  approvers: given.includes("dear") ? "owners" : "requester-or-admins",
});

describe("a call whose arguments a person changes", () => {
  it("is asked about again as changed, and runs only once that is approved", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" }, bob);
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect((await scene.state())?.phase).toBe("waiting");
    const asked = await scene.asked();
    expect(asked.map(({ status }) => status)).toEqual(["changed", "pending"]);
    expect(asked[1]?.approval).toMatchObject({
      arguments: '{"label":"two"}',
      changedBy: "Bob",
      requester: ann,
      approvers: "requester-or-admins",
    });
    expect(asked[1]?.approval.digest).not.toBe(asked[0]?.approval.digest);
    await scene.decide(1, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"two"}']);
    expect(await scene.said()).toEqual(["Bought."]);
    await scene.expectAtRest();
  });

  it("keeps the model's own call in the history, and tells the model what ran instead", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" });
    await scene.settle();
    await scene.decide(1, "approved");
    await scene.settle();
    const log = await scene.log();
    expect(log.find(({ kind }) => kind === "assistant")).toMatchObject({
      calls: [{ name: "buy", arguments: '{"label":"0"}' }],
    });
    expect(log.find(({ kind }) => kind === "tool")).toMatchObject({
      changed: '{"label":"two"}',
      text: 'A person changed the arguments to {"label":"two"}. The result of that:\nbuy two done',
    });
    expect(results(scene)).toEqual([
      'A person changed the arguments to {"label":"two"}. The result of that:\nbuy two done',
    ]);
  });

  it("cannot be decided as it was any more", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" }, bob);
    expect(await scene.decide(0, "approved")).toMatchObject({
      type: "already",
      status: "changed",
      decidedBy: "Bob",
    });
    await scene.settle();
    expect(await scene.decide(0, "approved")).toMatchObject({
      type: "already",
    });
    await scene.settle();
    expect(scene.runs).toEqual([]);
  });

  it("denied as changed does not run, and the model reads why, its kind first", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Then not." });
    await scene.change(0, { label: "two" });
    await scene.settle();
    await scene.decide(1, "denied", "far too dear");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    const [text = ""] = results(scene);
    expect(text).toMatch(/^confirmation-denied: .*"far too dear"/);
    expect(text).toContain('A person had changed the arguments to {"label":"two"}');
  });

  it("may be changed again, by someone else", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" });
    await scene.settle();
    await scene.change(1, { label: "three" }, bob);
    await scene.settle();
    await scene.decide(2, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"three"}']);
  });

  it("waits with the others of its round, and they with it", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy", "buy"), { text: "Bought." });
    await scene.decide(1, "approved");
    await scene.change(0, { label: "two" });
    await scene.settle();
    expect(scene.runs).toEqual([]);
    await scene.decide(2, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"two"}', 'buy {"label":"1"}']);
    expect(results(scene).map((text) => text.split("\n").at(-1))).toEqual([
      "buy two done",
      "buy 1 done",
    ]);
    await scene.expectAtRest();
  });

  it("to what its tool does not take is explained, and asked about as it was", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: 5 });
    await scene.settle();
    const [why = ""] = await notices(scene);
    expect(why).toContain("label: ");
    expect(why).toContain("expected string");
    expect(await scene.statuses()).toEqual(["changed", "pending"]);
    expect((await scene.asked())[1]?.approval).toMatchObject({
      arguments: '{"label":"0"}',
    });
    await scene.decide(1, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
    expect(results(scene)).toEqual(["buy 0 done"]);
    expect(await notices(scene)).toHaveLength(1);
  });

  it("to what its tool does not take, when the call itself cannot run any more, says that of both", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Not bought." });
    await scene.change(0, { label: "two" });
    scene.with({ toolPolicy: () => ({ type: "deny" }) });
    await scene.settle();
    const told = await notices(scene);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("The original isn't possible any more either");
    expect(told[0]).not.toContain("asked about again");
    expect(await scene.statuses()).toEqual(["changed"]);
    expect(scene.runs).toEqual([]);
  });

  it("to what the operator denies is explained, and never runs", async () => {
    await using scene = await open();
    scene.with({ toolPolicy: noTwo });
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" });
    await scene.settle();
    expect((await notices(scene))[0]).toContain("policy does not allow");
    await scene.decide(1, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
  });

  it("to what would pass unasked is asked about all the same, of the same people", async () => {
    await using scene = await open();
    scene.with({ toolPolicy: freeTwo });
    scene.model.reply(calls("buy"), { text: "Bought." });
    await scene.say("buy it", { group: true });
    await scene.settle();
    await scene.change(0, { label: "two" });
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect((await scene.asked())[1]?.approval.approvers).toBe("admins");
    await scene.decide(1, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"two"}']);
  });

  it("to what needs others is asked of those", async () => {
    await using scene = await open();
    scene.with({ toolPolicy: dear });
    scene.model.reply(calls("buy"), { text: "Bought." });
    await scene.say("buy it", { group: true });
    await scene.settle();
    await scene.change(0, { label: "dear" });
    await scene.settle();
    expect((await scene.asked())[1]?.approval).toMatchObject({
      v: 2,
      approvers: "owners",
    });
  });

  it("is left to versions that know of such calls", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    expect((await scene.state())?.v).toBe(1);
    await scene.change(0, { label: "two" });
    await scene.settle();
    expect((await scene.state())?.v).toBe(2);
  });

  it("is asked about without a sound in quiet hours", async () => {
    await using scene = await open();
    scene.with({
      toolPolicy: () => ({
        type: "confirm",
        approvers: "requester-or-admins",
        quietHours: {
          // The one minute of the day that is not quiet is at the other end of it.
          fromMinute: (new Date().getUTCHours() * 60 + 721) % 1_440,
          toMinute: (new Date().getUTCHours() * 60 + 720) % 1_440,
          timezone: "UTC",
          mode: "silent",
        },
      }),
    });
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" });
    await scene.settle();
    const cards = (await scene.outbox()).filter(({ kind }) => kind === "card");
    expect(cards).toMatchObject([{ silent: true }, { silent: true }]);
  });

  it("is superseded by what its requester wrote after the question, whenever the change came", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Fine." });
    await scene.change(0, { label: "two" });
    await scene.say("no, forget it");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await scene.statuses()).toEqual(["changed"]);
    expect((await scene.story()).includes("tool buy superseded")).toBe(true);
    expect(await scene.said()).toEqual(["Fine."]);
    await scene.expectAtRest();
  });

  it("is not superseded by what was written before the question", async () => {
    await using scene = await open();
    scene.model.reply(calls("buy"), { text: "Bought." });
    await scene.say("buy it");
    // Received by a process whose clock is fast.
    await scene.say("and then?", { atMs: Date.now() + 600_000 });
    await scene.settle();
    await scene.change(0, { label: "two" });
    await scene.settle();
    expect(await scene.statuses()).toEqual(["changed", "pending"]);
  });

  it("stopped meanwhile is not asked about again", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"));
    await scene.change(0, { label: "two" });
    await scene.stop();
    await scene.settle();
    expect(await scene.statuses()).toEqual(["changed"]);
    expect(scene.runs).toEqual([]);
    await scene.expectAtRest();
  });

  it("whose change was erased is asked about as it was", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" });
    const [view] = await scene.asked();
    await scene.parts.store.redis.hdel(approvalKey(view?.approval.id ?? ""), "edit");
    await scene.settle();
    expect((await scene.asked())[1]?.approval.arguments).toBe('{"label":"0"}');
    expect(await notices(scene)).toEqual([]);
  });

  it("is written down without its values", async () => {
    await using scene = await open();
    const written: unknown[] = [];
    scene.with({
      audit: {
        write: (_id, entry) => {
          written.push(entry);
          return Promise.resolve();
        },
      },
    });
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "secret wish" }, bob);
    await scene.settle();
    expect(written).toEqual([
      expect.objectContaining({
        action: "approval-edited",
        by: expect.objectContaining({ id: bob.id }) as unknown,
        target: "buy",
        outcome: "asked-again",
        details: expect.objectContaining({ changed: "label" }) as unknown,
      }),
    ]);
    expect(JSON.stringify(written)).not.toContain("secret wish");
  });

  it.each([
    ["stopped", (scene: Scene) => scene.stop()],
    ["superseded", (scene: Scene) => scene.say("no, forget it")],
  ] as const)("is written down, too, where it is %s before anybody is asked", async (_how, end) => {
    await using scene = await open();
    const written: unknown[] = [];
    scene.with({
      audit: {
        write: (_id, { action, outcome }) => {
          written.push([action, outcome]);
          return Promise.resolve();
        },
      },
    });
    await waiting(scene, calls("buy"), { text: "Fine." });
    await scene.change(0, { label: "two" });
    await end(scene);
    await scene.settle();
    expect(written).toEqual([["approval-edited", "not-asked"]]);
  });

  it("is what /undo says was done", async () => {
    await using scene = await open();
    await waiting(scene, calls("buy"), { text: "Bought." });
    await scene.change(0, { label: "two" });
    await scene.settle();
    await scene.decide(1, "approved");
    await scene.settle();
    await scene.control("undo");
    await scene.settle();
    expect((await scene.log()).at(-1)).toMatchObject({
      kind: "undo",
      ran: [{ name: "buy", arguments: '{"label":"two"}' }],
    });
  });
});
