import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatKeys } from "../../src/store/keys.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { askForNote, isClosed } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText } from "../support/parley/previews.ts";
import { taken, timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { openClient } from "../support/redis/test-client.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const world = await openWorld();
const { telegram, model } = world;
const redis = openClient(world.redis.url);
const folder = mkdtempSync(join(tmpdir(), "parley-clocks-"));

const preload = new URL("../support/parley/skewed-clock.ts", import.meta.url).href;

type Role = "bots" | "worker";
const fileOf = (role: Role): string => join(folder, role);

/** Sets a process's wall clock; fulfils when it goes by it. */
async function set(role: Role, offMs: number): Promise<void> {
  writeFileSync(fileOf(role), String(offMs));
  await expect
    .poll(() => readFileSync(`${fileOf(role)}.seen`, "utf8"), {
      timeout: timeoutMs,
      interval: 10,
    })
    .toBe(String(offMs));
}

function start(role: Role, offMs: number) {
  writeFileSync(fileOf(role), String(offMs));
  return world.start({
    environment: {
      ...world.services,
      ...(role === "bots" ? telegram.environment : {}),
      PARLEY_ROLE: role,
      NODE_OPTIONS: `--import ${preload}`,
      TEST_CLOCK_FILE: fileOf(role),
    },
    config: "approvals: { expiresAfter: 3m }\n",
  });
}

beforeAll(async () => {
  await Promise.all([
    start("bots", -10 * minuteMs).ready(),
    start("worker", 10 * minuteMs).ready(),
  ]);
  await telegram.connected();
});

afterAll(() => {
  redis.disconnect();
  rmSync(folder, { recursive: true });
});

const keysOf = ({ personId }: TestChat) => {
  const [, id = ""] = personId.split(":");
  const [bot = ""] = telegram.server.token.split(":");
  return chatKeys(`telegram:${bot}:${id}` as ChatKey);
};

async function redisMs(): Promise<number> {
  const [seconds] = await redis.time();
  return Number(seconds) * 1_000;
}

/** The turn waits for a person, and a worker has looked at everything that waits behind it. */
async function waits(chat: TestChat): Promise<void> {
  const { state, inbox } = keysOf(chat);
  const { wake } = keysOf(chat);
  await expect
    .poll(
      async () => {
        const [json, owner] = await redis.hmget(state, "state", "owner");
        const members = await redis.zrange(wake, "0", "-1");
        const isDue = members.some((each) => each.startsWith("in:"));
        return {
          isWaiting: json?.includes('"phase":"waiting"') === true,
          isFree: owner === null && !isDue,
          inbox: await redis.llen(inbox),
        };
      },
      { timeout: timeoutMs, interval: 20 },
    )
    .toEqual({ isWaiting: true, isFree: true, inbox: 1 });
}

/** How long the only open card of a chat has left, by Redis' clock. */
async function cardLeftMs(chat: TestChat): Promise<number> {
  const { state, approvalPrefix } = keysOf(chat);
  const id = await redis.hget(state, "approvals");
  const expiresAt = await redis.hget(`${approvalPrefix}${id}`, "expiresAt");
  return Number(expiresAt) - (await redisMs());
}

async function expectNewerSupersedes(name: string): Promise<void> {
  const ann = telegram.direct("Ann");
  const card = await askForNote(ann, `${name} overtaken`);
  ann.say(`say ${name} instead`);
  await ann.wait(`${name} instead`);
  await ann.wait(isClosed(card, ""));
}

async function expectOlderLeavesAlone(name: string): Promise<void> {
  const ben = telegram.direct("Ben");
  const gate = model.hold(`${name} kept`, { at: "headers" });
  const asked = askForNote(ben, `${name} kept`);
  await gate.waitUntilHeld({ timeoutMs });
  ben.say(`say ${name} older`);
  const { inbox } = keysOf(ben);
  await expect.poll(() => redis.llen(inbox), { timeout: timeoutMs, interval: 20 }).toBe(1);
  gate.release();
  const card = await asked;
  await waits(ben);
  expect(await ben.tap(card, "Approve")).toMatch(taken);
  await ben.wait("write_note said: Noted.");
  await ben.wait(`${name} older`);
}

async function expectExpiresInTime(name: string): Promise<void> {
  const eve = telegram.direct("Eve");
  const card = await askForNote(eve, `${name} late`);
  const leftMs = await cardLeftMs(eve);
  expect(leftMs).toBeGreaterThan(2 * minuteMs);
  expect(leftMs).toBeLessThanOrEqual(3 * minuteMs + 1_000);
  // Three minutes later, by Redis' clock.
  const { state, approvalPrefix, wake } = keysOf(eve);
  const id = await redis.hget(state, "approvals");
  await redis.hset(`${approvalPrefix}${id}`, "expiresAt", "1");
  await redis.zadd(wake, 1, `appr:${id}`);
  await eve.wait(isClosed(card, "expired, no one decided in time"));
  await eve.wait("write_note said: confirmation-expired");
}

describe("processes whose clocks differ", () => {
  it.each([
    [-10, 10],
    [10, -10],
    [-5, 5],
    [5, -5],
  ])(
    "by minutes (bots %i, worker %i) agree on what was written first and when a card expires",
    async (bots, worker) => {
      await Promise.all([set("bots", bots * minuteMs), set("worker", worker * minuteMs)]);
      const name = `${bots} and ${worker}`;
      await Promise.all([
        expectNewerSupersedes(name),
        expectOlderLeavesAlone(name),
        expectExpiresInTime(name),
      ]);
    },
  );

  it.each([
    ["back", -hourMs],
    ["forward", hourMs],
  ])(
    "go on showing how an answer grows when they are set %s an hour in its middle",
    async (name, byMs) => {
      await Promise.all([set("bots", 1), set("worker", 1)]);
      const fay = telegram.direct("Fay");
      const text = longText(name);
      const gates = [10, 20].map((at) => model.hold(text, { at }));
      fay.say(`say ${text}`);
      for (const [index, gate] of gates.entries()) {
        await gate.waitUntilHeld({ timeoutMs });
        await fay.wait(`${name}${index * 10 + 8}`);
        if (index === 0) await Promise.all([set("bots", byMs), set("worker", byMs)]);
        gate.release();
      }
      await fay.wait(`${name}29`);
    },
  );
});
