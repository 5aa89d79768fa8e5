import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { Access } from "../../src/access/access.ts";
import { chatKey, parseChatKey, type ChatKey } from "../../src/core/chat.ts";
import type { ModelFailureKind } from "../../src/core/model.ts";
import { watchModels } from "../../src/jobs/notify-outages.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createOutages } from "../../src/store/operations/outages.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { load } from "../config/support.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const ann = chatKey(parseChatKey("telegram:7:1"));
const bob = chatKey(parseChatKey("telegram:7:2"));

beforeEach(() => redis.flushdb());

/** One worker process; `owners` have written to the bot. */
async function worker({ owners = ["telegram:1"] }: { readonly owners?: readonly string[] } = {}) {
  const people = createPeopleStore(store);
  const settings = load({
    environment: {
      OPENAI_API_KEY: "sk-secret",
      OPENAI_MODEL: "gpt-5-mini",
      PARLEY_PAGE_PORT: "9090",
    },
  });
  const access = new Access(people, { ...settings.access, admins: [...owners] }, () =>
    performance.now(),
  );
  const connectedBots = createConnectedBots(store);
  await connectedBots.note(["telegram:7"]);
  for (const id of owners)
    await people.setDirectChat("telegram:7", id, chatKey(parseChatKey(id.replace(":", ":7:"))));
  const inbox = createInbox(store);
  return watchModels({
    settings,
    store,
    access,
    people,
    connectedBots,
    post: async (chat, entry) => void (await inbox.post(chat, entry)),
    redact: (text) => text.replaceAll("sk-secret", "[secret]"),
    log: pino({ level: "silent" }),
  });
}

type Watch = Awaited<ReturnType<typeof worker>>;

const fail = (
  watch: Watch,
  kind: ModelFailureKind = "auth",
  { chat = bob, isOwners = false, isReplaced = false, model = "openai/gpt-5-mini" } = {},
) =>
  watch.failed({
    chat,
    isOwners,
    isReplaced,
    model,
    failure: { kind, message: "401 sk-secret is wrong" },
  });

const answer = (watch: Watch, { chat = bob, isOwners = false, askedAtMs = Infinity } = {}): void =>
  watch.answered({ chat, isOwners, model: "openai/gpt-5-mini", askedAtMs });

const told = async (chat: ChatKey = ann): Promise<readonly string[]> =>
  (await redis.lrange(chatKeys(chat).outbox, 0, -1)).map(
    (stored) =>
      (JSON.parse(stored.slice(stored.indexOf(" ") + 1)) as { readonly text: string }).text,
  );

describe("a model that stops answering people", () => {
  it("is told to owners with cause, fix, time and dashboard, and without its key", async () => {
    await using watch = await worker();
    expect(await fail(watch)).toBe(true);
    expect(await told()).toEqual([
      expect.stringMatching(
        /^People get no answers from openai\/gpt-5-mini since 20\d\d-.* UTC\.\nThe model server api\.openai\.com refuses the key for openai\/gpt-5-mini: 401 \[secret\] is wrong\n.*OPENAI_API_KEY.*\nDashboard: http:\/\/127\.0\.0\.1:9090\/health$/,
      ),
    ]);
    expect(await told(bob)).toEqual([]);
  });

  it("is told for an empty account, which isn't a rejected key", async () => {
    await using watch = await worker();
    await fail(watch, "auth");
    await fail(watch, "no-credit");
    expect((await told())[1]).toMatch(/takes the key[^]*no credit[^]*Top up the account/);
    const kinds = (await createOutages(store).list()).map(({ kind }) => kind);
    expect(kinds).toEqual(["no-credit", "auth"]);
    // As processes of the version before read it.
    const [{ name } = { name: "" }] = await createOutages(store).list();
    expect(await redis.hget(`parley:{cfg}:outage:${name}`, "kind")).toBe("auth");
  });

  it("is told once for its cause: by any process, for any message, and when the step is repeated", async () => {
    await using one = await worker();
    await using other = await worker();
    const all = await Promise.all(
      [one, other, one, other].map((watch) => fail(watch, "auth", { model: "openai/gpt-5" })),
    );
    expect(all).toEqual([true, true, true, true]);
    // A process that was killed after the notice, before the mark.
    const [outage] = await createOutages(store).list();
    await redis.hdel(`parley:{cfg}:outage:${outage?.name}`, "told");
    expect(await fail(other)).toBe(true);
    expect(await told()).toHaveLength(1);
    // Another cause is news.
    expect(await fail(one, "network")).toBe(true);
    expect(await told()).toHaveLength(2);
  });

  it("is told quietly where another model answers in its place", async () => {
    await using watch = await worker();
    await fail(watch, "network", { isReplaced: true });
    expect((await told())[0]).toMatch(/Another model answers in its place/);
    const [stored = ""] = await redis.lrange(chatKeys(ann).outbox, 0, -1);
    expect(stored).toContain('"silent":true');
  });

  it.each(["context-overflow", "refused"] as const)("isn't what %s means", async (kind) => {
    await using watch = await worker();
    expect(await fail(watch, kind)).toBe(false);
    expect(await told()).toEqual([]);
  });

  it("is told to no one where no owner can be reached, and later to one who can", async () => {
    await using watch = await worker({ owners: [] });
    expect(await fail(watch)).toBe(false);
    await using reached = await worker();
    expect(await fail(reached)).toBe(true);
    expect(await told()).toHaveLength(1);
  });

  it("uses up no notice where it reached no one, though the model answered in between", async () => {
    {
      await using watch = await worker({ owners: [] });
      await fail(watch);
      answer(watch);
    }
    await using reached = await worker();
    expect(await fail(reached)).toBe(true);
    expect(await told()).toHaveLength(1);
  });

  it("is not told again to the owner who read it instead of an answer", async () => {
    await using watch = await worker();
    expect(await fail(watch, "auth", { chat: ann, isOwners: true })).toBe(true);
    expect(await fail(watch)).toBe(true);
    expect(await told()).toEqual([]);
  });
});

