import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EffectiveLimits } from "../../src/limits/effective-limits.ts";
import { chatKey } from "../../src/core/chat.ts";
import { limitedRoles } from "../../src/core/limit-scopes.ts";
import type { Limit, LimitRule, LimitScope, TurnCaps } from "../../src/core/limits.ts";

const group = chatKey({ platform: "telegram", bot: "77", chat: "-1001" });
const topic = chatKey({
  platform: "telegram",
  bot: "77",
  chat: "-1001",
  thread: "7",
});
const standing = { person: "telegram:1", role: "member", chat: group } as const;

const own: LimitScope = { kind: "person", id: "telegram:1" };
const member: LimitScope = { kind: "role", role: "member" };
const everyPerson: LimitScope = { kind: "person" };
const thisChat: LimitScope = { kind: "chat", chat: group };
const everyChat: LimitScope = { kind: "chat" };
const platform: LimitScope = { kind: "platform", platform: "telegram" };
const global: LimitScope = { kind: "global" };

const messages = (scope: LimitScope, max: number): LimitRule => ({
  scope,
  limit: { metric: "messages", per: "day", max },
});
const calls = (scope: LimitScope, max: number): LimitRule => ({
  scope,
  limit: { metric: "model-calls", per: "turn", max },
});
const bookOf = (set: readonly LimitRule[], file: readonly LimitRule[] = []) =>
  new EffectiveLimits("1", { file, set });
const capsOf = (set: readonly LimitRule[], file: readonly LimitRule[] = []) =>
  bookOf(set, file)
    .capsOf(standing)
    .map(({ counter, limit }) => [counter, limit.max]);

describe("what holds over time", () => {
  it.each<[string, LimitRule[], (string | number)[][]]>([
    ["nothing set", [], []],
    ["everybody's", [messages(everyPerson, 10)], [["person", 10]]],
    [
      "their role's before everybody's",
      [messages(everyPerson, 10), messages(member, 20)],
      [["person", 20]],
    ],
    [
      "their own before their role's",
      [messages(own, 5), messages(member, 20), messages(everyPerson, 10)],
      [["person", 5]],
    ],
    ["their own, though it is more", [messages(own, 50), messages(member, 20)], [["person", 50]]],
    [
      "nothing of persons where their own is off",
      [messages(own, Infinity), messages(everyPerson, 10)],
      [],
    ],
    ["another role's does not", [messages({ kind: "role", role: "guest" }, 1)], []],
    ["somebody else's does not", [messages({ kind: "person", id: "telegram:2" }, 1)], []],
    [
      "the chat's before every chat's",
      [messages(everyChat, 10), messages(thisChat, 20)],
      [["chat", 20]],
    ],
    [
      "the shared ones besides the person's",
      [messages(own, 1), messages(thisChat, 2), messages(platform, 3), messages(global, 4)],
      [
        ["person", 1],
        ["chat", 2],
        ["platform", 3],
        ["global", 4],
      ],
    ],
    ["another platform's does not", [messages({ kind: "platform", platform: "discord" }, 1)], []],
    [
      "nobody is spared the global one",
      [messages(own, Infinity), messages(global, 4)],
      [["global", 4]],
    ],
  ])("%s", (_, set, expected) => {
    expect(capsOf(set)).toEqual(expected);
  });

  it("what was set beats the file in the same scope and window only", () => {
    const file = [messages(everyPerson, 10), messages(global, 100)];
    expect(capsOf([messages(everyPerson, 20)], file)).toEqual([
      ["person", 20],
      ["global", 100],
    ]);
    const perHour: Limit = { metric: "messages", per: "hour", max: 2 };
    expect(capsOf([{ scope: own, limit: perHour }], file)).toEqual([
      ["person", 10],
      ["global", 100],
      ["person", 2],
    ]);
  });

  it("a topic counts to its group", () => {
    const caps = bookOf([messages(thisChat, 3)]).capsOf({
      ...standing,
      chat: topic,
    });
    expect(caps).toHaveLength(1);
  });

  it("knows whether roles matter", () => {
    expect(bookOf([messages(own, 1)]).hasRoles).toBe(false);
    expect(bookOf([], [messages(member, 1)]).hasRoles).toBe(true);
  });
});

