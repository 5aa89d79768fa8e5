import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatTierNames, type ChatTierName } from "../../../src/core/model.ts";
import { routeTier, traitsOf, type RoutingInput } from "../../../src/loop/machine/routing.ts";

interface Changes {
  readonly preference?: RoutingInput["preference"];
  readonly chat?: RoutingInput["chat"];
  readonly base?: ChatTierName;
  readonly text?: string;
  readonly images?: boolean;
  readonly turn?: Partial<RoutingInput["turn"]>;
  readonly vision?: readonly ChatTierName[];
  readonly aliases?: Partial<Record<ChatTierName, ChatTierName>>;
}

/** A first round about nothing in particular, changed by these. */
const input = (changes: Changes): RoutingInput => ({
  preference: changes.preference,
  chat: changes.chat ?? {},
  base: changes.base ?? "balanced",
  request: traitsOf({
    text: changes.text ?? "Hello",
    images: changes.images ?? false,
  }),
  turn: {
    round: 1,
    failedInRow: 0,
    detections: 0,
    spentShare: 0,
    ...changes.turn,
  },
  ...(changes.vision ? { visionTiers: new Set(changes.vision) } : {}),
  ...(changes.aliases
    ? {
        aliases: new Map(Object.entries(changes.aliases) as [ChatTierName, ChatTierName][]),
      }
    : {}),
});
const code = "```ts\nlet x = 1;\n```";
const spent = { spentShare: 0.8 };

type Row = readonly [string, Changes, ChatTierName];

const rules: Readonly<Record<string, readonly Row[]>> = {
  "without a choice": [
    ["nothing in particular", {}, "balanced"],
    ["another base", { base: "fast" }, "fast"],
    ["code", { text: code }, "coding"],
  ],
  "a long or failing turn": [
    ["nine rounds", { turn: { round: 9 } }, "balanced"],
    ["ten rounds", { turn: { round: 10 } }, "smart"],
    ["8,000 characters", { text: "x".repeat(8_000) }, "balanced"],
    ["more than that", { text: "x".repeat(8_001) }, "smart"],
    ["two failures", { turn: { failedInRow: 2 } }, "balanced"],
    ["three failures", { turn: { failedInRow: 3 } }, "smart"],
    ["both: one step", { turn: { round: 10, failedInRow: 3 } }, "smart"],
    ["from fast", { base: "fast", turn: { round: 10 } }, "balanced"],
    ["at the top", { base: "deep", turn: { round: 10 } }, "deep"],
    ["code", { text: code, turn: { round: 10 } }, "deep"],
  ],
  "a loop": [
    ["once", { turn: { detections: 1 } }, "smart"],
    ["twice", { turn: { detections: 2 } }, "deep"],
    ["five times", { turn: { detections: 5 } }, "deep"],
    ["in a long turn", { turn: { detections: 1, round: 10 } }, "deep"],
    ["in code", { text: code, turn: { detections: 1 } }, "deep"],
    ["in a person's tier", { preference: { tier: "fast" }, turn: { detections: 1 } }, "balanced"],
    ["in the chat's tier", { chat: { tier: "balanced" }, turn: { detections: 2 } }, "deep"],
  ],
  "a budget that is nearly spent": [
    ["not yet", { turn: { spentShare: 0.79 } }, "balanced"],
    ["at 80 %", { turn: spent }, "fast"],
    ["beyond", { turn: { spentShare: 1.5 } }, "fast"],
    ["at the bottom", { base: "fast", turn: spent }, "fast"],
    ["code", { text: code, turn: spent }, "balanced"],
    ["wins over a long turn", { turn: { ...spent, round: 10 } }, "fast"],
    ["wins over loops", { turn: { ...spent, detections: 3 } }, "fast"],
    ["leaves a person's tier", { preference: { tier: "deep" }, turn: spent }, "deep"],
    [
      "keeps loops from raising it",
      { preference: { tier: "fast" }, turn: { ...spent, detections: 3 } },
      "fast",
    ],
  ],
  images: [
    ["where nobody knows who sees", { images: true }, "balanced"],
    [
      "that the usual tier sees",
      { images: true, vision: ["fast", "balanced", "deep"] },
      "balanced",
    ],
    ["nearest above", { images: true, vision: ["fast", "deep"] }, "deep"],
    ["else below", { images: true, vision: ["fast", "coding"] }, "fast"],
    ["else anywhere", { images: true, vision: ["coding"] }, "coding"],
    ["nowhere", { images: true, vision: [] }, "balanced"],
    ["none sent", { vision: ["deep"] }, "balanced"],
    ["of code", { images: true, text: code, vision: ["coding", "deep"] }, "coding"],
    [
      "of code that coding cannot see",
      { images: true, text: code, vision: ["balanced", "deep"] },
      "deep",
    ],
    [
      "in a person's tier",
      { images: true, preference: { tier: "fast" }, vision: ["deep"] },
      "fast",
    ],
    [
      "a step up passes the blind",
      { images: true, vision: ["balanced", "deep"], turn: { round: 10 } },
      "deep",
    ],
    [
      "the budget blinds nobody",
      { images: true, vision: ["balanced", "deep"], turn: spent },
      "balanced",
    ],
  ],
  "tiers that are the same": [
    ["are no step up", { aliases: { smart: "balanced" }, turn: { round: 10 } }, "deep"],
    ["are no step down", { aliases: { smart: "balanced" }, base: "smart", turn: spent }, "fast"],
    [
      "keep the name that was asked for",
      {
        aliases: { fast: "balanced", smart: "balanced", coding: "balanced" },
        text: code,
      },
      "coding",
    ],
    [
      "count as their elder",
      { aliases: { coding: "balanced" }, text: code, turn: { round: 10 } },
      "smart",
    ],
    [
      "leave nowhere to go",
      {
        aliases: {
          fast: "balanced",
          smart: "balanced",
          coding: "balanced",
          deep: "balanced",
        },
        turn: { detections: 4 },
      },
      "balanced",
    ],
  ],
};

