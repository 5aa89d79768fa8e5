import { describe, expect, it } from "vitest";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { startTestRedis } from "../support/redis/test-redis.ts";
import { testRedisKind } from "../support/redis/test-redis-kind.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { model } = world;

describe("a process of role all", () => {
  it("ends with 0 on SIGTERM, and the next one completes what it left", async () => {
    const first = world.start({ environment: world.environment });
    await first.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    const begun = await Promise.all(
      world.stages.map(async (stage) => {
        const chat = stage.direct("Ann");
        const text = longText(stage.name);
        return {
          chat,
          text,
          ...(await stopInTheMiddle(model, chat, text)),
        };
      }),
    );
    expect(await world.owned()).toBe(begun.length);
    expect(await first.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    // Given back, so that no one has to wait for a lease's end.
    expect(await world.owned()).toBe(0);
    for (const { release } of begun) release();
    const second = world.start({ environment: world.environment });
    await second.ready();
    await Promise.all(
      begun.map(async ({ chat, text, preview }) => {
        await chat.wait((message) => message.text === text);
        expect(chat.shown().map(({ id }) => id)).toEqual([preview.id]);
      }),
    );
    expect(await second.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends with 0 on %s while it has nothing to do",
    async (signal) => {
      const parley = world.start({ environment: world.environment });
      await parley.ready();
      expect(await parley.kill(signal)).toEqual({ code: 0, signal: null });
    },
  );
});

describe.skipIf(testRedisKind !== "single")("without Redis", () => {
  it.each(["is gone", "is silent"] as const)(
    "a process lives, and ends in time and with 0, when Redis %s",
    async (what) => {
      await using redis = await startTestRedis();
      if (what === "is gone") await redis.kill();
      const parley = world.start({
        environment: {
          ...world.environment,
          REDIS_URL: redis.url,
          PARLEY_HTTP_PORT: "0",
        },
      });
      const url = await parley.httpUrl();
      const reason = async () => await (await fetch(`${url}/readyz`)).json();
      if (what === "is gone") {
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
        expect((await fetch(`${url}/metrics`)).status).toBe(200);
        expect(await reason()).toMatchObject({ reason: "waiting for Redis" });
        await redis.restart();
      }
      await parley.ready();
      expect(await reason()).toEqual({ status: "ready" });
      if (what === "is gone") await redis.kill();
      else redis.pause();
      await expect
        .poll(reason, { timeout: timeoutMs })
        .toMatchObject({ reason: "Redis does not answer" });
      expect(await parley.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    },
  );
});

it.skipIf(testRedisKind !== "single")(
  "a process that works on a turn ends in time and with 0 though Redis has gone",
  async () => {
    await using redis = await startTestRedis();
    const parley = world.start({
      environment: { ...world.environment, REDIS_URL: redis.url },
    });
    await parley.ready();
    const stage = world.telegram;
    await stage.connected();
    const { release } = await stopInTheMiddle(model, stage.direct("Bob"), longText(stage.name));
    await redis.kill();
    expect(await parley.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    release();
  },
);

describe("the probes", () => {
  it("say when the process lives and when it is ready", async () => {
    const { telegram } = world;
    const notYet = telegram.server.inject({
      method: "getMe",
      kind: { type: "hang" },
    });
    const parley = world.start({
      environment: {
        ...world.services,
        ...telegram.environment,
        PARLEY_HTTP_PORT: "0",
      },
    });
    const url = await parley.httpUrl();
    const status = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(503);
    notYet.release();
    await parley.ready();
    expect(await status("/readyz")).toBe(200);
    expect(await status("/healthz")).toBe(200);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^# TYPE /m);
    await parley.kill("SIGKILL");
  });
});
