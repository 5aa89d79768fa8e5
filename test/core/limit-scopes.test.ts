import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatKey, platforms } from "../../src/core/chat.ts";
import {
  isLimitedRole,
  limitedChat,
  limitedRoles,
  parseScopeName,
  scopeName,
} from "../../src/core/limit-scopes.ts";
import type { LimitScope } from "../../src/core/limits.ts";

const address = { platform: "telegram", bot: "77", chat: "-1001" } as const;

const scopes: fc.Arbitrary<LimitScope> = fc.oneof(
  fc.constant({ kind: "person" } as const),
  fc.nat().map((id) => ({ kind: "person", id: `telegram:${id}` }) as const),
  fc.constantFrom(...limitedRoles).map((role) => ({ kind: "role", role }) as const),
  fc.constant({ kind: "chat" } as const),
  fc.constant({ kind: "chat", chat: chatKey(address) } as const),
  fc.constantFrom(...platforms).map((platform) => ({ kind: "platform", platform }) as const),
  fc.constant({ kind: "global" } as const),
);

describe("a scope's name", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(scopes, (scope) => {
        expect(parseScopeName(scopeName(scope))).toEqual(scope);
      }),
    );
  });

  it.each([
    "",
    "nobody",
    "role",
    "role:king",
    "role:banned",
    "role:stranger",
    "platform:icq",
    "global:1",
    "chat:telegram",
    "constructor",
  ])("%j is none", (name) => {
    expect(parseScopeName(name)).toBeUndefined();
  });
});

it("a topic counts to its group", () => {
  const topic = chatKey({ ...address, thread: "7" });
  expect(limitedChat(topic)).toBe(chatKey(address));
  expect(limitedChat(chatKey(address))).toBe(chatKey(address));
});

it("a person who may not talk has no limits of a role", () => {
  expect(isLimitedRole("guest")).toBe(true);
  expect(isLimitedRole("stranger")).toBe(false);
  expect(isLimitedRole("banned")).toBe(false);
});