describe.each(Object.entries(rules))("routing: %s", (_name, rows) => {
  it.each(rows)("%s", (_what, changes, expected) => {
    expect(routeTier(input(changes)).tier).toBe(expected);
  });
});

const a = "a/1";
const b = "b/2";

const why = (changes: Changes): string => routeTier(input(changes)).why;

describe("routing: a choice", () => {
  it.each<[string, Changes["preference"], RoutingInput["chat"], ReturnType<typeof routeTier>]>([
    [
      "the person's tier before the chat's",
      { tier: "fast" },
      { tier: "deep" },
      { tier: "fast", why: "the person's tier" },
    ],
    [
      "the chat's tier before the rules",
      undefined,
      { tier: "deep" },
      { tier: "deep", why: "the chat's tier" },
    ],
    [
      "the person's model before the chat's",
      { model: a },
      { model: b },
      {
        tier: "coding",
        model: a,
        why: "fenced code; the person's model is asked first",
      },
    ],
    [
      "the person's model before the chat's tier",
      { model: a },
      { tier: "fast", model: b },
      {
        tier: "fast",
        model: a,
        why: "the chat's tier; the person's model is asked first",
      },
    ],
    [
      "the person's tier without the chat's model",
      { tier: "fast" },
      { tier: "deep", model: b },
      { tier: "fast", why: "the person's tier" },
    ],
    [
      "the person's tier and model",
      { tier: "fast", model: a },
      { tier: "deep", model: b },
      {
        tier: "fast",
        model: a,
        why: "the person's tier; the person's model is asked first",
      },
    ],
    [
      "the chat's model",
      {},
      { model: b },
      {
        tier: "coding",
        model: b,
        why: "fenced code; the chat's model is asked first",
      },
    ],
    [
      "no tier of ours",
      { tier: "compaction" },
      { tier: "fast" },
      { tier: "fast", why: "the chat's tier" },
    ],
    ["none", undefined, {}, { tier: "coding", why: "fenced code" }],
  ])("%s", (_what, preference, chat, expected) => {
    expect(routeTier(input({ preference, chat, text: code }))).toEqual(expected);
  });

  it("says what moved it", () => {
    expect(why({})).toBe("the usual tier");
    expect(
      why({
        preference: { tier: "fast", model: a },
        turn: { detections: 1 },
      }),
    ).toBe("the person's tier; a loop was found: up; the person's model is asked first");
    expect(why({ turn: spent })).toBe("the usual tier; the budget is nearly spent: one step down");
    expect(why({ preference: { tier: "deep" }, turn: spent })).toBe(
      "the person's tier; the budget is nearly spent: no step up",
    );
    expect(why({ images: true, vision: ["deep"] })).toBe("the usual tier; images need vision");
    expect(why({ turn: { failedInRow: 3 } })).toBe(
      "the usual tier; a long or failing turn: one step up",
    );
  });
});

