import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, askForNotes, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { denied, taken } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;
const admins = new Map(world.stages.map((stage) => [stage, stage.direct("Adam")] as const));

beforeAll(async () => {
  const PARLEY_ADMINS = [...admins.values()].map(({ personId }) => personId).join(",");
  await world.start({ environment: { ...world.environment, PARLEY_ADMINS } }).ready();
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

  it("shows what its card hides to people who may decide, alone, and the audit log says so", async () => {
    const { ann, ben } = groupOfThree();
    const own = stage.directOf(ann);
    own.say("say good morning");
    await own.wait("good morning");
    const button = "Show hidden values";
    for (const [index, chat] of [ann, own].entries()) {
      const secret = `sk-${index}${"a1b2".repeat(6)}`;
      const note = `{"note":"The key is ${secret}"}`;
      chat.say(`call write_note ${note}`, { mention: chat === ann });
      const card = await chat.wait(({ buttons }) => buttons.includes(button));
      expect(card.text).not.toContain(secret);
      if (chat === ann) expect(await ben.tap(card, button)).toMatch(/\bonly\b|not allowed/i);
      const answer = await chat.tap(card, button);
      // Telegram has room for 200 characters in its answer to a tap, Discord shows all of it to one
      // person.
      if (stage.name === "discord") expect(answer).toContain(secret);
      else await own.wait(secret);
      const everybodys = stage.name === "discord" ? [ann, own] : [ann];
      for (const { history } of everybodys.flatMap((each) => each.shown()))
        expect(history.join()).not.toContain(secret);
      await chat.tap(card, "Deny");
      await chat.wait(isClosed(card, "denied by Ann"));
    }
    const log = await stage.directOf(adam()).command("audit");
    const viewed = log
      .split("\n")
      .filter(
        (line) => line.includes(`(${stage.name}:`) && line.includes("viewed hidden values of"),
      );
    expect(viewed).toHaveLength(2);
    for (const line of viewed) expect(line).toContain(ann.personId);
    expect(log).not.toContain("a1b2a1b2");
  });

  it("lets the tool run when it is approved", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "buy tea");
    expect(card.buttons).toEqual(["Approve", "Deny", "Edit", "Allow for 1 h"]);
    expect(card.text).toContain("write_note");
    expect(card.text).toContain("note: buy tea");
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann)).toEqual(["buy tea"]);
  });

  it("keeps the tool from running when it is denied, and ends with a last answer", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "sell tea");
    expect(await ann.tap(card, "Deny")).toMatch(denied);
    await ann.wait(isClosed(card, "denied by Ann"));
    await ann.wait("write_note said: confirmation-denied");
    const last = model.requests.findLast(({ lastUserText }) => lastUserText.includes("sell tea"));
    expect(last?.mayCallTools).toBe(false);
    expect(await notesOf(ann)).toEqual([]);
  });

  it("is decided by a bare yes or no", async () => {
    const ann = stage.direct("Ann");
    const yes = await askForNote(ann, "green tea");
    ann.say("👍🏽");
    await ann.wait(isClosed(yes, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    const no = await askForNote(ann, "black tea");
    ann.say("No, thanks!");
    await ann.wait(isClosed(no, "denied by Ann"));
    await ann.wait("write_note said: confirmation-denied");
    expect(await notesOf(ann)).toEqual(["green tea"]);
  });

  it("is superseded when the requester types instead of tapping", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "drink tea");
    const [approve = ""] = card.data;
    ann.say("say forget about the tea");
    await ann.wait("forget about the tea");
    await ann.wait(isClosed(card, "newer message"));
    expect(await ann.forge(card, approve)).toBe("This was already replaced by a newer message.");
    expect(await notesOf(ann)).toEqual([]);
  });

  it("is decided once when two people tap at the same time, and the loser sees who decided", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNote(ann, "tea for two", { mention: true });
    const told = await Promise.all([ann.tap(card, "Approve"), admin.tap(card, "Approve")]);
    expect(told.filter((text) => taken.test(text))).toHaveLength(1);
    expect(told.filter((text) => /already approved by (Ann|Adam)/.test(text))).toHaveLength(1);
    const winner = taken.test(told[0] ?? "") ? "Ann" : "Adam";
    expect(told.join("\n")).toContain(`already approved by ${winner}`);
    await ann.wait(isClosed(card, `approved by ${winner}`));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann, { mention: true })).toEqual(["tea for two"]);
  });

  it("is decided once when two people disagree", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNote(ann, "tea or coffee", { mention: true });
    const [one, other] = await Promise.all([ann.tap(card, "Approve"), admin.tap(card, "Deny")]);
    const isApproved = taken.test(one);
    expect(isApproved ? other : one).toMatch(
      isApproved ? /already approved by Ann/ : /already denied by Adam/,
    );
    await ann.wait(isApproved ? "write_note said: Noted." : "confirmation-denied");
    expect(await notesOf(ann, { mention: true })).toEqual(isApproved ? ["tea or coffee"] : []);
  });

  it("refuses someone who has no say, privately, and stays open", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "tea in secret", { mention: true });
    const before = ann.shown();
    expect(await ben.tap(card, "Approve")).toBe("Only Ann or an admin can decide this.");
    expect(await ben.tap(card, "Deny")).toMatch(/\bonly\b|not allowed/i);
    expect(ann.shown()).toEqual(before);
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait("write_note said: Noted.");
  });

  it("may be decided by an admin, who is named", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNote(ann, "tea on the house", { mention: true });
    await admin.tap(card, "Approve");
    await ann.wait(isClosed(card, "approved by Adam"));
    await ann.wait("write_note said: Noted.");
  });

  it("asks for every call of a round on one card, and runs each as decided", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNotes(ann, ["green", "black", "white"]);
    const pairs = ["✓ 1", "✗ 1", "✓ 2", "✗ 2", "✓ 3", "✗ 3"];
    // Where "Edit…" is, the platform's rows decide.
    expect(card.buttons.toSorted()).toEqual(
      ["Approve all", "Deny all", "Edit…", ...pairs].toSorted(),
    );
    const current = () => {
      const found = ann.shown().find(({ id }) => id === card.id);
      if (!found) throw new Error("the card");
      return found;
    };
    expect(await ann.tap(card, "✓ 2")).toMatch(taken);
    await ann.wait(({ text }) => text.includes("✓ 2 approved by Ann"));
    expect(current().buttons).not.toContain("✓ 2");
    expect(current().buttons).toContain("✗ 1");
    expect(current().text).toContain("note: black");
    expect(ann.shown().some(({ text }) => text.includes("said:"))).toBe(false);
    const told = await ann.tap(current(), "Approve all");
    expect(told).toMatch(ann.platform === "telegram" ? /^Approved: 2 of 3\./ : /3 approved by Ann/);
    await ann.wait(isClosed(card, "✓ 3 approved by Ann"));
    const answer = await ann.wait("write_note said: ");
    expect(answer.text.match(/write_note said: Noted\./g)).toHaveLength(3);
    expect((await notesOf(ann)).toSorted()).toEqual(["black", "green", "white"]);
  });

  it("of several calls is decided once for each by two who tap at the same time", async () => {
    const { ann, adam: admin } = groupOfThree();
    const card = await askForNotes(ann, ["mint", "lemon"], { mention: true });
    const told = await Promise.all([ann.tap(card, "Approve all"), admin.tap(card, "Approve all")]);
    if (ann.platform === "telegram") {
      const wins = told.map((text) => Number(/^Approved: (\d) of 2/.exec(text)?.[1] ?? 0));
      expect(wins.reduce((sum, each) => sum + each)).toBe(2);
      for (const [index, name] of ["Adam", "Ann"].entries())
        if (wins[index] !== 2) expect(told[index]).toContain(`already approved by ${name}`);
    }
    await ann.wait(isClosed(card, "✓ 2 approved by"));
    await ann.wait("write_note said: Noted.");
    expect((await notesOf(ann, { mention: true })).toSorted()).toEqual(["lemon", "mint"]);
  });

  it("of several calls is closed as a whole by /stop", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNotes(ann, ["one", "two"]);
    await ann.tap(card, "✗ 1");
    await ann.command("stop");
    await ann.wait(isClosed(card, "✗ 2 cancelled"));
    expect(await notesOf(ann)).toEqual([]);
  });

  it("of a long call shows all of it, and its buttons behind that", async () => {
    const ann = stage.direct("Ann");
    const words = Array.from({ length: 240 }, (_, index) => `word${index + 100}`);
    ann.say(`call write_note ${JSON.stringify({ note: words.join(" ") })}`);
    const long = await ann.wait(
      ({ text, buttons }) => buttons.length > 0 && text.includes("word100"),
    );
    const above = ann.shown().map(({ text }) => text);
    for (const word of words) expect(above.some((text) => text.includes(word))).toBe(true);
    expect(ann.shown().at(-1)?.id).toBe(long.id);
    await ann.tap(long, "Approve");
    await ann.wait(isClosed(long, "approved by Ann"));
    expect(await notesOf(ann)).toEqual([words.join(" ")]);
  });

  it("may be decided by a command, with a reason that the model reads", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "typed tea");
    expect(card.text).toMatch(/ID: `?[A-Z]{5}/);
    expect(card.text).not.toContain("/approve");
    expect(await ann.command("approve", "")).toBe("Approved.");
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    const other = await askForNote(ann, "dear tea");
    expect(await ann.command("deny", "far too dear")).toBe("Denied.");
    await ann.wait(isClosed(other, "denied by Ann: far too dear"));
    await ann.wait('Their reason: "far too dear"');
    expect(await notesOf(ann)).toEqual(["typed tea"]);
  });

  it("may be decided by an answer to its card", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "answered tea", { mention: true });
    ben.say("yes", { replyTo: card });
    await ben.wait("Only Ann or an admin can decide this.");
    ann.say("Yes!", { replyTo: card });
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann, { mention: true })).toEqual(["answered tea"]);
    const other = await askForNote(ann, "cold tea", { mention: true });
    ann.say("no, it is cold", { replyTo: other });
    await ann.wait(isClosed(other, "denied by Ann: it is cold"));
    await ann.wait("confirmation-denied");
  });

  it("stays in the topic or thread that it came from, by tap, command and answer", async () => {
    const { inside, beside } = stage.topic("Ann");
    const [ann, outside] = [inside[0], beside[0]];
    if (!ann || !outside) throw new Error("a topic with Ann in it");
    const card = await askForNote(ann, "tea in here", { mention: true });
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    const second = await askForNote(ann, "more tea", { mention: true });
    ann.say("ok", { replyTo: second });
    await ann.wait(isClosed(second, "approved by Ann"));
    expect(await notesOf(ann, { mention: true })).toEqual(["tea in here", "more tea"]);
    expect(outside.shown()).toEqual([]);
    outside.say("call read_notes {}", { mention: true });
    const notes = await outside.wait("read_notes said");
    expect(notes.text).not.toContain("tea");
  });

  it("can't be had with a forged, a foreign or an old button", async () => {
    const [ann, eve] = [stage.direct("Ann"), stage.direct("Eve")];
    const card = await askForNote(ann, "no more tea");
    const [approve = "", deny = ""] = card.data;
    eve.say("say hello to Eve");
    const hers = await eve.wait("hello to Eve");
    const tries = [
      [approve, /another chat|no longer works/],
      [deny, /another chat|no longer works/],
      [`${approve.slice(0, -4)}AAAA`, /too old/],
      ["a:", /too old/],
      ["nonsense", /no longer works/],
      ["pa:ABCDEFGH", /^Only an admin can decide this\.$/],
    ] as const;
    for (const [data, sentence] of tries) expect(await eve.forge(hers, data)).toMatch(sentence);
    const other = await askForNote(ann, "other tea");
    expect(other.data).not.toContain(approve);
    await ann.wait(isClosed(card, "newer message"));
    await ann.tap(other, "Deny");
    await ann.wait("confirmation-denied");
    expect(await ann.forge(other, other.data[0] ?? "")).toMatch(/already denied by Ann/);
    expect(await notesOf(ann)).toEqual([]);
  });

  it("lets others wait, who are told which person is asked, and come to their turn", async () => {
    const { ann, ben } = groupOfThree();
    const card = await askForNote(ann, "tea before Ben", { mention: true });
    ben.say("say it is my turn now", { mention: true });
    await ben.wait("I'm waiting for Ann");
    expect(ann.shown().some(isClosed(card, ""))).toBe(false);
    await ann.tap(card, "Approve");
    await ann.wait("write_note said: Noted.");
    await ben.wait("it is my turn now");
    const answers = ann.shown().map(({ text }) => text);
    expect(answers.indexOf("write_note said: Noted.")).toBeLessThan(
      answers.indexOf("it is my turn now"),
    );
    expect(answers.filter((text) => text.includes("I'm waiting for Ann"))).toHaveLength(1);
  });

  it("is denied by /stop, and the card says so", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "cold tea");
    await ann.command("stop");
    await ann.wait(isClosed(card, "cancelled"));
    expect(await notesOf(ann)).toEqual([]);
  });
});