describe("what a turn may do", () => {
  it.each<[string, LimitRule[], TurnCaps]>([
    ["nothing set", [], {}],
    ["everybody's", [calls(everyPerson, 10)], { maxModelCalls: 10 }],
    [
      "the platform's before everybody's",
      [calls(everyPerson, 10), calls(platform, 20)],
      { maxModelCalls: 20 },
    ],
    [
      "every chat's before the platform's",
      [calls(everyChat, 30), calls(platform, 20)],
      { maxModelCalls: 30 },
    ],
    [
      "the role's before every chat's",
      [calls(member, 40), calls(everyChat, 30)],
      { maxModelCalls: 40 },
    ],
    [
      "the chat's before the role's",
      [calls(member, 40), calls(thisChat, 50)],
      { maxModelCalls: 50 },
    ],
    ["their own before the chat's", [calls(own, 60), calls(thisChat, 50)], { maxModelCalls: 60 }],
    ["never more than the global one", [calls(own, 60), calls(global, 7)], { maxModelCalls: 7 }],
    ["off is no cap of its own", [calls(own, Infinity), calls(everyPerson, 10)], {}],
    [
      "and not above the global one",
      [calls(own, Infinity), calls(global, 7)],
      { maxModelCalls: 7 },
    ],
  ])("%s", (_, set, expected) => {
    expect(bookOf(set).turnCapsOf(standing)).toEqual(expected);
  });

  it("each metric has its cap, in the unit of turns", () => {
    const limits: Limit[] = [
      { metric: "model-calls", per: "turn", max: 1 },
      { metric: "tool-executions", per: "turn", max: 0 },
      { metric: "deadline", per: "turn", max: 60_000 },
      { metric: "tokens", per: "turn", max: 3_000 },
      { metric: "cost", per: "turn", max: 0.25 },
    ];
    const set = limits.map((limit) => ({ scope: global, limit }));
    expect(bookOf(set).turnCapsOf(standing)).toEqual({
      maxModelCalls: 1,
      maxToolExecutions: 0,
      deadlineMs: 60_000,
      maxTokens: 3_000,
      maxCostUsd: 0.25,
    });
  });
});

describe("whatever is set", () => {
  const scopes: LimitScope[] = [own, member, everyPerson, thisChat, everyChat, platform, global];
  const rules = fc.array(
    fc
      .tuple(
        fc.constantFrom(...scopes),
        fc.oneof(fc.nat({ max: 100 }), fc.constant(Infinity)),
        fc.boolean(),
      )
      .map(([scope, max, isTurn]) => (isTurn ? calls(scope, max) : messages(scope, max))),
    { maxLength: 20 },
  );
  const roles = fc.option(fc.constantFrom(...limitedRoles), {
    nil: undefined,
  });

  it("the global ceiling holds, and there is one cap for each counter at most", () => {
    fc.assert(
      fc.property(rules, rules, roles, (set, file, role) => {
        const book = bookOf(set, file);
        const who = { ...standing, role };
        const ceiling = (metric: "messages" | "model-calls"): number =>
          book.maxOf(global, metric, metric === "messages" ? "day" : "turn") ?? Infinity;
        const caps = book.capsOf(who);
        expect(new Set(caps.map(({ counter }) => counter)).size).toBe(caps.length);
        const ofAll = caps.find(({ counter }) => counter === "global");
        expect(ofAll?.limit.max ?? Infinity).toBe(ceiling("messages"));
        expect(book.turnCapsOf(who).maxModelCalls ?? Infinity).toBeLessThanOrEqual(
          ceiling("model-calls"),
        );
      }),
    );
  });

  it("the most specific of persons' limits is the one that holds", () => {
    fc.assert(
      fc.property(rules, rules, (set, file) => {
        const book = bookOf(set, file);
        const first = [own, member, everyPerson]
          .map((scope) => book.maxOf(scope, "messages", "day"))
          .find((max) => max !== undefined);
        const held = book.capsOf(standing).find(({ counter }) => counter === "person");
        expect(held?.limit.max ?? Infinity).toBe(first ?? Infinity);
      }),
    );
  });
});