const tier = fc.constantFrom(...chatTierNames);
const model = fc.constantFrom(a, b);
const maybe = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(of, { nil: undefined });
const changes: fc.Arbitrary<Changes> = fc.record(
  {
    preference: fc.record({ tier: fc.oneof(tier, fc.string()), model }, { requiredKeys: [] }),
    chat: fc.record({ tier, model }, { requiredKeys: [] }),
    base: tier,
    text: fc.oneof(fc.string({ maxLength: 50 }), fc.constantFrom(code, "x".repeat(9_000))),
    images: fc.boolean(),
    turn: fc.record(
      {
        round: fc.nat({ max: 20 }),
        failedInRow: fc.nat({ max: 5 }),
        detections: fc.nat({ max: 6 }),
        spentShare: fc.double(),
      },
      { requiredKeys: [] },
    ),
    vision: fc.subarray([...chatTierNames]),
    aliases: fc.constantFrom(
      {},
      { smart: "balanced" } as const,
      { fast: "balanced", smart: "balanced", coding: "deep" } as const,
    ),
  },
  { requiredKeys: [] },
);

/** `coding` stands beside `smart`. */
const height: Readonly<Record<ChatTierName, number>> = {
  fast: 0,
  balanced: 1,
  smart: 2,
  coding: 2,
  deep: 3,
};
const at = (given: Changes): number => height[routeTier(input(given)).tier];

describe("routing, whatever is given", () => {
  it("ends in a tier, always the same", () => {
    fc.assert(
      fc.property(changes, (given) => {
        const route = routeTier(input(given));
        expect(chatTierNames).toContain(route.tier);
        expect(route.why).not.toBe("");
        expect(routeTier(input(given))).toEqual(route);
      }),
    );
  });

  it("a person's choice beats the chat's, and the chat's the rules", () => {
    fc.assert(
      fc.property(changes, tier, tier, maybe(model), (given, own, chat, id) => {
        const calm = { ...given, turn: { ...given.turn, detections: 0 } };
        const preference = {
          tier: own,
          ...(id === undefined ? {} : { model: id }),
        };
        const both = input({ ...calm, preference, chat: { tier: chat } });
        expect(routeTier(both)).toMatchObject(preference);
        const chatOnly = { ...calm, preference: {}, chat: { tier: chat } };
        expect(routeTier(input(chatOnly)).tier).toBe(chat);
      }),
    );
  });

  it("a budget never raises, and a loop never lowers", () => {
    fc.assert(
      fc.property(changes, fc.nat({ max: 5 }), (given, detections) => {
        const turn = { ...given.turn, spentShare: 0, detections: 0 };
        const calm = at({ ...given, turn });
        const looping = at({ ...given, turn: { ...turn, detections } });
        expect(looping).toBeGreaterThanOrEqual(calm);
        const poor = { ...turn, detections, spentShare: 0.9 };
        expect(at({ ...given, turn: poor })).toBeLessThanOrEqual(calm);
      }),
    );
  });

  it("steps keep to tiers that see, once one was found", () => {
    fc.assert(
      fc.property(changes, (given) => {
        const seen = given.vision ?? [];
        fc.pre(seen.length > 0);
        const free = {
          ...given,
          preference: {},
          chat: {},
          images: true,
          aliases: {},
        };
        expect(seen).toContain(routeTier(input(free)).tier);
      }),
    );
  });
});
