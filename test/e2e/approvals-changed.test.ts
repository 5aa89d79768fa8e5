import { beforeAll, describe, expect, it } from "vitest";
import { DiscordChat } from "../support/parley/discord-stage.ts";
import { askForNote, askForNotes, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { Shown, TestChat } from "../support/parley/stage.ts";
import { denied, taken } from "../support/parley/stage.ts";

const world = await openWorld();
const admins = new Map(world.stages.map((stage) => [stage, stage.direct("Adam")] as const));
const environment = {
  ...world.environment,
  PARLEY_ADMINS: [...admins.values()].map(({ personId }) => personId).join(","),
};
let parley = world.start({ environment });

beforeAll(async () => {
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** The card that asks about what was changed. */
const newCard = (chat: TestChat, note: string): Promise<Shown> =>
  chat.wait(({ text, buttons }) => buttons.length > 0 && text.includes(note));

const changed = (note: string): string =>
  `write_note said: A person changed the arguments to {"note":"${note}"}. The result of that:`;

describe.each(world.stages)("a change before approving on $name", (stage) => {
  const adam = () => {
    const admin = admins.get(stage);
    if (!admin) throw new Error("every stage has an admin");
    return admin;
  };

  it("by an answer to the card is shown again, approved as changed, and told to the model", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "black tea");
    ann.say("note=green tea", { replyTo: card });
    await ann.wait(isClosed(card, "changed by Ann"));
    const second = await newCard(ann, "green tea");
    expect(second.id).not.toBe(card.id);
    expect(second.text).toContain("You changed the arguments.");
    expect(await ann.forge(card, card.data[0] ?? "")).toBe(
      "Ann already changed this; see the newer card below.",
    );
    expect(await ann.tap(second, "Approve")).toMatch(taken);
    await ann.wait(isClosed(second, "approved by Ann"));
    await ann.wait(changed("green tea"));
    expect(await notesOf(ann)).toEqual(["green tea"]);
  });

  it("by a command, also as JSON", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "weak tea");
    expect(await ann.command("edit", '{"note":"strong-tea"}')).toBe(
      "Changed. Please check it and approve it below.",
    );
    await ann.wait(isClosed(card, "changed by Ann"));
    await newCard(ann, "strong-tea");
    expect(await ann.command("approve", "")).toBe("Approved.");
    await ann.wait(changed("strong-tea"));
    expect(await notesOf(ann)).toEqual(["strong-tea"]);
  });

  it("that the tool cannot take is explained, and the card waits on", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "plain tea");
    expect(await ann.command("edit", "town=Bern")).toBe("There's no argument town here. Use note.");
    ann.say('{"note":7}', { replyTo: card });
    await ann.wait("note must be a text.");
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann)).toEqual(["plain tea"]);
  });

  it("is for who may decide: not for others, but for an admin, whose name stands there", async () => {
    const [a, b] = stage.group("Ann", "Ben");
    if (!a || !b) throw new Error("a group");
    const [ann, ben, admin] = stage.groupOf([a, b, adam()]);
    if (!ann || !ben || !admin) throw new Error("a group of three");
    const card = await askForNote(ann, "our tea", { mention: true });
    ben.say("note=my tea", { replyTo: card });
    await ben.wait("Only Ann or an admin can decide this.");
    admin.say("note=house tea", { replyTo: card });
    await ann.wait(isClosed(card, "changed by Adam"));
    const second = await newCard(ann, "house tea");
    expect(second.text).toContain("Adam changed the arguments.");
    expect(await ben.tap(second, "Approve")).toMatch(/\bonly\b|not allowed/i);
    expect(await ann.tap(second, "Deny")).toMatch(denied);
    await ann.wait(isClosed(second, "denied by Ann"));
    await ann.wait("confirmation-denied");
    expect(await notesOf(ann, { mention: true })).toEqual([]);
  });

  it("of one call of a card leaves the others on theirs", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNotes(ann, ["mint", "sage"]);
    ann.say("2 note=thyme", { replyTo: card });
    await ann.wait(({ text }) => text.includes("✎ 2 changed by Ann"));
    const second = await newCard(ann, "thyme");
    expect(await ann.tap(second, "Approve")).toMatch(taken);
    expect(await ann.tap(card, "✓ 1")).toMatch(taken);
    await ann.wait(changed("thyme"));
    expect((await notesOf(ann)).toSorted()).toEqual(["mint", "thyme"]);
  });

  it("stays in the topic or thread that it came from", async () => {
    const { inside, beside } = stage.topic("Ann");
    const [ann, outside] = [inside[0], beside[0]];
    if (!ann || !outside) throw new Error("a topic with Ann in it");
    const card = await askForNote(ann, "tea in here", { mention: true });
    ann.say("note=tea in there", { replyTo: card });
    const second = await newCard(ann, "tea in there");
    await ann.tap(second, "Approve");
    await ann.wait(changed("tea in there"));
    expect(outside.shown()).toEqual([]);
  });

  it.runIf(stage.name === "telegram")("by a reply that Edit asks for", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "iced tea");
    expect(card.buttons).toContain("Edit");
    expect(await ann.tap(card, "Edit")).toBe("");
    const question = await ann.wait("Reply to this message with the new value of note.");
    ann.say("hot tea", { replyTo: question });
    await ann.wait(isClosed(card, "changed by Ann"));
    const second = await newCard(ann, "hot tea");
    expect(second.text).toContain("You changed the arguments.");
    expect(await ann.tap(second, "Approve")).toMatch(taken);
    await ann.wait(changed("hot tea"));
    expect(await notesOf(ann)).toEqual(["hot tea"]);
  });

  it.runIf(stage.name === "telegram")("in a group, by a reply of who tapped Edit", async () => {
    const [ann, ben] = stage.group("Ann", "Ben");
    if (!ann || !ben) throw new Error("a group");
    const card = await askForNote(ann, "iced tea", { mention: true });
    await ann.tap(card, "Edit");
    const question = await ann.wait("Ann: Reply to this message with the new value of note.");
    ben.say("cold tea", { replyTo: question });
    ann.say("hot tea", { replyTo: question });
    const second = await newCard(ann, "hot tea");
    await ann.tap(second, "Approve");
    await ann.wait(changed("hot tea"));
    expect(await notesOf(ann, { mention: true })).toEqual(["hot tea"]);
  });

  it.runIf(stage.name === "discord")(
    "by a form, whose fields hold what the model wanted",
    async () => {
      const ann = stage.direct("Ann");
      if (!(ann instanceof DiscordChat)) throw new TypeError("Discord");
      const card = await askForNote(ann, "iced tea");
      expect(await ann.fill(card, "Edit", {})).toMatch(/Nothing changed/);
      expect(await ann.fill(card, "Edit", { "=note": "hot tea" })).toContain("changed by Ann");
      await ann.wait(isClosed(card, "changed by Ann"));
      const second = await newCard(ann, "hot tea");
      await ann.tap(second, "Approve");
      await ann.wait(changed("hot tea"));
      expect(await notesOf(ann)).toEqual(["hot tea"]);
    },
  );

  it("allowed for a while, the same call runs unasked until that is taken back", async () => {
    const ann = stage.direct("Ann");
    const card = await askForNote(ann, "usual tea");
    expect(await ann.tap(card, "Allow for 1 h")).toMatch(
      /^Approved\. For 1 h I'll do exactly this again without asking/,
    );
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    const ran = ann.shown().length;
    ann.say('call write_note {"note":"usual tea"}');
    await ann.wait(
      ({ id, text }) =>
        text.includes("write_note said: Noted.") &&
        ann.shown().findIndex((each) => each.id === id) >= ran,
    );
    expect(await notesOf(ann)).toEqual(["usual tea", "usual tea"]);
    const other = await askForNote(ann, "other tea");
    await ann.tap(other, "Deny");
    await ann.wait("confirmation-denied");
    expect((await ann.command("grants")).replaceAll("\\", "")).toContain(
      '1. Write note with exactly {"note":"usual tea"}',
    );
    expect(await ann.command("grants", "1")).toMatch(
      /^Done\. I'll ask before using Write note again\.$/,
    );
    ann.say('call write_note {"note":"usual tea"}');
    const asked = await newCard(ann, "usual tea");
    expect(asked.id).not.toBe(card.id);
  });
});

