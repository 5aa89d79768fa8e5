import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { countReachable, startBroadcasts } from "../../src/jobs/broadcast.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { Access } from "../../src/access/access.ts";
import { createBroadcasts } from "../../src/store/operations/broadcasts.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import { createInbox, type Inbox } from "../../src/store/turns/inbox.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { createLeases } from "../../src/store/operations/leases.ts";
import type { Place } from "../../src/core/places.ts";
import { message, storeOn, until } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const broadcasts = createBroadcasts(store);
const reach = { bots: () => ["telegram:77", "discord:9"] };
const home = "telegram:77:1" as ChatKey;
const log = pino({ level: "silent" });
const people = createPeopleStore(store);
const access = new Access(
  people,
  { mode: "open", admins: ["telegram:1"], allow: [], ban: ["telegram:6666"] },
  () => performance.now(),
);
const deadChats = createDeadChats(store);
const known = { store, people, access, deadChats, log };

beforeEach(() => redis.flushdb());

const remember = async (...chats: readonly string[]) => {
  for (const chat of chats) await redis.hset(chatKeys(chat as ChatKey).state, "turn", "1");
};

const depsOf = (post: Inbox["post"] = (chat, entry) => inbox.post(chat, entry)) => {
  const woken: string[] = [];
  return {
    woken,
    deps: {
      ...known,
      inbox: { ...inbox, post },
      broadcasts,
      leases: createLeases(store),
      waker: {
        wake: (_mailbox: string, chat: ChatKey) => Promise.resolve(void woken.push(chat)),
      } as never,
      post: async (chat: ChatKey, entry: Parameters<Inbox["post"]>[1]) => {
        await inbox.post(chat, entry);
      },
    },
  };
};

const logOf = (chat: string) => chatKeys(chat as ChatKey).log;
const outboxOf = async (chat: string) =>
  (await redis.lrange(chatKeys(chat as ChatKey).outbox, 0, -1)).map(
    (stored) =>
      JSON.parse(stored.slice(stored.indexOf(" ") + 1)) as {
        readonly text: string;
        readonly silent?: boolean;
      },
  );

const asked = {
  text: "We move tonight.",
  personId: "telegram:1",
  code: "0042",
};
const ask = (id: string) => broadcasts.ask({ id, ...asked, answerTo: home });

