import { expect, it } from "vitest";
import { turnDefaults } from "../../src/roles/turn-defaults.ts";
import { chatTierNames } from "../../src/core/model.ts";
import { load } from "../config/support.ts";

it("a turn runs in a tier for people, never in the one for summaries", () => {
  const settings = load({
    yaml: "tiers: { deep: { turn: { maxModelCalls: 40 } }, compaction: { temperature: 0.2 } }",
  });
  const { tierPolicies } = turnDefaults(settings);
  expect(Object.keys(tierPolicies)).toEqual([...chatTierNames]);
  expect(tierPolicies).toMatchObject({
    deep: { maxModelCalls: 40 },
    balanced: {},
  });
});
