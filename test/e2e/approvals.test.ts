import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { model } = world;
const admins = new Map(
  world.stages.map((stage) => [stage, stage.direct("Adam")] as const),
);

beforeAll(async () => {
  const PARLEY_ADMINS = [...admins.values()]
    .map(({ personId }) => personId)
    .join(",");
  await world
    .start({ environment: { ...world.environment, PARLEY_ADMINS } })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe.each(world.stages)("an approval on $name", (stage) => {
  const adam = () => {
    const admin = admins.get(stage);
    if (!admin) throw new Error("every stage has an admin");
    return admin;
  };
  /** Ann, who asks, Ben, who has no say, and Adam, who is an admin. */
  const groupOfThree = () => {
    const [ann, ben] = stage.group("Ann", "Ben");
    if (!ann || !ben) throw new Error("a group");
    const [a, b, c] = stage.groupOf([ann, ben, adam()]);
    if (!a || !b || !c) throw new Error("a group of three");
    return { ann: a, ben: b, adam: c };
  };

  it("lets the tool run when it is approved", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "buy tea");
    expect(card.buttons).toEqual(["Approve", "Deny"]);
    expect(card.text).toContain("write_note");
    expect(card.text).toContain(`"note": "buy tea"`);
    expect(await ann.tap(card, "Approve")).toBe("Approved.");
    await ann.wait(isClosed(card, "Approved by Ann."));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann)).toEqual(["buy tea"]);
  });

  it("keeps the tool from running when it is denied, and ends with a last answer", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "sell tea");
    expect(await ann.tap(card, "Deny")).toBe("Denied.");
    await ann.wait(isClosed(card, "Denied by Ann."));
    await ann.wait("write_note said: confirmation-denied");
    const last = model.requests.findLast(({ lastUserText }) =>
      lastUserText.includes("sell tea"),
    );
    expect(last?.mayCallTools).toBe(false);
    expect(await notesOf(ann)).toEqual([]);
  });

  it("is superseded when the requester types instead of tapping", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "drink tea");
    const [approve = ""] = card.data;
    ann.say("say forget about the tea");
    await ann.wait("forget about the tea");
    await ann.wait(isClosed(card, "superseded"));
    expect(await ann.forge(card, approve)).toMatch(/already superseded/);
    expect(await notesOf(ann)).toEqual([]);
  });

  it("is decided once when two people tap at the same time", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNote(ann, "tea for two", { mention: true });
    const told = await Promise.all([
      ann.tap(card, "Approve"),
      admin.tap(card, "Approve"),
    ]);
    expect(told.filter((text) => text === "Approved.")).toHaveLength(1);
    expect(
      told.filter((text) => /already approved by (Ann|Adam)/.test(text)),
    ).toHaveLength(1);
    const winner = told[0] === "Approved." ? "Ann" : "Adam";
    expect(told.join("\n")).toContain(`already approved by ${winner}`);
    await ann.wait(isClosed(card, `Approved by ${winner}.`));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann, { mention: true })).toEqual(["tea for two"]);
  });

  it("is decided once when two people disagree", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNote(ann, "tea or coffee", { mention: true });
    const [one, other] = await Promise.all([
      ann.tap(card, "Approve"),
      admin.tap(card, "Deny"),
    ]);
    const isApproved = one === "Approved.";
    expect(isApproved ? other : one).toMatch(
      isApproved ? /already approved by Ann/ : /already denied by Adam/,
    );
    await ann.wait(
      isApproved ? "write_note said: Noted." : "confirmation-denied",
    );
    expect(await notesOf(ann, { mention: true })).toEqual(
      isApproved ? ["tea or coffee"] : [],
    );
  });

  it("refuses somebody who has no say, privately, and stays open", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "tea in secret", { mention: true });
    const before = ann.shown();
    expect(await ben.tap(card, "Approve")).toMatch(/not allowed.*Ann/);
    expect(await ben.tap(card, "Deny")).toMatch(/not allowed/);
    expect(ann.shown()).toEqual(before);
    expect(await ann.tap(card, "Approve")).toBe("Approved.");
    await ann.wait("write_note said: Noted.");
  });

  it("may be decided by an admin, who is named", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNote(ann, "tea on the house", { mention: true });
    await admin.tap(card, "Approve");
    await ann.wait(isClosed(card, "Approved by Adam."));
    await ann.wait("write_note said: Noted.");
  });

  it("asks for every call of a round, and runs each as decided", async () => {
    const ann = stage.direct("Ann");
    ann.say(
      `call write_note {"note":"green"} and write_note {"note":"black"} and current_time {}`,
    );
    const isCard = (text: string) =>
      ann.wait(
        (message) => message.buttons.length > 0 && message.text.includes(text),
      );
    const [green, black] = await Promise.all([
      isCard(`"green"`),
      isCard(`"black"`),
    ]);
    await ann.tap(green, "Approve");
    expect(ann.shown().some(({ text }) => text.includes("said:"))).toBe(false);
    await ann.tap(black, "Approve");
    const answer = await ann.wait("write_note said: ");
    expect(answer.text.match(/write_note said: Noted\./g)).toHaveLength(2);
    expect((await notesOf(ann)).toSorted()).toEqual(["black", "green"]);
  });

  it("can't be had with a forged, a foreign or an old button", async () => {
    const [ann, eve] = [stage.direct("Ann"), stage.direct("Eve")];
    const card = await askForNote(ann, "no more tea");
    const [approve = "", deny = ""] = card.data;
    eve.say("say hello to Eve");
    const hers = await eve.wait("hello to Eve");
    const tries = [
      [approve, /not of this chat|too old/],
      [deny, /not of this chat|too old/],
      [`${approve.slice(0, -4)}AAAA`, /too old/],
      ["a:", /too old/],
      ["nonsense", /not one of mine|too old/],
      ["pa:ABCDEFGH", /not allowed/],
    ] as const;
    for (const [data, sentence] of tries)
      expect(await eve.forge(hers, data)).toMatch(sentence);
    const other = await askForNote(ann, "other tea");
    expect(other.data).not.toContain(approve);
    await ann.wait(isClosed(card, "superseded"));
    await ann.tap(other, "Deny");
    await ann.wait("confirmation-denied");
    expect(await ann.forge(other, other.data[0] ?? "")).toMatch(
      /already denied by Ann/,
    );
    expect(await notesOf(ann)).toEqual([]);
  });

  it("lets others wait, who are told for whom, and come to their turn", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "tea before Ben", { mention: true });
    ben.say("say it is my turn now", { mention: true });
    await ben.wait("I am waiting for Ann");
    expect(ann.shown().some(isClosed(card, ""))).toBe(false);
    await ann.tap(card, "Approve");
    await ann.wait("write_note said: Noted.");
    await ben.wait("it is my turn now");
    const answers = ann.shown().map(({ text }) => text);
    expect(answers.indexOf("write_note said: Noted.")).toBeLessThan(
      answers.indexOf("it is my turn now"),
    );
    expect(
      answers.filter((text) => text.includes("I am waiting for Ann")),
    ).toHaveLength(1);
  });

  it("is denied by /stop, and the card says so", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "cold tea");
    await ann.command("stop");
    await ann.wait(isClosed(card, "stopped"));
    expect(await notesOf(ann)).toEqual([]);
  });
});
