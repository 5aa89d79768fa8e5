import { beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/redis/redis.ts";
import { keysWith } from "../support/erasure/occurrences.ts";
import { isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { taken, type Shown, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const store = openStore(world.redis.url, () => undefined);
const admins = new Map(
  world.stages.map(
    (stage) => [stage, { adam: stage.direct("Adam"), eva: stage.direct("Eva") }] as const,
  ),
);

const everyone = [...admins.values()].flatMap(({ adam, eva }) => [adam, eva]);

beforeAll(async () => {
  await world
    .start({
      environment: {
        ...world.environment,
        PARLEY_ADMINS: everyone.map(({ personId }) => personId).join(","),
      },
      config: `
access: { trustGroupAdmins: true }
tools:
  rules:
    - { match: write_note, confirm: always, approvers: admins }
    - { match: current_time, confirm: always, approvers: admins, expiresAfter: 4s }
`,
      tolerates: [/undeliverable/],
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  const [bob] = world.stages.map((stage) => stage.direct("Bob"));
  bob?.say(`call write_note {"note":"lone tea"}`);
  await bob?.wait("nobody in this private chat can give it");
  for (const admin of everyone) {
    admin.say("say hello");
    await admin.wait("hello");
  }
  return () => store.redis.disconnect();
});

const isCardOf =
  (note: string) =>
  ({ text, buttons }: Shown): boolean =>
    buttons.length > 0 && text.includes(note);

const waits = "I've asked the admins to approve this.";

/** A member asks in private; fulfils with the card in their own chat. */
async function ask(bob: TestChat, note: string): Promise<Shown> {
  bob.say(`call write_note ${JSON.stringify({ note })}`);
  return await bob.wait(({ text }) => text.includes(waits) && text.includes(note));
}

describe.each(world.stages)("a call that only admins may approve, on $name", (stage) => {
  const { adam, eva } = admins.get(stage) ?? {};
  if (adam === undefined || eva === undefined) throw new Error("admins");

  it("is refused at once while no admin can be reached", () => {
    for (const admin of [adam, eva])
      expect(admin.shown().some(({ text }) => text.includes("lone tea"))).toBe(false);
  });

  it("expires on every card, and late taps are refused", async () => {
    const bob = stage.direct("Bob");
    bob.say("call current_time {}");
    const copies = await Promise.all(
      [adam, eva].map((admin) => admin.wait(isCardOf("current_time"))),
    );
    const late = "expired, no one decided in time";
    await bob.wait(late);
    for (const [index, admin] of [adam, eva].entries()) {
      const copy = copies[index];
      if (copy === undefined) throw new Error("a copy");
      await admin.wait(isClosed(copy, late));
      expect(await admin.forge(copy, copy.data[0] ?? "")).toMatch(/expired/);
    }
    await bob.wait("current_time said: confirmation-expired");
  });

  it("isn't decided by the administrator of a group, nor by a banned admin, who get no values either", async () => {
    const bob = stage.direct("Bob");
    const [gina] = stage.group("Gina", "Hal");
    const zoe = stage.direct("Zoe");
    if (gina === undefined) throw new Error("a group");
    zoe.say("say hello");
    await zoe.wait("hello");
    await adam.command("role", `${zoe.personId} admin`);
    zoe.say("say I help");
    await zoe.wait("I help");
    gina.say("say good day", { mention: true });
    const said = await gina.wait("good day");
    const key = `sk-${"a1B2c3D4".repeat(5)}`;
    bob.say(`call write_note ${JSON.stringify({ note: `hidden tea ${key}` })}`);
    const card = await zoe.wait(
      ({ text, buttons }) => buttons.includes("Show hidden values") && text.includes("hidden tea"),
    );
    const [approve = ""] = card.data;
    expect(await gina.forge(said, approve)).toMatch(/Only an admin/);
    expect(await gina.forge(said, approve.replace(/^a:/, "v:"))).toMatch(/Only an admin/);
    await adam.command("ban", zoe.personId);
    for (const data of card.data) expect(await zoe.forge(card, data)).not.toMatch(taken);
    expect([...gina.shown(), ...zoe.shown()].some(({ text }) => text.includes(key))).toBe(false);
    const copy = await eva.wait(
      ({ text, buttons }) => buttons.includes("Show hidden values") && text.includes("hidden tea"),
    );
    await eva.tap(copy, "Deny");
    await bob.wait("denied by Eva");
    expect(await notesOf(bob)).toEqual([]);
  });

  it("closes a copy that is older than its ledger", async () => {
    const bob = stage.direct("Bob");
    const own = await ask(bob, "old green tea");
    const [first, second] = await Promise.all(
      [adam, eva].map((admin) => admin.wait(isCardOf("old green tea"))),
    );
    if (first === undefined || second === undefined) throw new Error("copies");
    await world.delivered();
    for (const key of await store.redis.keys("parley:{s*}:sent:*:card-*"))
      await store.redis.del(key);
    await adam.tap(first, "Approve");
    await bob.wait(isClosed(own, "approved by Adam"));
    await adam.wait(isClosed(first, "approved by Adam"));
    await eva.wait(isClosed(second, "approved by Adam"));
  });

  it("ends when the last copy can't be sent, and not before", async () => {
    const bob = stage.direct("Bob");
    for (const admin of everyone) if (admin !== eva) admin.block();
    const own = await ask(bob, "tea for Eva alone");
    const copy = await eva.wait(isCardOf("tea for Eva alone"));
    await world.delivered();
    await eva.tap(copy, "Approve");
    await bob.wait(isClosed(own, "approved by Eva"));
    eva.block();
    bob.say(`call write_note {"note":"tea for nobody"}`);
    await bob.wait("could not be posted");
    for (const admin of everyone) {
      admin.unblock();
      admin.say("say I'm back");
      await admin.wait("I'm back");
    }
    expect(await notesOf(bob)).toEqual(["tea for Eva alone"]);
  });

  it("loses its words on every copy when its member is forgotten", async () => {
    const bob = stage.direct("Bob");
    const own = await ask(bob, "secret tea");
    const [first, second] = await Promise.all(
      [adam, eva].map((admin) => admin.wait(isCardOf("secret tea"))),
    );
    if (first === undefined || second === undefined) throw new Error("copies");
    await adam.tap(first, "Deny");
    await bob.wait(isClosed(own, "denied by Adam"));
    await bob.wait("write_note said:");
    const asked = await bob.command("forget", "me");
    const [confirmation = ""] = /yes-\d{4}/.exec(asked) ?? [];
    expect(await bob.command("forget", `me ${confirmation}`)).toMatch(/^One moment\.|^Done\./);
    await bob.wait(({ text }) => text.startsWith("Done."));
    for (const [admin, copy] of [
      [adam, first],
      [eva, second],
    ] as const)
      await admin.wait(({ id, text }) => id === copy.id && !/secret tea|Bob/.test(text));
    await world.delivered();
    expect(await keysWith(store, "secret tea")).toEqual([]);
  });
});
