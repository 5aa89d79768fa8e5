import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, isClosed } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { taken, timeoutMs } from "../support/parley/stage.ts";

const world = await openWorld();
const { model, telegram } = world;
const admins = new Map(world.stages.map((stage) => [stage, stage.direct("Adam")] as const));

beforeAll(async () => {
  const PARLEY_ADMINS = [...admins.values()].map(({ personId }) => personId).join(",");
  await world.start({ environment: { ...world.environment, PARLEY_ADMINS } }).ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** Ann and Ben, who are no admins, and Adam, who is one, in a group of their own. */
function groupOn(stage: (typeof world.stages)[number]) {
  const admin = admins.get(stage);
  if (!admin) throw new Error("every stage has an admin");
  const people = [stage.direct("Ann"), stage.direct("Ben"), admin];
  const [ann, ben, adam] = stage.groupOf(people);
  if (!ann || !ben || !adam) throw new Error("a group of three");
  return { ann, ben, adam };
}

describe.each(world.stages)("in a group on $name", (stage) => {
  it("an admin's question to its approvers survives what others stop and begin", async () => {
    const { ann, ben, adam } = groupOn(stage);
    const note = `tea on ${stage.name}`;
    const card = await askForNote(adam, note, { mention: true });
    expect(await ben.command("stop")).toBe("Only Adam or an admin can stop this answer.");
    // Behind the open card a new conversation waits.
    expect(await ann.command("new")).toContain("then start a new conversation");
    expect(await adam.tap(card, "Approve")).toMatch(taken);
    await adam.wait("write_note said: Noted.");
  });

  it("an admin stops anybody's answer", async () => {
    const { ann, adam } = groupOn(stage);
    const words = `from ann on ${stage.name}`;
    const gate = model.hold(({ lastUserText }) => lastUserText.includes(words), { at: "headers" });
    ann.say(`say ${words}`, { mention: true });
    await gate.waitUntilHeld({ timeoutMs });
    expect(await adam.command("stop")).toBe("Stopped.");
    gate[Symbol.dispose]();
  });

  it("everyone reads of an answer that its author stops, also if nothing of it was shown yet", async () => {
    const { ann, ben } = groupOn(stage);
    const words = `one ${stage.name}`;
    using gate = model.hold(({ lastUserText }) => lastUserText.includes(words), { at: 2 });
    ann.say(`say ${words} three`, { mention: true });
    await gate.waitUntilHeld({ timeoutMs });
    await ann.command("stop");
    // On Discord the command's answer is only Ann's.
    const { text } = await ben.wait(stage.name === "discord" ? "(stopped)" : "Stopped.");
    expect(text.includes(words)).toBe(stage.name === "discord");
  });

  it("the person who asked stops their own", async () => {
    const { ann } = groupOn(stage);
    const note = `coffee on ${stage.name}`;
    const card = await askForNote(ann, note, { mention: true });
    expect(await ann.command("stop")).toBe("Stopped.");
    await ann.wait(isClosed(card, "cancelled"));
  });
});

it("150 times /stop keep no one's answer waiting, in the same group or elsewhere", async () => {
  const { ben, adam } = groupOn(telegram);
  const elsewhere = telegram.directOf(adam);
  for (let sent = 0; sent < 150; sent += 1) ben.say("/stop");
  adam.say("say here I am", { mention: true });
  elsewhere.say("say and there");
  await Promise.all([
    adam.wait(({ text }) => text.includes("here I am")),
    elsewhere.wait(({ text }) => text.includes("and there")),
  ]);
  const texts = adam.shown().map(({ text }) => text);
  const before = texts.slice(
    0,
    texts.findIndex((text) => text.includes("here I am")),
  );
  // One for each half minute in which they are sent.
  expect(before.length).toBeLessThanOrEqual(3);
  await world.delivered();
});
