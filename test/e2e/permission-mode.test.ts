import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { taken } from "../support/parley/stage.ts";

const world = await openWorld();
const admins = world.stages.map((stage) => ({ stage, adam: stage.direct("Adam") }));

const config = `
tools:
  rules:
    - { match: write_note, arguments: { note: "tea *" }, auto: allowed }
    - { match: write_note, confirm: always }
`;

beforeAll(async () => {
  const parley = world.start({
    environment: {
      ...world.environment,
      PARLEY_ADMINS: admins.map(({ adam }) => adam.personId).join(","),
    },
    config,
  });
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe.each(admins)("the permission mode on $stage.name", ({ adam }) => {
  const note = (text: string) => adam.say(`call write_note ${JSON.stringify({ note: text })}`);
  const answers = () => adam.shown().filter(({ text }) => text.includes("said: Noted."));

  it("auto runs what a rule allows without a card, and says so until it is ask again", async () => {
    const asked = await askForNote(adam, "tea one");
    expect(await adam.tap(asked, "Approve")).toMatch(taken);
    const approved = await adam.wait("write_note said: Noted.");
    expect(approved.text).not.toContain("(auto)");
    expect(await adam.command("status")).not.toContain("auto until");

    expect(await adam.command("settings", "permissions auto")).toMatch(
      /Until \d\d:\d\d UTC I won't ask where a rule allows that\./,
    );
    note("tea two");
    const unasked = await adam.wait(({ text }) => text.includes("(auto)"));
    // Discord's Markdown escapes what would be emphasis.
    expect(unasked.text.replaceAll("\\", "")).toMatch(
      /^write_note said: Noted\.[^]*⚙ Write note ✓ \(auto\)/,
    );
    expect(
      adam.shown().some(({ history }) => history.some((text) => text.includes("tea two"))),
    ).toBe(false);
    expect(await adam.command("status")).toMatch(/auto until \d\d:\d\d UTC, set by Adam/);

    // What no rule allows is asked for all the same.
    const other = await askForNote(adam, "coffee");
    await adam.tap(other, "Deny");
    await adam.wait(isClosed(other, "denied by Adam"));

    expect(await adam.command("settings", "permissions ask")).toMatch(/ask/i);
    expect(await adam.command("status")).not.toContain("auto until");
    const again = await askForNote(adam, "tea three");
    expect(again.buttons.slice(0, 2)).toEqual(["Approve", "Deny"]);
    expect(answers()).toHaveLength(2);
    await adam.tap(again, "Approve");
    await adam.wait(isClosed(again, "approved by Adam"));
    await adam.wait(() => answers().length === 3);
    expect(answers().at(-1)?.text).not.toContain("(auto)");
    expect(await notesOf(adam)).toEqual(["tea one", "tea two", "tea three"]);
    await world.delivered();
  });
});

const open = async () => {
  const [REDIS_URL = ""] = await emptyDatabases(world.redis, 1);
  return new ConsoleSession(
    world.start({ environment: { ...world.services, REDIS_URL }, config, input: "pipe" }),
  );
};
const end = async ({ parley }: ConsoleSession) => {
  parley.type("/quit");
  expect(await parley.exited).toMatchObject({ code: 0 });
};

describe("in a terminal", () => {
  it("auto runs what a rule allows without asking, and says so until it is ask again", async () => {
    const session = await open();
    const note = (text: string, expected: string | RegExp) =>
      session.say(`call write_note ${JSON.stringify({ note: text })}`, expected);
    await note("tea one", "Approve? [y/n]");
    await session.say("y", "write_note said: Noted.");
    expect(session.printed).not.toContain("(auto)");
    const modes = await session.say("/settings permissions", "• auto – ");
    expect(modes).toMatch(/^permissions: ask – .*\n• ask – /m);
    await session.say(
      "/settings permissions auto 30m",
      /Until \d\d:\d\d UTC I won't ask where a rule allows that\./,
    );
    const unasked = await note("tea two", /⚙ Write note ✓ \(auto\)/);
    expect(unasked).toContain("write_note said: Noted.");
    expect(unasked).not.toContain("Approve?");
    await session.say("/status", /auto until \d\d:\d\d UTC, set by /);
    await session.say("/settings permissions auto 4h", "The longest allowed is 1 h.");
    // What no rule allows is asked for all the same.
    await note("coffee", "Approve? [y/n]");
    await session.say("n", "write_note said: confirmation-denied");
    await session.say("/settings permissions ask", /ask/i);
    await note("tea three", "Approve? [y/n]");
    await session.say("n", "write_note said: confirmation-denied");
    await session.say("call read_notes {}", /read_notes said: 1\. tea one\n2\. tea two\n/);
    await end(session);
  });

  it("/settings shows groups, values and what they mean, and changes them", async () => {
    const session = await open();
    const all = await session.say("/settings", "• repeatPenalty: ");
    for (const line of ["Answers:", "Tools and permissions:", "Limits:", "Model:"])
      expect(all).toContain(line);
    await session.say("/settings memory", "• keepTurns: ");
    expect(session.printed).not.toContain("• whileBusy");
    const values = await session.say("/settings whileBusy", "• collect – ");
    expect(values).toContain("• steer – take it into account right away");
    await session.say("/settings compactAt 0.5", /compactAt is now .*0\.5/);
    await session.say("/settings strategy truncate", /strategy is now .*truncate/);
    await session.say("/settings temperature 3", "It must be a number from 0 to 2.");
    await session.say("/settings temperature 0.2", /temperature is now .*0\.2/);
    await session.say("say with little variety", "with little variety\n");
    const request = world.model.requests.findLast(({ lastUserText }) =>
      lastUserText.includes("with little variety"),
    );
    expect(request?.body["temperature"]).toBe(0.2);
    await session.say("/tier fast chat", /fast/);
    await session.say("/settings model", /• tier: fast .*\n• model: automatic/);
    await session.say("/settings temperature default", /temperature .*default|model's own/);
    await end(session);
  });
});
