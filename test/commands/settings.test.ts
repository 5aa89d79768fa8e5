import { describe, expect, it } from "vitest";
import type { ChatSettings } from "../../src/core/chat-settings.ts";
import { duration, usd } from "../../src/commands/amounts.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const ingress = openIngress(store);
const { settings } = ingress.deps;

const set = async (at: Place, argument: string) =>
  textOf(await ingress.command(at, "settings", { argument, answersItself: true }));

async function adminPlace(): Promise<Place> {
  const at = directPlace();
  await ingress.access.setRole(at.person, "admin");
  return at;
}

describe("/settings", () => {
  it("shows all effective settings and where they come from", async () => {
    const at = await adminPlace();
    await set(at, "whileBusy steer");
    await set(at, "maxTokens 200k");
    await set(at, "deadline off");
    await ingress.command(at, "tier", { argument: "smart" });
    expect((await set(at, "")).split("\n")).toEqual([
      "In this chat:",
      "tier: smart (your own choice; see /tier)",
      "model: none chosen (see /model)",
      "whileBusy: steer (set for this chat; default: followup)",
      "tools: names (default)",
      "activation: mention (default)",
      "thinking: off (default)",
      "maxModelCalls: 20 (default)",
      "maxToolExecutions: 80 (default)",
      "deadline: off (set for this chat; default: 15m; deep: 1h)",
      "maxTokens: 200000 (set for this chat; default: off)",
      "maxCost: off (default)",
      "toolFailure: off (default)",
      "confirmationDenied: on; deep: off (default)",
      "policyDenied: off (default)",
      "loopSameCall: 3 (default)",
      "loopSameTool: 5 (default)",
      "loopHints: 5; deep: 2 (default)",
      "/settings <name> <value> changes one, /settings <name> default takes that back.",
    ]);
  });

  it.each<[string, string, ChatSettings]>([
    ["whilebusy Collect", "whileBusy is now collect", { whileBusy: "collect" }],
    ["tools off", "tools is now off", { tools: "off" }],
    ["thinking on", "thinking is now on", { thinking: "on" }],
    ["maxModelCalls 5", "maxModelCalls is now 5", { maxModelCalls: 5 }],
    ["maxToolExecutions 0", "maxToolExecutions is now 0", { maxToolExecutions: 0 }],
    ["deadline 1h 30m", "deadline is now 1h 30m", { deadline: 5_400_000 }],
    ["maxTokens 1.5m", "maxTokens is now 1500000", { maxTokens: 1_500_000 }],
    ["maxCost $0.50", "maxCost is now $0.50", { maxCost: 0.5 }],
    ["maxCost 2usd", "maxCost is now $2.00", { maxCost: 2 }],
    ["toolFailure on", "toolFailure is now on", { toolFailure: "on" }],
    ["confirmationDenied off", "confirmationDenied is now off", { confirmationDenied: "off" }],
    ["policyDenied ON", "policyDenied is now on", { policyDenied: "on" }],
    ["loopSameCall 4", "loopSameCall is now 4", { loopSameCall: 4 }],
    ["loopsametool 9", "loopSameTool is now 9", { loopSameTool: 9 }],
    ["loopHints 0", "loopHints is now 0", { loopHints: 0 }],
    ["deadline 2H", "deadline is now 2h", { deadline: 7_200_000 }],
  ])("%s: %s", async (argument, said, stored) => {
    const at = await adminPlace();
    expect(await set(at, argument)).toBe(`${said} in this chat.`);
    expect(await settings.read(at.chat)).toEqual(stored);
    const [name] = argument.split(" ");
    expect(await set(at, `${name} default`)).toMatch(/is the default again: /);
    expect(await settings.read(at.chat)).toEqual({});
    expect(await store.redis.exists(chatKeys(at.chat).settings)).toBe(0);
  });

  it.each(["deadline", "maxTokens", "maxCost"] as const)(
    "%s off is more than any turn can use, in the store too",
    async (name) => {
      const at = await adminPlace();
      expect(await set(at, `${name} Off`)).toBe(`${name} is now off in this chat.`);
      const { [name]: stored } = await settings.read(at.chat);
      expect(stored).toBeGreaterThan(1e15);
      expect(await set(at, name)).toContain(`${name}: off (set for this chat;`);
    },
  );

  it.each([
    ["maxModelCalls off", 'maxModelCalls cannot be "off": expected a whole number from 1 to 1000.'],
    ["maxModelCalls 0", 'maxModelCalls cannot be "0": expected a whole number from 1 to 1000.'],
    [
      "maxToolExecutions -1",
      'maxToolExecutions cannot be "-1": expected a whole number from 0 to 10000.',
    ],
    ["deadline 15", 'deadline cannot be "15": expected a duration such as 15m or 24h, or off.'],
    ["maxTokens many", /^maxTokens cannot be "many": expected a whole number/],
    ["maxCost 5eur", 'maxCost cannot be "5eur": expected US dollars such as 5usd, or off.'],
    [
      "whileBusy wait",
      'whileBusy cannot be "wait": expected followup, steer, interrupt, collect or default.',
    ],
    ["thinking true", 'thinking cannot be "true": expected on, off or default.'],
    ["policyDenied maybe", /expected on, off or default/],
    ["loopSameCall 1", 'loopSameCall cannot be "1": expected a whole number from 2 to 100.'],
    ["loopHints off", /expected a whole number from 0 to 100\.$/],
    ["whilebuzy steer", 'There is no setting "whilebuzy". Did you mean whileBusy?'],
    ["colour blue", /^There is no setting "colour"\. There are: whileBusy, /],
    ["__proto__ 1", /^There is no setting "__proto__"/],
    ["tier smart", /^There is no setting "tier"/],
    [`maxTokens ${"9".repeat(5_000)}`, /^maxTokens cannot be "9{50}…": expected/],
  ])("%s is refused: what, where, and what was expected", async (line, said) => {
    const at = await adminPlace();
    const answer = await set(at, line);
    if (typeof said === "string") expect(answer).toBe(said);
    else expect(answer).toMatch(said);
    expect(await settings.read(at.chat)).toEqual({});
  });

  it("are changed by anybody in a direct chat, but for the limits of turns", async () => {
    const at = directPlace();
    for (const line of ["whileBusy steer", "tools full", "thinking on"])
      expect(await set(at, line)).toContain("is now");
    for (const line of [
      "maxModelCalls 5",
      "maxToolExecutions 5",
      "deadline 1h",
      "maxTokens 5",
      "maxCost 5",
      "toolFailure on",
      "confirmationDenied on",
      "policyDenied on",
      "loopSameCall 9",
      "loopSameTool 9",
      "loopHints 9",
      "maxCost default",
    ])
      expect(await set(at, line)).toMatch(/^You are not allowed to change \w+: an admin may\.$/);
    expect(await settings.read(at.chat)).toEqual({
      whileBusy: "steer",
      tools: "full",
      thinking: "on",
    });
    expect(await set(at, "maxCost")).toBe(
      "maxCost: off (default)\nYou are not allowed to change maxCost: an admin may.",
    );
    expect(await set(at, "tools")).toBe(
      "tools: full (set for this chat; default: names)\n/settings tools <value> changes it: expected off, names, full or default.",
    );
  });

  it.each([
    ["maxModelCalls", "expected a whole number from 1 to 1000."],
    ["deadline", "expected a duration such as 15m or 24h, or off."],
    ["maxCost", "expected US dollars such as 5usd, or off."],
    ["whileBusy", "expected followup, steer, interrupt, collect or default."],
    ["loopHints", "expected a whole number from 0 to 100."],
  ])("%s without a value says what it may be: %s", async (name, expected) => {
    expect((await set(await adminPlace(), name)).split("\n")[1]).toBe(
      `/settings ${name} <value> changes it: ${expected}`,
    );
  });

  it("take name and value from the options, where there are some", async () => {
    const at = await adminPlace();
    const given = async (options: Record<string, string>) =>
      textOf(
        await ingress.command(at, "settings", {
          argument: Object.values(options).join(" "),
          options,
        }),
      );
    expect(await given({ name: "deadline", value: " 1h 30m " })).toBe(
      "deadline is now 1h 30m in this chat.",
    );
    expect(await given({ value: "tools" })).toMatch(/^Which setting\? There are: whileBusy, /);
    expect(await given({})).toMatch(/^In this chat:/);
    expect(await settings.read(at.chat)).toEqual({ deadline: 5_400_000 });
  });

  it("are changed in a group by admins only", async () => {
    const group = groupPlace();
    const admin = groupPlace(newPerson(), group);
    await ingress.access.setRole(admin.person, "admin");
    expect(await set(group, "tools off")).toBe(
      "You are not allowed to change tools in a group: an admin may.",
    );
    expect(await settings.read(group.chat)).toEqual({});
    expect(await set(admin, "tools off")).toContain("is now off");
    expect(await settings.read(group.chat)).toEqual({ tools: "off" });
  });

  it("that are broken in the store count as not set", async () => {
    const at = await adminPlace();
    await store.redis.hset(chatKeys(at.chat).settings, {
      whileBusy: "sometimes",
      maxTokens: "many",
      thinking: "on",
      unknown: "1",
    });
    expect(await settings.read(at.chat)).toEqual({ thinking: "on" });
    expect(await set(at, "whileBusy")).toContain("followup (default)");
  });

  it("that no one could read are not written", async () => {
    const at = await adminPlace();
    await expect(settings.set(at.chat, "whileBusy", "sometimes")).rejects.toThrow(
      "a chat's setting whileBusy cannot have the given value",
    );
    expect(await store.redis.exists(chatKeys(at.chat).settings)).toBe(0);
  });
});

it.each([
  [0, "0s"],
  [1, "1ms"],
  [90_000, "1m 30s"],
  [93_784_005, "1d 2h 3m 4s 5ms"],
])("%i ms are %s", (ms, said) => {
  expect(duration(ms)).toBe(said);
});

it.each([
  [0, "$0"],
  [1e-9, "<$0.000001"],
  [0.000_012_3, "$0.000012"],
  [0.001_23, "$0.00123"],
  [0.5, "$0.50"],
  [12.345, "$12.35"],
])("%d US dollars are %s", (amount, said) => {
  expect(usd(amount)).toBe(said);
});
