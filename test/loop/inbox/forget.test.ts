import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { TurnStore } from "../../../src/core/ports.ts";
import { controlEntrySchema } from "../../../src/core/history.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { forget } from "../../../src/loop/inbox/forget.ts";
import { Billing } from "../../../src/loop/model/billing.ts";
import type { TurnSession } from "../../../src/loop/session/turn-session.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { parseStored } from "../../../src/store/stored.ts";
import { dump } from "../../store/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { ann, bob, calls, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();
const open = () => openScene({ redis });

const erased = "message [erased]";

/** Two turns of Ann's with one of Bob's between them. */
async function talk(scene: Scene): Promise<void> {
  const group = true as const;
  await scene.say("one", { group });
  await scene.settle();
  scene.model.reply(calls("look"), { text: "Bob, I looked" });
  await scene.say("two", { group, person: bob });
  await scene.settle();
  await scene.say("three", { group });
  await scene.settle();
}

const order = (scene: Scene, control: "forget-chat" | "forget-author") =>
  scene.parts.inbox.append(scene.chat, {
    kind: "control",
    v: 2,
    id: `the order to ${control}`,
    control,
    person: control === "forget-chat" ? ann : bob,
    atMs: 1,
  });

const dies = () => Promise.reject(new Error("killed"));

const storyWithoutBob = [
  "message one",
  "assistant You said: Ann: one",
  erased,
  "assistant [look]",
  "tool look done",
  "assistant [erased]",
  "message three",
  "assistant You said: Ann: three",
];