describe("a model that answers again", () => {
  it("is told once, with how long it took and how many got no answer", async () => {
    await using one = await worker();
    await fail(one);
    await fail(one);
    {
      // Another process, which has seen no failure itself.
      await using other = await worker();
      answer(other);
      answer(one);
    }
    await expect.poll(() => createOutages(store).list()).toEqual([]);
    expect((await told()).slice(1)).toEqual([
      expect.stringMatching(
        /^openai\/gpt-5-mini answers again, after \d+ s\.\n2 messages got no answer/,
      ),
    ]);
  });

  it("is not believed for an answer that was asked for before the failure", async () => {
    {
      await using watch = await worker();
      await fail(watch);
      answer(watch, { askedAtMs: 1 });
    }
    expect(await createOutages(store).list()).toHaveLength(1);
    expect(await told()).toHaveLength(1);
  });

  it("is not over where someone met it since it was read", async () => {
    await using watch = await worker();
    const outages = createOutages(store);
    await fail(watch);
    const [before] = await outages.list();
    if (before === undefined) throw new Error("no outage");
    const sinceMs = store.clock.now();
    await expect.poll(() => store.clock.now()).toBeGreaterThan(sinceMs);
    await fail(watch);
    await outages.end(before);
    expect(await outages.list()).toHaveLength(1);
    expect(await fail(watch)).toBe(true);
  });

  it("is told once, also where the process was killed between the end and its notice, or after it", async () => {
    const outages = createOutages(store);
    {
      await using watch = await worker();
      await fail(watch);
      const [outage] = await outages.list();
      if (outage === undefined) throw new Error("no outage");
      await outages.end(outage);
    }
    const ended = await redis.hgetall("parley:{cfg}:outage-ended:key:openai");
    for (let round = 0; round < 2; round += 1) {
      await redis.hset("parley:{cfg}:outage-ended:key:openai", ended);
      await redis.sadd("parley:{cfg}:outages-ended", "key:openai");
      await using watch = await worker();
      answer(watch);
    }
    expect((await told()).filter((text) => text.includes("answers again"))).toHaveLength(1);
    expect(await outages.ended()).toEqual([]);
  });

  it("is not told where the failure wasn't", async () => {
    await using nobody = await worker({ owners: [] });
    await fail(nobody);
    {
      await using watch = await worker();
      answer(watch);
    }
    expect(await createOutages(store).list()).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it("and fails again within the hour is no further news", async () => {
    for (let round = 0; round < 3; round += 1) {
      await using watch = await worker();
      expect(await fail(watch)).toBe(round === 0);
      answer(watch);
      await expect.poll(() => createOutages(store).list()).toEqual([]);
    }
    expect(await told()).toHaveLength(2);
  });
});
