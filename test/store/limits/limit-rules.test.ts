import { beforeEach, describe, expect, it, vi } from "vitest";
import type { LimitScope } from "../../../src/core/limits.ts";
import { createLimitRules } from "../../../src/store/limits/limit-rules.ts";
import { limitsKey } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { cuttingProxy } from "../cutting-proxy.ts";
import { newChat, storeOn } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const rules = createLimitRules(store);

beforeEach(() => store.redis.flushdb());

const change = (scope: LimitScope, max: number | undefined) =>
  [{ scope, metric: "messages", per: "day", max }] as const;

describe("limits that were set", () => {
  it("are none at first", async () => {
    expect(await rules.read()).toEqual({
      version: "0",
      rules: [],
      unreadable: [],
    });
  });

  it("have one version for all who ask at once, and the newest for who asks next", async () => {
    const asked = vi.spyOn(store.redis, "get");
    const together = [rules.version(), Promise.resolve().then(() => rules.version())];
    expect(await Promise.all(together)).toEqual(["0", "0"]);
    expect(asked).toHaveBeenCalledTimes(1);
    await rules.change("e", change({ kind: "person" }, 1));
    expect(await rules.version()).toBe("1");
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });

  it.each<[string, LimitScope]>([
    ["everybody", { kind: "person" }],
    ["a person", { kind: "person", id: "telegram:1" }],
    ["a role", { kind: "role", role: "guest" }],
    ["a chat", { kind: "chat", chat: newChat() }],
    ["every chat", { kind: "chat" }],
    ["a platform", { kind: "platform", platform: "discord" }],
    ["all together", { kind: "global" }],
  ])("for %s are read back", async (_, scope) => {
    const limits = [
      { metric: "cost", per: "month", max: 0.000000001 },
      { metric: "messages", per: "day", max: Infinity },
      { metric: "tokens", per: "turn", max: 0 },
    ] as const;
    await rules.change(
      "e1",
      limits.map((limit) => ({ scope, ...limit })),
    );
    const read = await rules.read();
    expect(read.unreadable).toEqual([]);
    expect(read.rules).toHaveLength(3);
    expect(read.rules).toEqual(expect.arrayContaining(limits.map((limit) => ({ scope, limit }))));
  });

  it("a change says what held before, and gives the rules another version", async () => {
    const scope = { kind: "global" } as const;
    expect(await rules.change("e1", change(scope, 5))).toEqual([undefined]);
    const { version } = await rules.read();
    expect(await rules.change("e2", change(scope, Infinity))).toEqual([5]);
    expect((await rules.read()).version).not.toBe(version);
    expect(await rules.change("e3", change(scope, undefined))).toEqual([Infinity]);
    expect((await rules.read()).rules).toEqual([]);
  });

  it("what changes nothing leaves the version as it is", async () => {
    const scope = { kind: "global" } as const;
    await rules.change("e1", change(scope, 5));
    const { version } = await rules.read();
    await rules.change("e2", change(scope, 5));
    expect((await rules.read()).version).toBe(version);
  });

  it("an event changes them once: carried out again, it gives the same", async () => {
    const scope = { kind: "global" } as const;
    await rules.change("e1", change(scope, 5));
    await rules.change("e2", change(scope, 7));
    await rules.change("e3", change(scope, 9));
    expect(await rules.change("e2", change(scope, 7))).toEqual([5]);
    const [rule] = (await rules.read()).rules;
    expect(rule?.limit.max).toBe(9);
  });

  it("a lost reply changes nothing", async () => {
    await using proxy = await cuttingProxy(server.port);
    const cut = storeOn({ url: proxy.url });
    const lossy = createLimitRules(cut);
    await lossy.change("warm", change({ kind: "person" }, 1));
    proxy.loseNextReply();
    const before = await lossy.change("e1", change({ kind: "person" }, 2));
    expect(proxy.lost).toBe(1);
    expect(before).toEqual([1]);
    cut.redis.disconnect();
  });

  it.each([
    ["person telegram:1 messages/day", "5"],
    ["king messages/day", "5"],
    ["global messages/turn", "5"],
    ["global hugs/day", "5"],
    ["global messages/day", "many"],
    ["global messages/day", "-5"],
    ["global messages/day", ""],
    ["global constructor/day", "5"],
    ["", "5"],
  ])("%j of %j is nothing that this version can read", async (field, value) => {
    await store.redis.hset(limitsKey("rules"), field, value);
    expect(await rules.read()).toMatchObject({
      rules: [],
      unreadable: [field],
    });
  });
});
