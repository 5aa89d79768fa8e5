import { describe, expect, it } from "vitest";
import type { ChatAddress } from "../../src/core/chat.ts";
import { parsePlace, placesOf } from "../../src/core/places.ts";

const at = (platform: ChatAddress["platform"], chat: string, thread?: string): ChatAddress => ({
  platform,
  bot: "7",
  chat,
  ...(thread === undefined ? {} : { thread }),
});

describe("the places of a chat", () => {
  it.each([
    ["a group", { address: at("telegram", "-100") }, ["telegram:chat:-100"]],
    ["a topic", { address: at("telegram", "-100", "5") }, ["telegram:chat:-100"]],
    [
      "a thread",
      { address: at("discord", "3", "4"), guild: "1" },
      ["discord:channel:3", "discord:guild:1"],
    ],
    [
      "a group of Discord's without a server",
      { address: at("discord", "3") },
      ["discord:channel:3"],
    ],
    [
      "an app of somebody's own, in a thread",
      { address: at("discord", "visit-9-4"), threadOf: "3", guild: "1" },
      ["discord:channel:4", "discord:channel:3", "discord:guild:1"],
    ],
    ["the terminal", { address: at("console", "main") }, []],
  ])("are those that it is in: %s", (_, where, places) => {
    expect(placesOf({ ...where, direct: false })).toEqual(places);
    expect(placesOf({ ...where, direct: true })).toEqual([]);
  });
});

describe("a place as people write it", () => {
  it.each([
    ["telegram:chat:-1001", "telegram:chat:-1001"],
    ["telegram:-1001", "telegram:chat:-1001"],
    ["discord:guild:1", "discord:guild:1"],
    ["discord:channel:22", "discord:channel:22"],
  ])("%s is %s", (text, place) => {
    expect(parsePlace(text)).toBe(place);
  });

  it.each([
    "telegram:1",
    "discord:1",
    "discord:-1",
    "discord:chat:1",
    "telegram:guild:1",
    "telegram:chat:",
    "telegram:chat:1 ",
    // A private chat of someone's.
    "telegram:chat:1",
    "telegram:chat:-0",
    "telegram:-0100",
    "discord:guild:01",
    "telegram:chat:chat:-1",
    "discord:channel:123456789012345678901",
    "here",
    "",
  ])("%j is none", (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });
});
