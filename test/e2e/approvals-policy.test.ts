import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, askForNotes, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { reads } from "../support/parley/outcomes.ts";
import { taken } from "../support/parley/stage.ts";

const world = await openWorld();
const admins = new Map(world.stages.map((stage) => [stage, stage.direct("Adam")] as const));

/** All day but for one minute, which is at the other end of it. */
const quiet = (() => {
  const hour = (new Date().getUTCHours() + 12) % 24;
  const clock = (minute: number) =>
    `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  return `{ from: "${clock(1)}", to: "${clock(0)}" }`;
})();

const config = `
approvals: { quietHours: ${quiet} }
tools:
  rules:
    - { match: write_note, arguments: { note: "free *" }, confirm: never }
    - { match: write_note, arguments: { note: "evil *" }, deny: true }
    - { match: write_note, arguments: { note: "two *" }, confirm: always, approvers: members, persons: 2 }
    - { match: write_note, arguments: { note: "both *" }, approvers: two-persons }
    - { match: write_note, arguments: { note: "night *" }, confirm: always, quietHours: deny }
    - { match: write_note, arguments: { note: "strict *" }, confirm: always, approvers: admins }
`;

const settings = (more = "") => ({
  environment: {
    ...world.environment,
    PARLEY_ADMINS: [...admins.values()].map(({ personId }) => personId).join(","),
  },
  config: `${config}${more}`,
});

let parley = world.start(settings());

beforeAll(async () => {
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe.each(world.stages)("the operator's rules on $name", (stage) => {
  const groupOfThree = () => {
    const adam = admins.get(stage);
    const [ann, ben] = stage.group("Ann", "Ben");
    if (!ann || !ben || !adam) throw new Error("a group");
    const [a, b, c] = stage.groupOf([ann, ben, adam]);
    if (!a || !b || !c) throw new Error("a group of three");
    return { ann: a, ben: b, adam: c };
  };
  const mention = { mention: true };

  it("let a call pass, or deny it, by what it is given", async () => {
    const ann = stage.direct("Ann");
    ann.say('call write_note {"note":"free tea"}');
    await ann.wait("write_note said: Noted.");
    ann.say('call write_note {"note":"evil tea"}');
    await ann.wait("write_note said: policy-denied");
    const card = await askForNote(ann, "other tea");
    expect(card.text).toContain("It's up to you.");
    await ann.tap(card, "Approve");
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait(({ text }) => reads("write_note said: Noted.")(text) && ann.shown().length > 3);
    expect(await notesOf(ann)).toEqual(["free tea", "other tea"]);
  });

  it("want two different persons, and show each of them", async () => {
    const { ann, ben, adam } = groupOfThree();
    const card = await askForNote(ann, "two cups", mention);
    expect(card.buttons.slice(0, 2)).toEqual(["Approve", "Deny"]);
    expect(card.text).toContain("Needs two approvals, from a member.");
    expect(await ann.tap(card, "Approve")).toMatch(/^Got it: 1 of 2|1 of 2: approved by/);
    const half = await ann.wait("1 of 2: approved by Ann. One more is needed.");
    expect([half.id, half.buttons]).toEqual([card.id, card.buttons]);
    expect(await ann.tap(half, "Approve")).toMatch(/already approved this/);
    expect(ann.shown().some(({ text }) => text.includes("said:"))).toBe(false);
    expect(await ben.tap(half, "Approve")).toMatch(taken);
    await ann.wait(isClosed(card, "approved by Ann and Ben"));
    await ann.wait("write_note said: Noted.");
    expect(await adam.forge(card, card.data[1] ?? "")).toBe(
      "This is already approved by Ann and Ben.",
    );
    expect(await notesOf(ann, mention)).toEqual(["two cups"]);
  });

  it("count an answer and a command as a tap, and one of them may deny it", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "two pots", mention);
    ann.say("yes", { replyTo: card });
    await ann.wait("1 of 2: approved by Ann");
    await ann.wait("Got it: 1 of 2");
    expect(await ann.command("approve", "")).toMatch(/already/);
    expect(await ben.command("deny", "too many")).toBe("Denied.");
    await ann.wait(isClosed(card, "denied by Ben: too many"));
    await ann.wait("confirmation-denied");
    expect(await notesOf(ann, mention)).toEqual([]);
  });

  it("count a command and an answer in any order", async () => {
    const { ann, ben } = groupOfThree();
    const other = await askForNote(ann, "two jugs", mention);
    expect(await ben.command("approve", "")).toMatch(/^Got it: 1 of 2/);
    ann.say("yes", { replyTo: other });
    await ann.wait(isClosed(other, "approved by Ben and Ann"));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann, mention)).toEqual(["two jugs"]);
  });

  it("count two who tap at the same time once each", async () => {
    const { ann, ben } = groupOfThree();
    const cards = await askForNotes(ann, ["two a", "two b"], mention);
    const told = await Promise.all([ann.tap(cards, "Approve all"), ben.tap(cards, "Approve all")]);
    const done = told.join("\n");
    expect(done.match(/Got it|approved by|Approved: \d of 2/g)?.length).toBeGreaterThan(1);
    await ann.wait(isClosed(cards, "✓ 2 approved by"));
    await ann.wait("write_note said: Noted.");
    expect((await notesOf(ann, mention)).toSorted()).toEqual(["two a", "two b"]);
  });

  it("leave out people who have no say, and the second person is an admin", async () => {
    const { ann, ben, adam } = groupOfThree();
    const card = await askForNote(ann, "both cups", mention);
    expect(card.text).toContain("Needs two approvals, from Ann or an admin.");
    expect(await ben.tap(card, "Approve")).toMatch(/\bonly\b|not allowed/i);
    expect(await adam.tap(card, "Approve")).toMatch(/^Got it: 1 of 2|1 of 2: approved by/);
    expect(await ben.tap(card, "Approve")).toMatch(/\bonly\b|not allowed/i);
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait(isClosed(card, "approved by Adam and Ann"));
    await ann.wait("write_note said: Noted.");
  });

  it("ask no one in quiet hours where they say so, nor anybody who is not there", async () => {
    const ann = stage.direct("Ann");
    ann.say('call write_note {"note":"night tea"}');
    const night = await ann.wait("write_note said: policy-denied");
    expect(night.text).toMatch(/\(UTC\) nobody is asked/);
    ann.say('call write_note {"note":"two alone"}');
    await ann.wait("needs the approval of two persons");
    ann.say('call write_note {"note":"strict tea"}');
    await ann.wait("needs the approval of an admin");
    expect(ann.shown().every(({ buttons }) => buttons.length === 0)).toBe(true);
    expect(await notesOf(ann)).toEqual([]);
  });

  it("lists in /approvals who may decide, and that one of two has", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "two lists", mention);
    await ann.tap(card, "Approve");
    // Discord's Markdown escapes what would be emphasis.
    const listed = (await ben.command("approvals")).replaceAll("\\", "");
    expect(listed).toContain("Write note: asked for Ann, expires in");
    expect(listed).toContain("note: two lists");
    expect(listed).toContain("1 of 2: approved by Ann");
    await ben.tap(card, "Deny");
    await ann.wait(isClosed(card, "denied by Ben"));
  });
});

describe("the first of two approvals", () => {
  it("is there after a restart, on both platforms", async () => {
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const [ann, ben] = stage.group("Ann", "Ben");
        if (!ann || !ben) throw new Error("a group");
        const card = await askForNote(ann, "two days", { mention: true });
        expect(await ann.tap(card, "Approve")).toMatch(/^Got it: 1 of 2|1 of 2: approved by/);
        await ann.wait("1 of 2: approved by Ann");
        return { ann, ben, card };
      }),
    );
    await world.delivered();
    await parley.kill();
    parley = world.start(settings());
    await parley.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    await Promise.all(
      open.map(async ({ ann, ben, card }) => {
        expect(await ann.tap(card, "Approve")).toMatch(/already/);
        expect(await ben.tap(card, "Approve")).toMatch(taken);
        await ann.wait(isClosed(card, "approved by Ann and Ben"));
        await ann.wait("write_note said: Noted.");
      }),
    );
  });
});

describe("an approval under rules that are stricter by now", () => {
  it("is void: the call does not run, and the model is told why", async () => {
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const ann = stage.direct("Ann");
        return { ann, card: await askForNote(ann, "later tea") };
      }),
    );
    await world.delivered();
    await parley.kill();
    const stricter =
      '    - { match: write_note, arguments: { note: "later *" }, approvers: admins }\n';
    parley = world.start(settings(stricter));
    await parley.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    await Promise.all(
      open.map(async ({ ann, card }) => {
        expect(await ann.tap(card, "Approve")).toMatch(taken);
        const answer = await ann.wait("write_note said: policy-denied");
        expect(answer.text).toContain("has changed since this was proposed");
        expect(await notesOf(ann)).toEqual([]);
      }),
    );
  });
});
