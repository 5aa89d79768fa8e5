import { beforeAll, describe, expect, it } from "vitest";
import { isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { taken, type Shown, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const admins = new Map(
  world.stages.map(
    (stage) => [stage, { adam: stage.direct("Adam"), eva: stage.direct("Eva") }] as const,
  ),
);

const settings = () => ({
  environment: {
    ...world.environment,
    PARLEY_ADMINS: [...admins.values()]
      .flatMap(({ adam, eva }) => [adam.personId, eva.personId])
      .join(","),
  },
  config: "tools: { rules: [{ match: write_note, confirm: always, approvers: admins }] }\n",
});

let parley = world.start(settings());

beforeAll(async () => {
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  // An admin is reachable once they have written.
  await Promise.all(
    [...admins.values()]
      .flatMap(({ adam, eva }) => [adam, eva])
      .map(async (admin) => {
        admin.say("say hello");
        await admin.wait("hello");
      }),
  );
});

/** A copy begins with who asks. */
const denied = /^Denied\.$|denied by /;

const waits = "I've asked the admins to approve this.";
const isCardOf =
  (...notes: readonly string[]) =>
  ({ text, buttons }: Shown): boolean =>
    buttons.length > 0 && notes.every((note) => text.includes(note));

/** A member asks in private; fulfils with the card in the own chat and its copies. */
async function ask(
  { adam, eva }: { readonly adam: TestChat; readonly eva: TestChat },
  bob: TestChat,
  ...notes: readonly string[]
) {
  bob.say(`call ${notes.map((note) => `write_note ${JSON.stringify({ note })}`).join(" and ")}`);
  const own = await bob.wait(({ text }) => text.includes(waits) && text.includes(notes[0] ?? ""));
  const [first, second] = await Promise.all(
    [adam, eva].map((admin) => admin.wait(isCardOf(...notes))),
  );
  if (first === undefined || second === undefined) throw new Error("no copies");
  return { own, first, second };
}

describe.each(world.stages)(
  "a call that only admins may approve, asked in private on $name",
  (stage) => {
    const deciders = () => {
      const found = admins.get(stage);
      if (found === undefined) throw new Error("admins");
      return found;
    };

    it("is decided by the first admin in their own chat, and every card shows that", async () => {
      const { adam, eva } = deciders();
      const bob = stage.direct("Bob");
      const { own, first, second } = await ask(deciders(), bob, "green tea");
      expect(own.buttons).toEqual([]);
      expect(own.text).toContain("/stop");
      expect(first.buttons).toEqual(["Approve", "Deny"]);
      for (const part of ["Bob", "private chat", "Write note", "green tea", "up to an admin"])
        expect(first.text).toContain(part);
      expect(await adam.tap(first, "Approve")).toMatch(taken);
      await bob.wait(isClosed(own, "approved by Adam"));
      await bob.wait("write_note said: Noted.");
      await adam.wait(isClosed(first, "approved by Adam"));
      await eva.wait(isClosed(second, "approved by Adam"));
      expect(await eva.forge(second, first.data[0] ?? "")).toMatch(/already approved by Adam/);
      expect(await notesOf(bob)).toEqual(["green tea"]);
    });

    it("isn't decided by a person who is no admin, whatever they tap", async () => {
      const { adam } = deciders();
      const bob = stage.direct("Bob");
      const mia = stage.direct("Mia");
      mia.say("say hi");
      const said = await mia.wait("hi");
      const { own, first } = await ask(deciders(), bob, "black tea");
      const [approve = "", deny = ""] = first.data;
      for (const data of [approve, deny, approve.replace(/^a:/, "al:")]) {
        expect(await bob.forge(own, data)).toMatch(/Only an admin/);
        expect(await mia.forge(said, data)).toMatch(/Only an admin|another chat|isn't from/);
      }
      expect(await bob.command("approve", "")).toMatch(/Only an admin/);
      // No standing permission comes of it, nor a change that Bob doesn't see.
      expect(await adam.forge(first, approve.replace(/^a:/, "al:"))).not.toMatch(taken);
      expect(await adam.tap(first, "Deny")).toMatch(denied);
      await bob.wait(isClosed(own, "denied by Adam"));
      expect(await notesOf(bob)).toEqual([]);
    });

    it("isn't decided by someone who was an admin when the card came", async () => {
      const { adam, eva } = deciders();
      const zoe = stage.direct("Zoe");
      zoe.say("say hello");
      await zoe.wait("hello");
      expect(await adam.command("role", `${zoe.personId} admin`)).toMatch(/is now an admin/);
      // An admin is reachable once they have written as one.
      zoe.say("say I help");
      await zoe.wait("I help");
      const bob = stage.direct("Bob");
      const { own } = await ask(deciders(), bob, "old tea");
      const card = await zoe.wait(isCardOf("old tea"));
      await adam.command("role", `${zoe.personId} member`);
      expect(await zoe.tap(card, "Approve")).toMatch(/Only an admin/);
      expect(await eva.tap(await eva.wait(isCardOf("old tea")), "Deny")).toMatch(denied);
      await bob.wait(isClosed(own, "denied by Eva"));
      // Their copy shows it, too.
      await zoe.wait(isClosed(card, "denied by Eva"));
    });

    it("with others on one card is decided one by one", async () => {
      const { adam, eva } = deciders();
      const bob = stage.direct("Bob");
      const { own, first, second } = await ask(deciders(), bob, "tea one", "tea two");
      expect(first.buttons.slice(0, 2)).toEqual(["Approve all", "Deny all"]);
      await adam.tap(first, "✓ 1");
      const half = await eva.wait(
        ({ id, text }) => id === second.id && text.includes("1 approved by Adam"),
      );
      await eva.tap(half, "✗ 2");
      await bob.wait(isClosed(own, "2 denied by Eva"));
      await adam.wait(isClosed(first, "2 denied by Eva"));
      expect(await notesOf(bob)).toEqual(["tea one"]);
    });

    it.each([
      ["/stop", (bob: TestChat) => bob.command("stop"), "stopped"],
      ["a new message", (bob: TestChat) => bob.say("say never mind"), "newer message"],
    ])("is cancelled by %s, on every card", async (_how, cancel, outcome) => {
      const { adam, eva } = deciders();
      const bob = stage.direct("Bob");
      const { own, first, second } = await ask(deciders(), bob, `tea until ${outcome}`);
      await cancel(bob);
      await bob.wait(isClosed(own, outcome));
      await adam.wait(isClosed(first, outcome));
      await eva.wait(isClosed(second, outcome));
      expect(await adam.forge(first, first.data[0] ?? "")).toMatch(/already/);
    });
  },
);

describe("after kill -9", () => {
  it("each admin has one card still, and decides it", async () => {
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const found = admins.get(stage);
        if (found === undefined) throw new Error("admins");
        const bob = stage.direct("Bob");
        return { ...found, bob, ...(await ask(found, bob, `late tea ${stage.name}`)) };
      }),
    );
    // A message whose receipt is lost is repeated, with a label.
    await world.delivered();
    await parley.kill("SIGKILL");
    parley = world.start(settings());
    await parley.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    for (const { adam, eva, bob, own, first, second } of open) {
      expect(await adam.tap(first, "Approve")).toMatch(taken);
      await bob.wait(isClosed(own, "approved by Adam"));
      await eva.wait(isClosed(second, "approved by Adam"));
      const copies = eva.shown().filter(({ text }) => text.includes(`late tea ${bob.platform}`));
      expect(copies).toHaveLength(1);
      expect(await notesOf(bob)).toEqual([`late tea ${bob.platform}`]);
    }
  });
});
