import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHistory } from "../../src/store/turns/history.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { decideApproval } from "../approvals/decide.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { storeOn } from "../store/support.ts";
import { historyProblems } from "../support/parley/history-problems.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { openShop } from "../support/parley/shop.ts";
import { TelegramStage } from "../support/parley/telegram-stage.ts";
import { loadStates } from "./stored-states.ts";

const world = await openWorld();
const shop = await openShop();
const telegram = await TelegramStage.start({
  token: "7000000001:planted-for-a-test-of-upgrades-123",
});
afterAll(() => telegram[Symbol.asyncDispose]());
const store = storeOn(world.redis);

const ids = {
  Ann: 1001,
  Ben: 1002,
  Cat: 1003,
  Dan: 1004,
  Eve: 1005,
  Finn: 1006,
  Gus: 1007,
} as const;
type Name = keyof typeof ids;
const chatOf = (name: Name) => `telegram:7000000001:${ids[name]}` as ChatKey;
const people = new Map(
  (Object.keys(ids) as Name[]).map((name) => [name, telegram.direct(name, ids[name])]),
);
function person(name: Name) {
  const found = people.get(name);
  if (!found) throw new Error(name);
  return found;
}

beforeAll(async () => {
  const client = new Redis(world.redis.url);
  await loadStates(client, "2026-11-20");
  client.disconnect();
  await world
    .start({
      environment: { ...world.services, ...telegram.environment },
      config: shop.config,
    })
    .ready();
  await telegram.connected();
});

describe("what a killed process of an earlier version left", { shuffle: false }, () => {
  it("a turn that had just been opened is answered", async () => {
    await person("Ben").wait(
      ({ text }) =>
        text === "what ben waits for, and has seen the beginning of before the end of all",
    );
  });

  it("a call that may have run is not run again, and the model is told", async () => {
    await person("Cat").wait("outcome-unknown");
    expect(shop.callsFor("cat")).toEqual([]);
  });

  it("a question is superseded by a newer message", async () => {
    const dan = person("Dan");
    dan.say("say something else");
    await dan.wait("something else");
    const approval = await store.redis.keys("parley:{s251}:appr:*");
    expect(await store.redis.hget(approval[0] ?? "", "status")).toBe("superseded");
  });

  it("a question can still be decided, for exactly what was shown", async () => {
    const [key = ""] = await store.redis.keys("parley:{s104}:appr:*");
    const decided = await decideApproval(createApprovalStore(store), {
      approvalId: key.split(":appr:")[1] ?? "",
      status: "approved",
      person: { id: "telegram:1005", name: "Eve" },
      role: "member",
      chat: chatOf("Eve"),
      messageId: (await store.redis.hget(key, "card")) ?? undefined,
      notAfterMs: undefined,
    });
    expect(decided.type).toBe("decided");
    await person("Eve").wait("write_note said: Noted.");
  });

  it("an answer that was not sent yet is sent", async () => {
    await person("Finn").wait("what finn waits for");
  });

  it("what ran and what waited behind it are answered in order", async () => {
    const gus = person("Gus");
    await gus.wait("what gus waits for");
    expect(gus.shown().map(({ text }) => text)).toEqual([
      "what gus has asked first",
      "what gus waits for",
    ]);
  });

  it("a conversation goes on, with its settings and what it has used", async () => {
    const ann = person("Ann");
    ann.say("say and on it goes");
    await ann.wait("and on it goes");
    const request = world.model.requests.find(
      ({ lastUserText }) => lastUserText === "say and on it goes",
    );
    expect(JSON.stringify(request)).toContain("the first answer of before");
    expect(JSON.stringify(request)).toContain("buy tea");
    const { settings, state } = chatKeys(chatOf("Ann"));
    expect(await store.redis.hget(settings, "tools")).toBe("off");
    expect(await store.redis.hget(state, "usage:turns")).toBe("4");
  });

  it("leaves histories without a fault", async () => {
    await world.delivered();
    for (const name of Object.keys(ids) as Name[]) {
      const entries = [];
      for await (const { entry } of readHistory(store, chatOf(name))) entries.push(entry);
      expect(historyProblems(entries)).toEqual([]);
    }
  });
});
