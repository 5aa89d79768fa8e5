/** A scheduled turn is an ordinary one, and what holds for it is what holds when it fires. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
const { model, telegram, discord } = world;
const [forTerminal = ""] = await emptyDatabases(world.redis, 1);
const folder = mkdtempSync(join(tmpdir(), "parley-e2e-scheduled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "personas"));
writeFileSync(
  join(folder, "personas/tutor.md"),
  "---\ndescription: Explains\n---\nYou are the TUTOR.\n",
);

/** Ends with the test. */
async function started(config = "") {
  const parley = world.start({
    environment: world.environment,
    workingFolder: folder,
    config,
  });
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  return parley;
}

model.when(/note it$/, {
  toolCalls: [{ name: "write_note", arguments: { note: "by plan" } }],
});
/** Not while the tests run, which have it fire by `/schedule run`. */
const hour = (new Date().getUTCHours() + 12) % 24;
const given = { action: "create", kind: "ask", when: `every day ${hour}:00`, zone: "UTC" };

/** Has the model make it, and a person approve it. @returns its id */
async function planned(chat: TestChat, text: string): Promise<string> {
  chat.say(`call schedule ${JSON.stringify({ ...given, text })}`);
  const card = await chat.wait(({ buttons }) => buttons.includes("Approve"));
  await chat.tap(card, "Approve");
  const { text: created } = await chat.wait(({ text: shown }) => shown.includes(`: ask "${text}"`));
  return /Created (\w{6})/.exec(created)?.[1] ?? "";
}

const run = async (chat: TestChat, id: string) =>
  expect(await chat.command("schedule", `run ${id}`)).toContain("Running it now");

const isUndone = ({ text }: { readonly text: string }): boolean =>
  /scheduled by[^]*undone later$/.test(text);
const requestWith = (text: string) =>
  model.requests.findLast(({ lastUserText }) => lastUserText.includes(text));

describe.each(world.stages)("in $name, a scheduled turn", (stage) => {
  it("asks for approval, is stopped and undone as one that its person has begun", async () => {
    await using _ = await started();
    const ann = stage.direct("Ann");
    const id = await planned(ann, "note it");
    await run(ann, id);
    const card = await ann.wait(
      ({ text, buttons }) => buttons.length > 0 && text.includes("by plan"),
    );
    await ann.tap(card, "Approve");
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann)).toEqual(["by plan"]);

    using gate = model.hold(({ lastUserText }) => lastUserText.includes("scheduled by"));
    await run(ann, id);
    await gate.waitUntilHeld({ timeoutMs });
    expect(await ann.command("stop")).toContain("Stopped");
    gate.release();
    await expect.poll(() => ann.command("status"), { timeout: timeoutMs }).not.toContain("Working");

    const next = await planned(ann, "say it is undone later");
    await run(ann, next);
    await ann.wait(({ text }) => text === "it is undone later");
    await ann.command("undo");
    await ann.wait("Undone");
    ann.say("say still here");
    await ann.wait("still here");
    expect(requestWith("undone later")?.messages.some(isUndone)).toBe(true);
    expect(requestWith("still here")?.messages.some(isUndone)).toBe(false);
  });
});

it("a persona that was chosen and a rule that was made since hold when it fires", async () => {
  const ann = telegram.direct("Ann");
  let id: string;
  {
    await using _ = await started();
    id = await planned(ann, "note it");
    expect(await ann.command("persona", "tutor")).toContain("tutor");
    await world.delivered();
  }
  await using _ = await started("tools: { rules: [{ match: write_note, deny: true }] }");
  await run(ann, id);
  const { text } = await ann.wait("write_note said: ");
  expect(text).not.toContain("Noted.");
  expect(requestWith("scheduled by")?.systemText).toContain("You are the TUTOR.");
});

it("a reminder arrives in Discord, once", async () => {
  await using _ = await started();
  const ann = discord.direct("Ann");
  expect(await ann.command("remind", "in 6s drink tea")).toContain("OK, I'll remind you");
  await ann.wait("⏰ drink tea");
  await expect.poll(() => ann.command("schedule")).toContain("no reminders");
  expect(ann.shown().filter(({ text }) => text === "⏰ drink tea")).toHaveLength(1);
});

it("in the terminal, a reminder arrives and a scheduled question is answered", async () => {
  const session = new ConsoleSession(
    world.start({ environment: { ...world.services, REDIS_URL: forTerminal }, input: "pipe" }),
  );
  await session.say("/remind in 6s drink tea", /OK, I'll remind you[^]*⏰ drink tea/);
  await session.say(`call schedule ${JSON.stringify({ ...given, text: "say news" })}`, "every day");
  const made = await session.say("y", /Created \w{6}/);
  const [, id = ""] = /Created (\w{6})/.exec(made) ?? [];
  await session.say(`/schedule run ${id}`, /Running it now[^]*\bnews\b/);
});
