import { expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { InboundCommand } from "../../src/core/inbound.ts";
import { outboxEntrySchema } from "../../src/core/outbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace, groupPlace, newPerson, openIngress, type Place } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const ingress = openIngress(store);

/** Ingress with a clock of its own. */
function open() {
  const clock = { nowMs: 60_000 };
  const accept = createAccept({ ...ingress.deps, now: () => clock.nowMs });
  const command = (
    { person, address, direct }: Place,
    name: string,
    more: Partial<InboundCommand> = {},
  ) =>
    accept({
      type: "command",
      id: uniqueId(),
      person,
      address,
      direct,
      atMs: 1,
      name,
      argument: "",
      answersItself: false,
      ...more,
    });
  const say = ({ person, address, direct }: Place, text: string, more = {}) =>
    accept({
      type: "message",
      id: uniqueId(),
      person,
      address,
      direct,
      atMs: 1,
      text,
      ...more,
    });
  const tap = ({ person, address, direct }: Place, data: string) =>
    accept({
      type: "tap",
      id: uniqueId(),
      person,
      address,
      direct,
      atMs: 1,
      data,
    });
  return { clock, command, say, tap };
}

async function flood({ command }: ReturnType<typeof open>, at: Place, count = 60): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await command(at, "nonsense");
}

it("sixty commands in a minute are answered, and of more one line says so", async () => {
  const opened = open();
  const at = directPlace();
  await flood(opened, at);
  expect(await ingress.told(at.chat)).toHaveLength(60);
  for (let more = 0; more < 20; more += 1)
    expect((await opened.command(at, "help")).type).toBe("refused");
  const [said, ...others] = (await ingress.told(at.chat)).slice(60);
  expect(said).toBe(
    "Slow down a little: the limit is 60 messages a minute. It resets within a minute.",
  );
  expect(others).toEqual([]);
});

it("a person who waits for an answer gets it", async () => {
  const opened = open();
  const at = directPlace();
  await flood(opened, at, 62);
  expect(await opened.command(at, "help", { answersItself: true })).toMatchObject({
    type: "refused",
    text: expect.stringContaining("limit is 60 messages a minute") as string,
  });
});

it("the next minute starts at zero, others are as they were, and /stop always works", async () => {
  const opened = open();
  const at = groupPlace();
  await flood(opened, at, 61);
  expect((await opened.command(at, "stop")).type).toBe("answered");
  const other = groupPlace(newPerson(), at);
  expect((await opened.command(other, "help")).type).toBe("answered");
  opened.clock.nowMs += 59_999;
  expect((await opened.command(at, "help")).type).toBe("refused");
  opened.clock.nowMs += 1;
  expect((await opened.command(at, "help")).type).toBe("answered");
});

it("what someone asks in private takes nothing of what a group allows them", async () => {
  const opened = open();
  const group = groupPlace();
  await flood(opened, directPlace(group.person), 20);
  await flood(opened, group, 15);
  expect(await ingress.told(group.chat)).toHaveLength(15);
  await flood(opened, group, 3);
  expect((await ingress.told(group.chat)).slice(15)).toEqual([
    expect.stringContaining("limit is 15 messages a minute"),
  ]);
});

it("who may not use the bot is told so, and of the limit no more", async () => {
  const opened = open();
  const at = directPlace();
  await ingress.access.setRole(at.person, "banned");
  await flood(opened, at, 130);
  expect(await ingress.told(at.chat)).toHaveLength(1);
});

it("a crowd of strangers in a group makes the bot write a few lines, whatever they ask", async () => {
  const closed = openIngress(store, { mode: "pairing" });
  const group = groupPlace();
  for (let one = 0; one < 20; one += 1)
    for (const name of ["start", "help", "role", "start"])
      await closed.command(groupPlace(newPerson(), group), name, {
        answersItself: false,
      });
  const told = await closed.outbox(group.chat);
  expect(told).toHaveLength(5);
  expect(told.every((entry) => "patient" in entry && entry.patient)).toBe(true);
  // Alone with it, each is answered.
  const alone = directPlace();
  for (let asked = 0; asked < 3; asked += 1)
    await closed.command(alone, "help", { answersItself: false });
  expect(await closed.told(alone.chat)).toHaveLength(3);
});

it("messages that are only refused are counted, too", async () => {
  const opened = open();
  const at = directPlace();
  for (let sent = 0; sent < 100; sent += 1) await opened.say(at, " ");
  expect(await ingress.told(at.chat)).toHaveLength(61);
  expect((await ingress.told(at.chat)).at(-1)).toMatch(/limit is 60 messages a minute/);
  expect((await opened.say(at, " ")).type).toBe("refused");
  expect(await opened.say(at, " ", { answersItself: true })).toMatchObject({
    text: expect.stringContaining("limit is 60 messages a minute") as string,
  });
  // What is kept is none of them.
  expect((await opened.say(at, "hello")).type).toBe("queued");
});

it("so are taps that choose, since each may be written down", async () => {
  const opened = open();
  const at = directPlace();
  for (let sent = 0; sent < 60; sent += 1)
    expect((await opened.tap(at, "t:p:fast")).type).toBe("answered");
  expect(await opened.tap(at, "t:p:smart")).toMatchObject({
    type: "refused",
    text: expect.stringContaining("limit is 60 messages a minute") as string,
  });
});

it("so are taps that stand for commands", async () => {
  const opened = open();
  const at = directPlace();
  for (let sent = 0; sent < 100; sent += 1) await opened.tap(at, "s:1");
  expect((await ingress.told(at.chat)).length).toBeLessThanOrEqual(61);
  expect(await ingress.told(at.chat)).not.toHaveLength(0);
});

it("admins are not counted", async () => {
  const opened = open();
  const at = directPlace();
  await ingress.access.setRole(at.person, "admin");
  await flood(opened, at, 70);
  expect(await ingress.told(at.chat)).toHaveLength(70);
});

it("says in groups whose share of the bot's pace an answer takes, in private chats that is the chat's", async () => {
  const { command } = open();
  const person = newPerson();
  const [group, direct] = [groupPlace(person), directPlace(person)];
  for (const place of [group, direct]) await command(place, "help");
  const entries = await Promise.all(
    [group, direct].map(({ chat }) => store.redis.lrange(chatKeys(chat).outbox, 0, -1)),
  );
  const people = entries.map((posted) =>
    posted.map((each) => {
      const entry: unknown = JSON.parse(each.slice(each.indexOf(" ") + 1));
      return outboxEntrySchema.parse(entry).person;
    }),
  );
  expect(people).toEqual([[person.id], [undefined]]);
});