describe.each(world.stages)("a permission on $name", (stage) => {
  it("of an admin, who is one no more, lets nothing run", async () => {
    const [ann, ada] = stage.group("Ann", "Ada");
    if (!ann || !ada) throw new Error("a group");
    const owner = admins.get(stage);
    const role = (given: string) => owner?.command("role", `${ada.personId} ${given}`);
    expect(await role("admin")).toMatch(/is now an admin/);
    const card = await askForNote(ann, "free tea", { mention: true });
    expect(await ada.tap(card, "Allow for 1 h")).toMatch(/^Approved\. For 1 h/);
    await ann.wait(isClosed(card, "approved by Ada"));
    await ann.wait("write_note said: Noted.");
    await role("member");
    const asked = await askForNote(ann, "free tea", { mention: true });
    expect(asked.id).not.toBe(card.id);
    await ann.tap(asked, "Deny");
    expect(await notesOf(ann, { mention: true })).toEqual(["free tea"]);
  });
});

describe("after kill -9 between a change and its new card", () => {
  it("the next worker asks about what was changed", async () => {
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const ann = stage.direct("Ann");
        return { ann, card: await askForNote(ann, "tea before") };
      }),
    );
    await world.delivered();
    await parley.kill("SIGKILL");
    const bots = world.start({
      environment: { ...environment, PARLEY_ROLE: "bots" },
    });
    await bots.ready();
    await Promise.all(
      open.map(async ({ ann, card }) => {
        ann.say("note=tea after", { replyTo: card });
        await ann.wait(isClosed(card, "changed by Ann"));
      }),
    );
    await world.delivered();
    await bots.kill("SIGKILL");
    parley = world.start({ environment });
    await parley.ready();
    await Promise.all(
      open.map(async ({ ann, card }) => {
        const second = await newCard(ann, "tea after");
        expect(await ann.forge(card, card.data[0] ?? "")).toBe(
          "Ann already changed this; see the newer card below.",
        );
        expect(await ann.tap(second, "Approve")).toMatch(taken);
        await ann.wait(changed("tea after"));
        expect(await notesOf(ann)).toEqual(["tea after"]);
      }),
    );
  });
});
