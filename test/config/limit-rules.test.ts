import { expect, test } from "vitest";
import { limitRules } from "../../src/config/limit-rules.ts";
import type { Limit } from "../../src/core/limits.ts";

const limit = (max: number): Limit => ({
  metric: "messages",
  per: "day",
  max,
});

test("each limit of the operator's file gets its scope", () => {
  const rules = limitRules({
    limits: {
      person: [limit(1), limit(2)],
      chat: [limit(3)],
      role: { owner: [limit(4)], admin: [], member: [], guest: [limit(5)] },
      platform: { telegram: [], discord: [limit(6)], console: [] },
      global: [limit(7)],
    },
  });
  expect(rules).toEqual([
    { scope: { kind: "person" }, limit: limit(1) },
    { scope: { kind: "person" }, limit: limit(2) },
    { scope: { kind: "chat" }, limit: limit(3) },
    { scope: { kind: "role", role: "owner" }, limit: limit(4) },
    { scope: { kind: "role", role: "guest" }, limit: limit(5) },
    { scope: { kind: "platform", platform: "discord" }, limit: limit(6) },
    { scope: { kind: "global" }, limit: limit(7) },
  ]);
});
