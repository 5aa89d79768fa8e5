import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/redis/redis.ts";
import { filesWith, keysWith } from "../support/erasure/occurrences.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { openShop } from "../support/parley/shop.ts";
import type { TestChat } from "../support/parley/stage.ts";
import { uniqueId, until } from "../store/support.ts";

const world = await openWorld({ redis: { appendOnly: "always" } });
const shop = await openShop();
const store = openStore(world.redis.url, () => undefined);
const dataFolder = mkdtempSync(join(tmpdir(), "parley-forget-"));
afterAll(() => {
  store.redis.disconnect();
  rmSync(dataFolder, { recursive: true, force: true });
});
/** Files of any of Redis' servers. */
const redisFilesWith = async (word: string): Promise<string[]> =>
  (await Promise.all(world.redis.folders.map((folder) => filesWith(folder, word)))).flat();

const roles = ["bots", "worker"] as const;
const processes = roles.map((role) =>
  world.start({
    environment: { ...world.environment, PARLEY_ROLE: role },
    config: `${shop.config}
tools: { rules: [{ match: write_note, confirm: always, approvers: members }] }`,
    dataFolder,
  }),
);
await Promise.all(processes.map((each) => each.ready()));
await Promise.all(world.stages.map((stage) => stage.connected()));

const newWord = (): string => `w${uniqueId().replaceAll("-", "")}`;

let isFileSeen = false;

/** Nowhere in Redis, nor in any file of the data folder or of Redis itself. */
async function expectNowhere(word: string): Promise<void> {
  expect(await keysWith(store, word)).toEqual([]);
  expect(await filesWith(dataFolder, word)).toEqual([]);
  // It is rewritten once a minute at most: the first erasure's has to do for all of them.
  if (isFileSeen) return;
  isFileSeen = true;
  const files = async () => (await redisFilesWith(word)).length;
  await until(async () => (await files()) === 0, "a new append-only file");
}

/** Asks, and confirms as it is typed. */
async function forget(chat: TestChat, what: "chat" | "me"): Promise<void> {
  const asked = await chat.command("forget", what);
  const [confirmation = ""] = /yes-\d{4}/.exec(asked) ?? [];
  expect(confirmation).not.toBe("");
  // A chat may be erased before the command's own answer is sent: then that is erased, too.
  expect(await chat.command("forget", `${what} ${confirmation}`)).toMatch(/^One moment\.|^Done\./);
}

/** Nothing follows the last word about an erasure. */
async function expectDoneLast(chat: TestChat): Promise<void> {
  await world.delivered();
  expect(chat.shown().at(-1)?.text).toMatch(/^Done\./);
}

describe.each(world.stages)("in $name", (stage) => {
  it("/forget erases a chat in which a tool runs and a card waits, and it goes on", async () => {
    const word = newWord();
    // What someone is called is theirs, not the chat's: `/forget me` erases it.
    const ann = stage.direct("Ann");
    ann.say(`say hello ${word}`);
    await ann.wait(`hello ${word}`);
    ann.say(`call todo_write {"items":[{"text":"${word}","done":false}]}`);
    await ann.wait(({ text }) => text.startsWith("todo_write said:"));
    ann.say(`call write_note {"note":"${word}"}`);
    const card = await ann.wait(({ buttons }) => buttons.includes("Approve"));
    await world.delivered();
    expect(await keysWith(store, word)).not.toEqual([]);
    expect(await redisFilesWith(word)).not.toEqual([]);
    const archives = join(dataFolder, "archives");
    await mkdir(archives, { recursive: true });
    const chat = (await keysWith(store, word))
      .map((key) => /:log:(.*)$/.exec(key)?.[1])
      .find((each) => each !== undefined);
    const head = {
      kind: "chat",
      v: 1,
      chat,
      exportedAtMs: 1,
      viewStart: 0,
      inBase: 1,
      counts: { turns: 1, modelCalls: 1, inputTokens: 1, outputTokens: 1 },
    };
    const path = join(archives, `${stage.name}.jsonl`);
    await writeFile(path, `${JSON.stringify(head)}\n{"half a line ${word}`);
    await forget(ann, "chat");
    await ann.wait("Done. Everything in this chat has been deleted.");
    if (stage.name === "telegram") await expectDoneLast(ann);
    await stage.until(() => {
      const now = ann.shown().find(({ id }) => id === card.id);
      return now?.buttons.length === 0;
    }, "a card without buttons");
    await world.delivered();
    await expectNowhere(word);
    ann.say("say and we go on");
    await ann.wait(({ text }) => text === "and we go on");
  });

  it("/forget me erases what a person wrote in a group while a tool of theirs runs, and nothing of others", async () => {
    const [word, other] = [newWord(), newWord()];
    const [ann, bob] = stage.group(`Ann ${other}`, `Bob ${word}`) as [TestChat, TestChat];
    const alone = stage.directOf(bob);
    alone.say(`say in private ${word}`);
    await alone.wait(`in private ${word}`);
    ann.say(`say hello ${other}`, { mention: true });
    await ann.wait(`hello ${other}`);
    bob.say(`say hello ${word}`, { mention: true });
    await bob.wait(`hello ${word}`);
    bob.say(`call shop_look {"hold":"${word}"}`, { mention: true });
    const { cancelled } = await shop.held(word);
    await forget(alone, "me");
    await alone.wait("what you wrote in 1 group have been deleted.");
    await cancelled;
    await world.delivered();
    await expectNowhere(word);
    expect(await keysWith(store, other)).not.toEqual([]);
    bob.say("say and we go on", { mention: true });
    await bob.wait(({ text }) => text === "and we go on");
  });

  it("/forget me erases the reasons and changed arguments that someone gave for others' calls", async () => {
    const [word, other] = [newWord(), newWord()];
    const [ann, bob] = stage.group("Ann", `Bob ${word}`) as [TestChat, TestChat];
    ann.say(`call write_note {"note":"${other}"}`, { mention: true });
    await ann.wait(({ buttons }) => buttons.includes("Approve"));
    await bob.command("edit", `{"note":"${word}"}`);
    await ann.wait(({ text, buttons }) => buttons.includes("Approve") && text.includes(word));
    // In a group a command's answer may come after the turn's.
    await bob.command("deny", `I find ${word}`);
    await ann.wait("a person denied this call");
    await world.delivered();
    const kinds = (await keysWith(store, word)).map((key) => key.split(":")[2]);
    expect(kinds).toEqual(expect.arrayContaining(["appr", "log"]));
    const alone = stage.directOf(bob);
    await forget(alone, "me");
    await alone.wait("Done.");
    await world.delivered();
    await expectNowhere(word);
    expect(await keysWith(store, other)).not.toEqual([]);
    ann.say("say and we go on", { mention: true });
    await ann.wait(({ text }) => text === "and we go on");
    const [request] = world.model.requests.slice(-1);
    expect(JSON.stringify(request)).toContain(other);
    expect(JSON.stringify(request)).not.toContain(word);
  });
});
