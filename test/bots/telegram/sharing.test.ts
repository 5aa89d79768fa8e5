import { describe, expect, it, vi } from "vitest";
import type { Bot } from "../../../src/core/ports.ts";
import { cuttingProxy } from "../../store/cutting-proxy.ts";
import { Scene } from "./support.ts";

const standsBy = /this one is on standby/;
const logged = (scene: Scene, line: RegExp): number =>
  scene.log.filter(({ msg }) => line.test(msg)).length;

/** A bot that polls, and one that stands by. */
async function twoBots(scene: Scene): Promise<readonly [Bot, Bot]> {
  const first = await scene.start();
  await scene.telegram.waitFor((server) => server.isPolled);
  const second = await scene.start();
  return [first, second];
}

const refusedPolls = (scene: Scene) =>
  scene.telegram.callsOf("getUpdates").filter(({ response }) => response?.ok === false);

describe("several processes with one token", () => {
  it("are all ready and all send; one polls and registers the menu, the others say that they stand by", async () => {
    await using scene = await Scene.open();
    const [, second] = await twoBots(scene);
    expect(logged(scene, standsBy)).toBe(1);
    expect(scene.telegram.callsOf("getMyCommands")).toHaveLength(1);
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "hello");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["hello"]);
    const outcome = await second.sender.send(
      {
        platform: "telegram",
        bot: String(scene.telegram.bot.id),
        chat: String(chat.id),
      },
      { text: "from the second" },
      { nonce: "1", final: true },
    );
    expect(outcome.type).toBe("sent");
  });

  it("follow one that ends, without a poll that Telegram refuses", async () => {
    await using scene = await Scene.open();
    const [first, second] = await twoBots(scene);
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    await scene.allConfirmed();
    await first[Symbol.asyncDispose]();
    anna.send(chat, "two");
    await scene.allConfirmed();
    await second[Symbol.asyncDispose]();
    expect(scene.leases.isTaken).toBe(false);
    expect(scene.script.texts).toEqual(["one", "two"]);
    expect(logged(scene, /receives from Telegram now/)).toBe(1);
    expect(refusedPolls(scene)).toEqual([]);
  });
});

describe("a process that lost its lease", () => {
  it("stops polling, confirms nothing, and stands by until it may go on", async () => {
    await using scene = await Scene.open();
    const stored = Promise.withResolvers<void>();
    scene.script.behave = async () => {
      await stored.promise;
      return { type: "queued" };
    };
    await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "one");
    await vi.waitFor(() => expect(scene.script.attempts).toHaveLength(1));
    scene.leases.takeAway();
    stored.resolve();
    await vi.waitFor(() => expect(logged(scene, standsBy)).toBe(1));
    expect(scene.telegram.isPolled).toBe(false);
    expect(scene.telegram.pendingUpdates).toHaveLength(1);
    expect(scene.warnings()).toEqual([
      expect.stringContaining("Redis did not hear from this process in time"),
    ]);
    scene.leases.free();
    await scene.allConfirmed();
    // It came again, as it would to another process; `accept` knows it.
    expect(scene.script.texts).toEqual(["one", "one"]);
  });

  it("learns that before it confirms anything, when it was stopped for a while", async () => {
    await using scene = await Scene.open();
    scene.script.behave = () => {
      setTimeout(() => scene.leases.takeAway(), 10);
      // As SIGSTOP does: time passes, and no timer fires.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
      return { type: "queued" };
    };
    await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "one");
    await vi.waitFor(() => expect(logged(scene, standsBy)).toBe(1));
    expect(scene.telegram.pendingUpdates).toHaveLength(1);
  });

  it("fetches nothing of what comes afterwards", async () => {
    await using scene = await Scene.open();
    await scene.start();
    await scene.telegram.waitFor((server) => server.isPolled);
    const polls = scene.telegram.callsOf("getUpdates").length;
    scene.leases.takeAway();
    await vi.waitFor(() => expect(logged(scene, standsBy)).toBe(1));
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "too late");
    expect(scene.telegram.callsOf("getUpdates")).toHaveLength(polls);
    expect(scene.script.attempts).toEqual([]);
  });

  it("does not wait at its end for a Redis that is silent, and keeps nothing that it is given later", async () => {
    await using scene = await Scene.open();
    const gate = Promise.withResolvers<void>();
    scene.leases.gate = gate.promise;
    const bot = scene.createBot();
    const started = bot.start().catch((error: unknown) => error);
    await vi.waitFor(() => expect(scene.leases.asked).toBe(1));
    await bot[Symbol.asyncDispose]();
    expect(await started).toMatchObject({ name: "AbortError" });
    gate.resolve();
    await vi.waitFor(() => expect(scene.leases.owners).toBe(1));
    await vi.waitFor(() => expect(scene.leases.isTaken).toBe(false));
  });
});

