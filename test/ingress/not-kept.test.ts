import { beforeEach, describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import { CommandPace } from "../../src/ingress/command-pace.ts";
import { NotKept } from "../../src/ingress/not-kept.ts";
import { chatKey } from "../../src/core/chat.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { dump, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace, groupPlace, newPerson, openIngress } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const ingress = openIngress(store);

const messageText =
  "Sorry, I'm out of storage and couldn't save your message. Please send it again later. (error error1)";
const orderText =
  "Sorry, I'm out of storage and can't do that right now. Please try again later. (error error1)";

/** Whatever is used is too much. */
const fillMemory = () => redis.config("SET", "maxmemory", "1");
const freeMemory = () => redis.config("SET", "maxmemory", "0");

beforeEach(freeMemory);

describe("while the store's memory is full", () => {
  it("a message is not kept, its writer is told, and it is taken when there is room", async () => {
    const at = directPlace();
    const before = await dump(redis);
    await fillMemory();
    expect(await ingress.say(at, "hello", { id: "m1" })).toEqual({
      type: "not-kept",
      text: messageText,
    });
    // What the person quotes finds the line that says why.
    expect(ingress.lines.at(-1)).toMatchObject({
      level: 40,
      chat: at.chat,
      errorId: "error1",
    });
    expect(JSON.stringify(ingress.lines)).not.toContain("hello");
    await freeMemory();
    expect(await dump(redis)).toEqual(before);
    expect(await ingress.say(at, "hello", { id: "m1" })).toEqual({
      type: "queued",
    });
  });

  it("a chat is told once a minute, and a person who waits for an answer every time", async () => {
    let nowMs = 1;
    const accept = createAccept({ ...ingress.deps, now: () => nowMs });
    const at = groupPlace();
    let count = 0;
    const say = async (place = at, answersItself = false) => {
      count += 1;
      const { chat: _, ...arrival } = place;
      const { type } = await accept({
        ...arrival,
        type: "message",
        id: `n${count}`,
        text: "hello",
        atMs: 1,
        answersItself,
      });
      return type;
    };
    await fillMemory();
    expect([await say(), await say()]).toEqual(["not-kept", "refused"]);
    expect(await say(at, true)).toBe("not-kept");
    expect(await say(groupPlace())).toBe("not-kept");
    nowMs += 60_000;
    expect([await say(), await say()]).toEqual(["not-kept", "refused"]);
  });

  it("many chats are told, and the oldest is forgotten for the newest", () => {
    const notKept = new NotKept(ingress.deps);
    const told = (index: number) => {
      const person = { id: "telegram:1", name: "Anna" };
      const address = {
        platform: "telegram",
        bot: "7",
        chat: `${index}`,
      } as const;
      const { type } = notKept.decide({
        inbound: {
          type: "message",
          id: "m",
          text: "hello",
          person,
          address,
          direct: true,
          atMs: 1,
        },
        chat: chatKey(address),
        role: "member",
        locale: localeFor(),
        pace: new CommandPace(ingress.deps),
      });
      return type === "not-kept";
    };
    for (let index = 0; index <= 10_000; index += 1) told(index);
    expect(told(10_000)).toBe(false);
    expect(told(1)).toBe(false);
    expect(told(0)).toBe(true);
  });

  it("commands that only read are answered, those that write say that they cannot", async () => {
    const at = directPlace();
    await fillMemory();
    await ingress.command(at, "whoami");
    await ingress.command(at, "settings", { argument: "tools off" });
    const [whoami, settings] = await ingress.told(at.chat);
    expect(whoami).toContain(at.person.id);
    expect(settings).toBe(orderText);
    expect(
      await ingress.command(at, "settings", {
        argument: "tools off",
        answersItself: true,
      }),
    ).toEqual({ type: "refused", text: orderText });
  });

  it("an admin is answered too, though where they can be reached cannot be written down", async () => {
    const person = newPerson();
    const admins = openIngress(store, { admins: [person.id] });
    const at = directPlace(person);
    await fillMemory();
    await admins.command(at, "whoami");
    expect(await admins.told(at.chat)).toHaveLength(1);
    await freeMemory();
    await admins.command(at, "whoami");
    expect(await admins.people.directChat("telegram:77", person.id)).toBe(at.chat);
  });

  it("a tap is told to come again, and what needs no room is decided", async () => {
    const at = directPlace();
    await fillMemory();
    expect(await ingress.tap(at, "t:p:deep")).toEqual({
      type: "refused",
      text: orderText,
    });
    // Nothing is known of it, which says that it could be looked for.
    const id = "s1-AAAAAAAAAAAAAAAAAAAAAA";
    expect(await createApprovalStore(store).find(id)).toBeUndefined();
    expect(await ingress.tap(at, `a:${id}`)).toMatchObject({ type: "refused" });
  });

  it("a person who may not use the bot hears nothing of it", async () => {
    const strict = openIngress(store, { mode: "allowlist" });
    await fillMemory();
    expect(await strict.say(directPlace(), "hello")).toEqual({
      type: "refused",
    });
  });
});