describe("a broadcast", () => {
  it("leaves out dead chats, and counts without them", async () => {
    await remember(home, "telegram:77:-5");
    await deadChats.mark("telegram:77:-5" as ChatKey, { isDead: true });
    expect(await countReachable(known, reach)).toEqual({ count: 1, isAll: true });
  });

  it("goes to each chat once: topics are one with theirs, and what no one here can reach is left out", async () => {
    await remember(
      home,
      "telegram:77:-5",
      "telegram:77:-5:8",
      "telegram:77:-6:3",
      "discord:9:100:200",
      "telegram:78:1",
      "console:local:main",
      "discord:9:visit-5-100",
    );
    expect(await countReachable(known, reach)).toEqual({
      count: 4,
      isAll: true,
    });
    await ask("b1");
    const { deps, woken } = depsOf();
    await using _ = startBroadcasts(deps, reach);
    await until(async () => (await broadcasts.list()).length === 0);
    const reached = [home, "telegram:77:-5", "telegram:77:-6", "discord:9:100"];
    expect(woken.toSorted()).toEqual(reached.toSorted());
    for (const chat of reached)
      expect((await outboxOf(chat))[0]).toMatchObject({
        text: "We move tonight.",
        silent: true,
      });
    for (const chat of ["telegram:77:-5:8", "telegram:78:1", "console:local:main"])
      expect(await outboxOf(chat)).toEqual([]);
    expect((await outboxOf(home))[1]?.text).toBe("Your message went to 4 chats.");
    expect(await redis.exists(configKey("broadcast:b1"))).toBe(0);
  });

  it("that is broken off goes on where it was, and reaches no one twice", async () => {
    const chats = Array.from({ length: 130 }, (_, index) => `telegram:77:${index + 1}`);
    await remember(...chats);
    await ask("b1");
    let posts = 0;
    const breaking = depsOf(async (chat, entry) => {
      posts += 1;
      if (posts === 60) throw new Error("the process dies here");
      // Written, and its reply lost.
      await inbox.post(chat, entry);
      if (posts === 30) throw new Error("and once here");
      return "accepted";
    });
    {
      await using _ = startBroadcasts(breaking.deps, reach);
      await until(() => posts >= 30);
    }
    const [job] = await broadcasts.list();
    expect(job).toMatchObject({ phase: "sending", total: 130 });
    expect(await broadcasts.left("b1")).toBe(130 - 29);
    const { deps } = depsOf();
    await using _ = startBroadcasts(deps, reach);
    await until(async () => (await broadcasts.list()).length === 0);
    for (const chat of chats.slice(1)) expect(await outboxOf(chat)).toHaveLength(1);
    expect((await outboxOf(home)).map(({ text }) => text)).toEqual([
      "We move tonight.",
      "Your message went to 130 chats.",
    ]);
  });

  it("is sent by one process, and restarted where it was still collecting", async () => {
    await remember(home, "telegram:77:2");
    await ask("b1");
    await ask("b1");
    await broadcasts.collect("b1", [home]);
    const [one, other] = [depsOf(), depsOf()];
    await using running = new AsyncDisposableStack();
    for (const { deps } of [one, other]) running.use(startBroadcasts(deps, reach));
    await until(async () => (await broadcasts.list()).length === 0);
    expect([...one.woken, ...other.woken].toSorted()).toEqual([home, "telegram:77:2"]);
  });

  it("reaches no banned chat, nor the chat of someone banned, also where that happens while it is sent", async () => {
    const [group, dm, ownGroup] = ["telegram:77:-5", "discord:9:100", "telegram:77:-6"];
    await remember(home, group, dm, ownGroup, "telegram:77:6666", "discord:9:200");
    const byDora = message("m1", {
      person: { id: "discord:3", name: "Dora" },
    });
    await redis.rpush(logOf(dm), JSON.stringify(byDora));
    // Where others are, too, it goes on.
    const inGroup = JSON.stringify({ ...byDora, group: true });
    await redis.rpush(logOf("discord:9:200"), inGroup);
    await people.setRole({ id: "discord:3", name: "Dora" }, "banned");
    await people.setRule("telegram:chat:-5" as Place, "ban");
    expect(await countReachable(known, reach)).toEqual({
      count: 3,
      isAll: true,
    });
    await ask("b1");
    // They were written down before they were banned.
    await broadcasts.collect("b1", [group, dm] as ChatKey[]);
    const { deps } = depsOf();
    await using _ = startBroadcasts(deps, reach);
    await until(async () => (await broadcasts.list()).length === 0);
    for (const chat of [home, ownGroup, "discord:9:200"])
      expect((await outboxOf(chat))[0]?.text).toBe("We move tonight.");
    for (const chat of [group, dm, "telegram:77:6666"]) expect(await outboxOf(chat)).toEqual([]);
  });

  it("is held up by no chat that cannot be written to, and by no other broadcast", async () => {
    await remember(home, "telegram:77:2");
    await redis.set(chatKeys("telegram:77:2" as ChatKey).outbox, "no list");
    await ask("b1");
    await ask("b2");
    const { deps } = depsOf((chat, entry) =>
      entry.id === "broadcast-b1"
        ? Promise.reject(new Error("something else"))
        : inbox.post(chat, entry),
    );
    await using _ = startBroadcasts(deps, reach);
    await until(async () => (await outboxOf(home)).length === 2);
    expect(await outboxOf(home)).toMatchObject([
      { text: "We move tonight." },
      { text: "Your message went to 2 chats." },
    ]);
    expect((await broadcasts.list()).map(({ id }) => id)).toEqual(["b1"]);
  });

  it("that this version can't read is left to one that can", async () => {
    await redis.hset(configKey("broadcasts"), "b9", '{"v":2}');
    await remember(home);
    await ask("b1");
    const { deps } = depsOf();
    await using _ = startBroadcasts(deps, reach);
    await until(async () => (await outboxOf(home)).length === 2);
    expect(await redis.hkeys(configKey("broadcasts"))).toEqual(["b9"]);
  });
});
