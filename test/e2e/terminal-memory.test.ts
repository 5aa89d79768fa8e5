/** What a person in a terminal has of memory, with the built-in demo model: no key, no network. */
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/redis/redis.ts";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { hasTerminal } from "../support/parley/parley-process.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { ctrlU, enter, TerminalSession } from "../support/parley/terminal-session.ts";
import { keysLike } from "../support/redis/test-client.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
const [REDIS_URL = "", otherUrl = "", thirdUrl = ""] = await emptyDatabases(world.redis, 3);

/**
 * The minute after a turn is over; fulfils when the history is indexed. What a command leads to may
 * be written after its reply: the minute passes for that, too.
 */
async function aMinutePasses(url = REDIS_URL): Promise<void> {
  const { redis } = openStore(url, () => undefined);
  onTestFinished(() => redis.disconnect());
  const waiting = async () => {
    const wakes = await keysLike(redis, "parley:*:wake");
    const members = wakes.map(async (wake) =>
      (await redis.zrange(wake, "0", "-1")).map((member) => [wake, member] as const),
    );
    return (await Promise.all(members)).flat().filter(([, member]) => member.startsWith("mem:"));
  };
  await expect.poll(waiting, { timeout: timeoutMs }).not.toEqual([]);
  const passed = async () => {
    const members = await waiting();
    for (const [wake, member] of members) await redis.zadd(wake, "XX", "LT", "1", member);
    return members;
  };
  await expect.poll(passed, { timeout: timeoutMs }).toEqual([]);
}

it("shows a fact card with Keep, Don't and Edit, keeps what was agreed to, and recalls what was said", async ({
  skip,
}) => {
  skip(!hasTerminal(), "needs script of util-linux");
  const terminal = new TerminalSession(
    world.start({
      environment: { REDIS_URL, TERM: "xterm-256color", LANG: "C.UTF-8" },
      input: "terminal",
    }),
  );
  const { parley } = terminal;
  await terminal.press("Type a message.", `Remember that the oat milk is in the cellar.${enter}`);
  // The third choice changes it first: what it says, and then whose it is.
  const card = await terminal.press("Expires in 24 h.", `e${enter}`);
  expect(card).toContain("Keep? [y/n/e]");
  expect(card).toContain("the oat milk is in the cellar");
  expect(card).toContain("About you. I use it only in your direct chats with me.");
  await terminal.press("fact: the oat milk", `${ctrlU}the oat milk is in the attic${enter}`);
  await terminal.press("about: me", enter);
  // It is asked again; until that is shown, an answer would be for what was asked before.
  await terminal.shown("You changed the arguments.");
  const changed = await terminal.press("Expires in 24 h.", `y${enter}`);
  expect(changed).toContain("│ the oat milk is in the attic");
  const kept = await terminal.press("/memory shows and deletes it.", `/memory${enter}`);
  expect(kept).toContain("✓ Remember · kept");
  const listed = await terminal.press("1. the oat milk is in the attic (", "");
  expect(listed).not.toContain("cellar");

  parley.write(`Remember that I drink tea.${enter}`);
  await terminal.press("Expires in 24 h.", `n${enter}`);
  expect(await terminal.press("that wasn't approved", `/memory${enter}`)).toContain("not saved");
  expect(await terminal.press("1. the oat milk is in the attic (", `/new${enter}`)).not.toContain(
    "I drink tea",
  );

  await terminal.shown("New conversation.");
  await world.delivered(REDIS_URL);
  await aMinutePasses();
  parley.write(`/recall cellar${enter}`);
  const recalled = await terminal.press("Remember that the oat milk is in the cellar.", "");
  expect(recalled).toContain(": Remember");
  parley.write(`What did I say about the cellar?${enter}`);
  const answer = / said on \d{4}-\d{2}-\d{2}: “Remember that the oat milk is in the cellar\.”/;
  await parley.waitFor(() => answer.test(parley.stdout), "the recalled sentence");
  parley.write(`/status${enter}`);
  await terminal.shown("Memory: I search earlier messages by myself (keywords only)");
  parley.write(`/quit${enter}`);
  expect(await parley.exited).toEqual({ code: 0, signal: null });
});

it("says in /status that a model for embeddings is used, where one is set", async () => {
  const session = new ConsoleSession(
    world.start({
      environment: { ...world.services, REDIS_URL: otherUrl },
      config: "memory: { embeddings: openai/text-embedding-3-small }\n",
      input: "pipe",
    }),
  );
  await session.say(
    "/status",
    "Memory: I search earlier messages by myself (keywords and meaning)",
  );
  session.parley.type("/quit");
  expect(await session.parley.exited).toEqual({ code: 0, signal: null });
});

it("recalls nothing older than retention.memory, though the history has it", async () => {
  const session = new ConsoleSession(
    world.start({
      environment: { ...world.services, REDIS_URL: thirdUrl },
      config: "retention: { memory: 1s }\n",
      input: "pipe",
    }),
  );
  await session.say("say OK. The oat milk is in the cellar.", "OK. The oat milk");
  await world.delivered(thirdUrl);
  // Nothing waits any more: what was indexed has become too old, and was removed by itself.
  await aMinutePasses(thirdUrl);
  await session.say("/recall oat milk", "I found nothing about that in this chat.");
  const exported = /File: (\S+)\n/;
  const [, path = ""] = exported.exec(await session.say("/export", exported)) ?? [];
  expect(readFileSync(path, "utf8")).toContain("The oat milk is in the cellar.");
  session.parley.type("/quit");
  expect(await session.parley.exited).toEqual({ code: 0, signal: null });
});
