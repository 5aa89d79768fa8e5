import { describe, expect, it } from "vitest";
import { shortApprovalId } from "../../../src/core/approval.ts";
import type { AuditEntry } from "../../../src/core/audit.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { calls, openScene, until, type Scene } from "../scene.ts";

const redis = await testDatabase();

type Line = Omit<AuditEntry, "v" | "atMs">;

/** A scene, and what it has written down, by id; as the log does it, each id once. */
async function open(leaseMs?: number) {
  const lines = new Map<string, Line>();
  const scene = await openScene({
    redis,
    ...(leaseMs === undefined ? {} : { leaseMs }),
    deps: {
      audit: {
        write(id, line) {
          if (!lines.has(id)) lines.set(id, line);
          return Promise.resolve();
        },
      },
    },
  });
  return { scene, lines };
}

const outcomes = (lines: ReadonlyMap<string, Line>): string[] =>
  [...lines.values()].map(({ target, outcome }) => `${target} ${outcome}`);

const ask = async (scene: Scene, text: string): Promise<void> => {
  await scene.say(text);
  await scene.settle();
};

describe("the audit log's lines of tools", () => {
  it("say who had which tool executed, where, and what came of it, but nothing of arguments and results", async () => {
    const { scene, lines } = await open();
    await using _ = scene;
    scene.model.reply(
      {
        toolCalls: [
          { name: "look", arguments: { label: "a secret" } },
          { name: "throws", arguments: {} },
        ],
      },
      { text: "Done." },
    );
    await ask(scene, "go");
    expect(Object.fromEntries(lines)).toEqual({
      [`${scene.chat}/1.1.0`]: {
        action: "tool-executed",
        by: { id: "telegram:1", name: "Ann" },
        chat: scene.chat,
        target: "look",
        outcome: "done",
        details: { effect: "read" },
      },
      [`${scene.chat}/1.1.1`]: {
        action: "tool-executed",
        by: { id: "telegram:1", name: "Ann" },
        chat: scene.chat,
        target: "throws",
        outcome: "tool-error",
        details: { effect: "read" },
      },
    });
    expect(JSON.stringify([...lines.values()])).not.toContain("secret");
    await scene.expectAtRest();
  });

  it("name the approval that a call had, and there is none of a call that did not run", async () => {
    const { scene, lines } = await open();
    await using _ = scene;
    scene.model.reply(calls("buy"), { text: "Bought." }, calls("buy"), {
      text: "Not bought.",
    });
    await ask(scene, "buy");
    expect(lines.size).toBe(0);
    await scene.decide(0, "approved");
    await scene.settle();
    const [asked] = await scene.asked();
    expect([...lines.values()]).toMatchObject([
      {
        target: "buy",
        outcome: "done",
        // As the lines of its decision name it.
        details: {
          effect: "once",
          approval: shortApprovalId(asked?.approval.id ?? ""),
        },
      },
    ]);
    await ask(scene, "buy");
    await scene.decide(1, "denied");
    await scene.settle();
    expect(lines.size).toBe(1);
    await scene.expectAtRest();
  });

  it("say of a call that was stopped while it ran what is known of it", async () => {
    const { scene, lines } = await open();
    await using _ = scene;
    const { gates, runs } = scene.parts.effects;
    gates.set("pay", new Promise(() => undefined));
    scene.model.reply(calls("pay"));
    await scene.say("pay");
    const ended = scene.settle();
    await until(() => runs.length > 0, "the call");
    await scene.stop();
    await ended;
    expect(outcomes(lines)).toEqual(["pay unknown"]);
    await scene.expectAtRest();
  });

  it("of a call whose worker died there is one, written by the worker that goes on", async () => {
    const { scene, lines } = await open(50);
    await using _ = scene;
    scene.model.reply(calls("pay", "send"), { text: "Done." });
    await scene.say("go");
    const { store } = scene.deps;
    let commits = 0;
    await expect(
      scene.run(undefined, {
        store: {
          ...store,
          commit(session, revision, commit) {
            commits += 1;
            // The claim is written; what came of it never is.
            return commits > 1
              ? Promise.reject(new Error("dead"))
              : store.commit(session, revision, commit);
          },
        },
        audit: { write: () => Promise.resolve() },
      }),
    ).rejects.toThrow("dead");
    expect(scene.runs).toHaveLength(1);
    await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
    await scene.settle();
    expect(outcomes(lines)).toEqual(["pay unknown", "send done"]);
    await scene.expectAtRest();
  });
});
