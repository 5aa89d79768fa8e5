import { describe, expect, it, vi } from "vitest";
import { placesOf } from "../../src/core/places.ts";
import { chatKeys } from "../../src/store/keys.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type TestIngress,
  type Place,
} from "../ingress/open-ingress.ts";
import { begun, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const turns = turnStoreOn(store);
const ingress = openIngress(store, { mode: "allowlist" });

/** A group in which an answer to Ana runs, and Ben, a guest or a member, is. */
async function running(role: "guest" | "member" = "guest", at: TestIngress = ingress) {
  const ana = groupPlace(newPerson({ name: "Ana" }));
  const ben = groupPlace(newPerson({ name: "Ben" }), ana);
  await at.access.setRole(ana.person, "member");
  await at.access.setRole(ben.person, role);
  await at.say(ana, "ana's question");
  const turn = await begun(turns, ana.chat);
  /** Whether the answer goes on. */
  const goesOn = async (): Promise<boolean> => (await turns.heartbeat(turn.session))?.stopAt === 0;
  return { ana, ben, goesOn };
}

const run = async (at: Place, name: string, more = {}): Promise<string> =>
  textOf(await ingress.command(at, name, { answersItself: true, ...more }));

const onlyAna = "Only Ana or an admin can stop this answer.";

describe("in a group", () => {
  it.each(["stop", "cancel"])(
    "/%s of someone else ends neither an answer nor what others wait for",
    async (name) => {
      const { ana, ben, goesOn } = await running();
      await ingress.say(ana, "ana's second");
      expect(await run(ben, name)).toBe(onlyAna);
      await ingress.say(ben, "ben's");
      expect(await run(ben, name)).toBe("I discarded 1 waiting message.");
      expect(await goesOn()).toBe(true);
      expect(await run(ana, "stop")).toBe("Stopped. I also discarded 1 waiting message.");
      expect(await goesOn()).toBe(false);
    },
  );

  it("an admin ends whatever runs and waits", async () => {
    const { ana, ben, goesOn } = await running();
    const admin = groupPlace(newPerson(), ana);
    await ingress.access.setRole(admin.person, "admin");
    await ingress.say(ben, "ben's");
    expect(await run(admin, "stop")).toBe("Stopped. I also discarded 1 waiting message.");
    expect(await goesOn()).toBe(false);
  });

  it("an admin's stop is audited once, and neither a vain one nor anyone's own", async () => {
    const { ana, ben } = await running();
    const admin = groupPlace(newPerson(), ana);
    await ingress.access.setRole(admin.person, "admin");
    const linesOf = async ({ person }: Place) =>
      (await ingress.deps.audit.newest({ personId: person.id }, 10)).records;
    vi.spyOn(ingress.deps, "wakeTurn").mockRejectedValueOnce(new Error("killed"));
    await expect(ingress.command(admin, "stop", { id: "a1" })).rejects.toThrow("killed");
    for (const id of ["a1", "a1"]) await ingress.command(admin, "stop", { id });
    expect(await linesOf(admin)).toEqual([
      expect.objectContaining({ action: "turn-stopped", chat: ana.chat, by: admin.person }),
    ]);
    await run(groupPlace(admin.person), "stop");
    await ingress.say(ben, "ben's");
    await run(ben, "stop");
    const alone = directPlace(admin.person);
    await ingress.say(alone, "their own");
    expect(await run(alone, "stop")).toContain("Stopped");
    expect(await linesOf(ben)).toEqual([]);
    expect(await linesOf(admin)).toHaveLength(1);
  });

  it.each(["new", "undo", "retry"])(
    "an admin's /%s that ends others' work is audited once",
    async (name) => {
      const { ana, ben } = await running();
      const admin = groupPlace(newPerson(), ana);
      await ingress.access.setRole(admin.person, "admin");
      const linesOf = async ({ person }: Place) =>
        (await ingress.deps.audit.newest({ personId: person.id }, 10)).records;
      const append = vi.spyOn(ingress.deps.inbox, "append");
      const write = vi.spyOn(ingress.deps.audit, "write");
      write.mockRejectedValueOnce(new Error("killed"));
      const id = `${name}-1`;
      await expect(ingress.command(admin, name, { id })).rejects.toThrow("killed");
      append.mockRejectedValueOnce(new Error("killed"));
      await expect(ingress.command(admin, name, { id })).rejects.toThrow("killed");
      for (let times = 0; times < 2; times += 1) await ingress.command(admin, name, { id });
      append.mockRestore();
      write.mockRestore();
      const line = { action: "turn-stopped", chat: ana.chat, by: admin.person };
      expect(await linesOf(admin)).toEqual([expect.objectContaining(line)]);
      await run(ben, name);
      expect(await linesOf(ben)).toEqual([]);
      // Where nothing runs or waits, nothing is ended.
      await run(groupPlace(admin.person), name);
      expect(await linesOf(admin)).toHaveLength(1);
    },
  );

  it.each(["stop", "new"])(
    "an admin's /%s of what was only on its way in is audited, whatever dies after",
    async (name) => {
      const admin = groupPlace(newPerson());
      await ingress.access.setRole(admin.person, "admin");
      const id = `${name}-arriving`;
      vi.spyOn(ingress.deps.inbox, "stop").mockRejectedValueOnce(new Error("killed"));
      const dropEarlier = () => [`m-${name}`];
      await expect(ingress.command(admin, name, { id, dropEarlier })).rejects.toThrow("killed");
      // The next process has nothing on its way in.
      await ingress.command(admin, name, { id, dropEarlier: () => [] });
      const { records } = await ingress.deps.audit.newest({ personId: admin.person.id }, 10);
      expect(records).toMatchObject([{ action: "turn-stopped", chat: admin.chat }]);
    },
  );

  it.each([
    ["where they are trusted", true],
    ["where they are not", false],
  ])("a group's own administrator does, %s: %s", async (_, isTrusted) => {
    const trusting = openIngress(store, {
      mode: "allowlist",
      trustGroupAdmins: isTrusted,
    });
    const { ben, goesOn } = await running("guest", trusting);
    for (const place of placesOf(ben)) await trusting.access.setRule(place, "allow");
    await trusting.command(ben, "stop", {
      isGroupAdmin: () => Promise.resolve(true),
    });
    expect(await goesOn()).toBe(!isTrusted);
  });

  it("/new of someone else begins behind the answer, and says so", async () => {
    const { ana, ben, goesOn } = await running();
    await ingress.say(ben, "ben's");
    await ingress.say(ana, "ana's second");
    expect(await run(ben, "new", { id: "n1" })).toBe(
      "I'll finish the current answer, then start a new conversation.",
    );
    expect(await goesOn()).toBe(true);
    const waiting = await redis.lrange(chatKeys(ana.chat).inbox, 0, -1);
    expect(waiting.map((each) => each.includes('"stopped":true'))).toEqual([true, false, false]);
    expect(waiting.at(-1)).toContain('"kind":"reset"');
    expect(await run(ana, "new")).toContain("New conversation. I no longer");
    expect(await goesOn()).toBe(false);
  });

  it.each([
    ["undo", "Only Ana or an admin can undo that message."],
    ["retry", "Only Ana or an admin can retry that message."],
  ])("/%s of someone else leaves an answer alone", async (name, refusal) => {
    const { ana, ben, goesOn } = await running("member");
    expect(await run(ben, name)).toBe(refusal);
    expect(await ingress.waiting(ana.chat)).toEqual([]);
    // What they wrote themselves is theirs to take back, behind it.
    await ingress.say(ben, "ben's");
    expect(await run(ben, name)).toBe("One moment. I discarded 1 waiting message.");
    expect(await goesOn()).toBe(true);
    expect(await run(ana, name)).toContain("One moment.");
    expect(await goesOn()).toBe(false);
  });

  it("what others still have on its way in is taken in", async () => {
    const { ben } = await running();
    const asked: unknown[] = [];
    const dropEarlier = (of?: string): readonly string[] => {
      asked.push(of);
      return [];
    };
    for (const name of ["stop", "new"]) await run(ben, name, { dropEarlier });
    expect(asked).toEqual([ben.person.id, ben.person.id]);
    const alone = { ...ben, direct: true };
    await run(alone, "stop", { dropEarlier });
    expect(asked.at(-1)).toBeUndefined();
  });
});

describe("a flood of /stop", () => {
  it("acts each time, and is answered once in a while, behind all answers", async () => {
    const { ana, ben } = await running();
    for (let sent = 0; sent < 150; sent += 1)
      await ingress.command(ben, sent % 2 === 0 ? "stop" : "cancel");
    expect(await ingress.outbox(ana.chat)).toMatchObject([
      { text: onlyAna, patient: true, person: ben.person.id },
    ]);
    await ingress.say(ben, "ben's");
    await ingress.command(ben, "stop");
    const [last] = (await redis.lrange(chatKeys(ana.chat).inbox, -1, -1)) ?? [];
    expect(last).toContain('"stopped":true');
    expect(await ingress.told(ana.chat)).toEqual([onlyAna, "I discarded 1 waiting message."]);
  });

  it("that is delivered again is answered as it was", async () => {
    const { ana, ben } = await running();
    for (let times = 0; times < 2; times += 1) await ingress.command(ben, "stop", { id: "again" });
    expect(await ingress.told(ana.chat)).toEqual([onlyAna]);
  });

  it("leaves no one without an answer who waits for one, as on Discord", async () => {
    const { ben } = await running();
    for (let times = 0; times < 3; times += 1) expect(await run(ben, "stop")).toBe(onlyAna);
  });
});

it("whatever a command says in a group gives way to answers, and is said 15 times a minute", async () => {
  const { ana, ben } = await running();
  for (let sent = 0; sent < 150; sent += 1)
    await ingress.command(ben, sent % 2 === 0 ? "help" : "status");
  const outbox = await ingress.outbox(ana.chat);
  expect(outbox).toHaveLength(16);
  expect(outbox.every((each) => "patient" in each && each.patient)).toBe(true);
  expect(await ingress.told(ana.chat)).toContainEqual(
    expect.stringContaining("15 messages a minute"),
  );
});