describe("an erasure in a chat's inbox", () => {
  it("comes in order with messages: what comes after it starts again", async () => {
    await using scene = await open();
    await talk(scene);
    await scene.say("before");
    await order(scene, "forget-chat");
    await scene.say("behind");
    await scene.settle();
    expect(await scene.story()).toEqual(["message behind", "assistant You said: behind"]);
    expect(await scene.said()).toEqual(["You said: behind"]);
    expect(scene.model.requests.at(-1)?.messages.at(-1)?.text).toBe("behind");
    await scene.expectAtRest();
  });

  it("is not ended by a stop that comes behind it", async () => {
    await using scene = await open();
    await talk(scene);
    await order(scene, "forget-chat");
    await scene.stop();
    await scene.settle();
    expect(await scene.log()).toEqual([]);
  });

  it("counts turns on, so that no answer is taken for an old one", async () => {
    await using scene = await open();
    await talk(scene);
    const turn = Number(await scene.hash("turn"));
    await order(scene, "forget-chat");
    await scene.settle();
    await scene.say("hello");
    await scene.settle();
    const [answer] = await scene.outbox();
    expect(answer?.id).toBe(`turn-${turn + 2}`);
  });

  it.each(["before the last step", "in the middle"])(
    "goes on after a worker that died %s",
    async (when) => {
      await using scene = await open();
      await talk(scene);
      await order(scene, "forget-author");
      const { store } = scene.deps;
      const dying: TurnStore =
        when === "in the middle"
          ? {
              ...store,
              overwrite: async (session, revision, entries) => {
                const half = entries.slice(0, entries.length / 2);
                await store.overwrite(session, revision, half);
                return await dies();
              },
            }
          : { ...store, erase: dies };
      await expect(scene.run(undefined, { store: dying })).rejects.toThrow("killed");
      await scene.parts.store.redis.hset(chatKeys(scene.chat).state, "lease", 1);
      await scene.settle();
      expect(await scene.story()).toEqual(storyWithoutBob);
      expect(JSON.stringify(await scene.log())).not.toMatch(/two|Bob/);
      expect(await scene.said()).toEqual(["You said: Ann: one", "You said: Ann: three"]);
      await scene.expectAtRest();
    },
  );

  it("leaves what another's delivery was at in doubt: it is repeated with a label, or not at all", async () => {
    await using scene = await open();
    await talk(scene);
    const deliveries = createOutboxStore(scene.parts.store, 60_000);
    const sending = await deliveries.open(scene.chat);
    if (sending.type !== "open") throw new Error("nothing to deliver");
    await order(scene, "forget-author");
    await scene.settle();
    expect(await deliveries.write(sending.session, { id: "turn-1", fields: {} })).toBeUndefined();
    expect(await deliveries.open(scene.chat)).toMatchObject({
      interrupted: "turn-1",
      entries: [{ id: "turn-1" }, { id: "turn-3" }],
    });
  });

  it("has no one's entry in doubt where what a delivery was at is erased", async () => {
    await using scene = await open();
    await talk(scene);
    const { outbox } = chatKeys(scene.chat);
    await scene.parts.store.redis.lpop(outbox);
    const deliveries = createOutboxStore(scene.parts.store, 60_000);
    await deliveries.open(scene.chat);
    await order(scene, "forget-author");
    await scene.settle();
    const opened = await deliveries.open(scene.chat);
    expect(opened).toMatchObject({
      interrupted: undefined,
      entries: [{ id: "turn-3" }],
    });
  });

  it("blanks what cannot be read of the history, and goes on", async () => {
    await using scene = await open();
    await talk(scene);
    await scene.reset();
    await scene.settle();
    const { log } = chatKeys(scene.chat);
    await scene.parts.store.redis.lset(log, 1, '{"text":"two", Bob');
    await order(scene, "forget-author");
    await scene.settle();
    expect(await scene.story()).toEqual([
      "message one",
      "undo",
      ...storyWithoutBob.slice(2),
      "reset",
    ]);
    expect(JSON.stringify(await scene.log())).not.toMatch(/two|Bob/);
    await scene.expectAtRest();
  });

  it("waits for someone's decision no longer than another's message does", async () => {
    await using scene = await open();
    await talk(scene);
    scene.model.reply(calls("buy"));
    await scene.say("buy it", { group: true });
    await scene.settle();
    const atMs = Date.now();
    await scene.parts.inbox.append(scene.chat, {
      kind: "control",
      v: 2,
      id: "the order",
      control: "forget-author",
      person: bob,
      atMs,
    });
    const clock = (wall: number) => ({
      clock: { ...scene.deps.clock, wall: () => wall },
    });
    expect(await scene.settle(clock(atMs + 100_000))).toMatchObject({
      type: "later",
    });
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.settle(clock(Date.now() + 120_000));
    expect(await scene.statuses()).toEqual(["superseded"]);
    expect(JSON.stringify(await scene.log())).not.toMatch(/two|Bob/);
    await scene.expectAtRest();
  });

  it("is a newer version's to those who know no erasure, so that they leave it", async () => {
    await using scene = await open();
    await order(scene, "forget-chat");
    const { inbox } = chatKeys(scene.chat);
    const json = await scene.parts.store.redis.lindex(inbox, 0);
    expect(() => parseStored(controlEntrySchema, inbox, json ?? "")).toThrow(
      /newer than this process knows/,
    );
  });

  it("of one person is not remembered by the worker that has read the history before", async () => {
    await using scene = await open();
    await talk(scene);
    await order(scene, "forget-author");
    await scene.settle();
    await scene.say("and now?");
    await scene.settle();
    const shown = JSON.stringify(scene.model.requests.at(-1)?.messages);
    expect(shown).toContain("three");
    expect(shown).not.toMatch(/two|Bob/);
    await scene.expectAtRest();
  });

  it.each(["forget-chat", "forget-author"] as const)(
    "%s whose reply was lost changes nothing when it is sent again",
    async (control) => {
      await using scene = await open();
      await talk(scene);
      await order(scene, control);
      await scene.say("behind");
      const { store } = scene.deps;
      let after: unknown;
      const twice: TurnStore = {
        ...store,
        async erase(...given) {
          const first = await store.erase(...given);
          after = await dump(scene.parts.store.redis);
          expect(await store.erase(...given)).toEqual(first);
          expect(first).toEqual({ type: "erased", again: true });
          return first;
        },
      };
      await scene.run(undefined, { store: twice });
      expect(await dump(scene.parts.store.redis)).toEqual(after);
    },
  );

  it("leaves when another worker has taken the chat", async () => {
    await using scene = await open();
    await talk(scene);
    await order(scene, "forget-author");
    const { store } = scene.deps;
    const late: TurnStore = {
      ...store,
      async overwrite(...given) {
        await scene.parts.store.redis.hset(chatKeys(scene.chat).state, "owner", "somebody");
        return await store.overwrite(...given);
      },
    };
    expect(await scene.run(undefined, { store: late })).toEqual({
      type: "done",
    });
    expect(JSON.stringify(await scene.log())).toMatch(/two/);
  });
});

it("a long history that comes at once lets other work run between its entries", async () => {
  const entries = 20;
  async function* history() {
    for (let position = 0; position < entries; position += 1)
      yield await Promise.resolve({
        position,
        entry: {
          kind: "message",
          v: 1,
          id: `m${position}`,
          person: bob,
          text: "words",
          atMs: 0,
        },
      });
  }
  const deps = { store: { history } } as unknown as LoopDeps;
  const session = {
    erase: () => Promise.resolve(false),
  } as unknown as TurnSession;
  let turns = 0;
  const over = new AbortController();
  const counting = (async () => {
    for (; !over.signal.aborted; turns += 1) await setImmediate();
  })();
  await forget(
    { deps, session, billing: new Billing() },
    {
      kind: "control",
      v: 2,
      id: "f1",
      control: "forget-author",
      person: ann,
      atMs: 0,
    },
    false,
  );
  over.abort();
  await counting;
  expect(turns).toBeGreaterThanOrEqual(entries - 1);
});
