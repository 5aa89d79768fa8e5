/** docs/reference/redis.md has every key that the code uses, and no other. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import { queuePrefix, turnQueueName } from "../../src/queue/names.ts";
import {
  chatKeys,
  configKey,
  importPrefix,
  limitsKey,
  paceKey,
  readyKey,
} from "../../src/store/keys.ts";
import { at, read } from "../support/shown-by.ts";

const chat = chatKey({ platform: "telegram", bot: "1", chat: "2" });

/** A key with `*` for each part that differs between chats, people or bots. */
const patternOf = (key: string): string =>
  key
    .replaceAll(chat, "*")
    .replaceAll(/\$\{[^}]*\}|<[^>]*>/g, "*")
    .replace(/\{s\d+\}/, "{s}")
    .replace(/:role:\w+$/, ":role:*")
    .replace(/:$/, ":*")
    .replaceAll(/\*(?::\*)+/g, "*");

const sources = readdirSync(at("src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && path !== "store/keys.ts")
  .map((path) => read(`src/${path}`));

/** The names that the code gives to one of the functions that build keys. */
function namesGivenTo(builder: string): readonly string[] {
  const call = new RegExp(
    String.raw`\b${builder}\((?:[^()"\x60]*,)?\s*(?:"([^"]*)"|\x60([^\x60]*)\x60|([^)]*))`,
    "g",
  );
  return sources.flatMap((source) =>
    [...source.matchAll(call)].map(([all, text, template]) => {
      const name = text ?? template;
      if (name === undefined) throw new Error(`${all}: write the key's name in full`);
      return name;
    }),
  );
}

describe("docs/reference/redis.md", () => {
  it("lists every key, and no other", () => {
    const { shard, ...ofChat } = chatKeys(chat);
    const used = [
      ...Object.values(ofChat),
      ...namesGivenTo("configKey").map(configKey),
      ...namesGivenTo("limitsKey").map(limitsKey),
      ...namesGivenTo("paceKey").map((name) => paceKey("<bot>", name)),
      readyKey("<bot>"),
      importPrefix(shard, "<name>"),
      `${queuePrefix}:${turnQueueName}:`,
    ];
    const listed = [...read("docs/reference/redis.md").matchAll(/^\| `(parley:[^`]+)`/gm)].map(
      ([, key = ""]) => key,
    );
    expect(new Set(listed.map(patternOf))).toEqual(new Set(used.map(patternOf)));
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("can rely on keys being built in one place", () => {
    for (const source of sources) expect(source).not.toMatch(/["`]parley:\{(?:\$|\w+\})/);
  });
});
