import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { taken } from "../support/parley/stage.ts";

const world = await openWorld();
const admins = world.stages.map((stage) => ({ stage, adam: stage.direct("Adam") }));

beforeAll(async () => {
  const parley = world.start({
    environment: {
      ...world.environment,
      PARLEY_ADMINS: admins.map(({ adam }) => adam.personId).join(","),
    },
    config: `
tools:
  rules:
    - { match: write_note, arguments: { note: "tea *" }, auto: allowed }
    - { match: write_note, confirm: always }
`,
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