describe("a process that polls and reaches Telegram no more", () => {
  const yielded = /^Telegram is out of reach from this process/;

  it("lets another one poll, and stands by when it is back", async () => {
    await using scene = await Scene.open();
    const port = Number(new URL(scene.telegram.apiRoot).port);
    const way = await cuttingProxy(port);
    const apiRoot = way.url.replace("redis:", "http:");
    const first = scene.createBot({ apiRoot, outOfReachMs: 50 });
    await first.start();
    await scene.telegram.waitFor((server) => server.isPolled);
    await scene.start();
    await way[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(scene.leases.owners).toBe(2));
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "hello");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["hello"]);
    expect(logged(scene, yielded)).toBe(1);
    const wayBack = await cuttingProxy(port, way.url);
    await vi.waitFor(() => expect(logged(scene, standsBy)).toBe(2));
    await wayBack[Symbol.asyncDispose]();
  });

  it("because its token was revoked lets another one poll, which has the new one", async () => {
    await using scene = await Scene.open();
    const first = scene.createBot({ outOfReachMs: 50 });
    await first.start();
    await scene.telegram.waitFor((server) => server.isPolled);
    await scene.start();
    scene.telegram.inject({
      match: () => scene.leases.owners === 1,
      times: Infinity,
      kind: { type: "status", code: 401, description: "Unauthorized" },
    });
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    // The first one's last; it cannot be confirmed.
    anna.send(chat, "one");
    await vi.waitFor(() => expect(scene.leases.owners).toBe(2));
    anna.send(chat, "two");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["one", "one", "two"]);
    expect(logged(scene, yielded)).toBe(1);
    // Nothing was served between the refusal and the other's polling.
    expect(scene.served.filter((each, at) => each !== scene.served[at - 1]).slice(0, 2)).toEqual([
      "served",
      "auth",
    ]);
    expect(scene.served.at(-1)).toBe("served");
  });

  it("polls on where there is no other", async () => {
    await using scene = await Scene.open();
    const bot = scene.createBot({ outOfReachMs: 50 });
    await bot.start();
    const cut = scene.telegram.inject({
      times: Infinity,
      kind: { type: "hang-up-before" },
    });
    await vi.waitFor(() => expect(logged(scene, /^Telegram is out of reach/)).toBe(1));
    expect(scene.leases.isTaken).toBe(false);
    cut.remove();
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "hello");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["hello"]);
  });
});

it("is ready without the menu, which Telegram may put off", async () => {
  await using scene = await Scene.open();
  const menu = scene.telegram.inject({
    method: "getMyCommands",
    kind: { type: "hang" },
  });
  await scene.start();
  expect(menu.hits).toHaveLength(1);
  menu.release();
});

it("waits while no one can say who polls, and says so once", async () => {
  await using scene = await Scene.open();
  scene.leases.failures = 3;
  await scene.start();
  expect(scene.warnings()).toEqual([
    "Redis does not say which process receives from Telegram; retrying",
  ]);
  expect(scene.pausesMs).toEqual([1_000, 1_000, 1_000]);
  expect(scene.log.map(({ msg }) => msg)).toContain(
    "sharing Telegram between processes works again",
  );
});
