import { describe, expect, it } from "vitest";
import { personaHash, type Persona, type PersonaOwner } from "../../../src/core/persona.ts";
import type { Place } from "../../../src/core/places.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { erasePerson } from "../../../src/store/erasure/erase-person.ts";
import { eraseLeftovers } from "../../../src/store/erasure/erase-leftovers.ts";
import { createPlaceRules } from "../../../src/store/people/place-rules.ts";
import { createPersonaChoices } from "../../../src/store/personas/choices.ts";
import { PersonaCache } from "../../../src/store/personas/persona-cache.ts";
import {
  createPersonaStore,
  maxPersonas,
  maxRevisions,
  personasKey,
} from "../../../src/store/personas/personas.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn, turnStoreOn } from "../support.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { message } from "../support.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const personas = createPersonaStore(store);

let people = 0;
const newOwner = (): PersonaOwner => `person:telegram:${(people += 1)}`;
const persona = (prompt: string, name = "chef"): Persona => ({
  name,
  prompt,
  maxModelCalls: 15,
  starters: [],
  memory: "on",
});

const file = (name: string) => ({ owner: "file", name }) as const;

/** Who saved the revisions of `host`. */
const authors = async (owner: PersonaOwner) =>
  (await personas.history({ owner, name: "host" })).map(({ by }) => by?.name);

describe("a persona that was made in a chat", () => {
  it("keeps its revisions, and can be rolled back", async () => {
    const owner = newOwner();
    const ref = { owner, name: "chef" };
    await personas.save(owner, persona("One."));
    expect(await personas.save(owner, persona("Two."))).toMatchObject({ number: 2 });
    // The same again is no revision.
    expect(await personas.save(owner, persona("Two."))).toMatchObject({ number: 2 });
    expect(await personas.rollBack(ref, 1)).toMatchObject({ number: 3 });
    expect(await personas.find(ref)).toMatchObject({
      persona: { prompt: "One." },
      revision: { number: 3, hash: personaHash(persona("One.")) },
    });
    expect((await personas.history(ref)).map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(await personas.rollBack(ref, 9)).toBeUndefined();
  });

  it("keeps the newest, and the content of none that it doesn't", async () => {
    const owner = newOwner();
    for (let index = 1; index <= maxRevisions + 2; index += 1)
      await personas.save(owner, persona(`Text ${index}.`));
    const history = await personas.history({ owner, name: "chef" });
    expect(history).toHaveLength(maxRevisions);
    expect(await personas.content(owner, personaHash(persona("Text 2.")))).toBeUndefined();
    expect(await personas.content(owner, personaHash(persona("Text 3.")))).toBeDefined();
    expect(await store.redis.hlen(personasKey(owner))).toBe(maxRevisions + 1);
  });

  it("leaves its content for turns that began with it when it is removed", async () => {
    const owner = newOwner();
    const ref = { owner, name: "chef" };
    await personas.save(owner, persona("One."));
    expect(await personas.remove(ref)).toBe(true);
    expect(await personas.remove(ref)).toBe(false);
    expect(await personas.find(ref)).toBeUndefined();
    expect(await personas.history(ref)).toEqual([]);
    expect(await personas.list(owner)).toEqual([]);
    expect(await personas.content(owner, personaHash(persona("One.")))).toBeDefined();
    expect(await personas.save(owner, persona("Two."))).toMatchObject({ number: 2 });
  });

  it("knows who saved each revision, until they are erased", async () => {
    const chat = newChat();
    const [ann, bob] = [
      { id: `telegram:a${chat}`, name: "Ann" },
      { id: `telegram:b${chat}`, name: "B".repeat(200) },
    ];
    const owners = [`chat:${chat}`, "everyone"] as const;
    for (const owner of owners) {
      await personas.save(owner, persona("One.", "host"), ann);
      await personas.save(owner, persona("Two.", "host"), bob);
      await personas.rollBack({ owner, name: "host" }, 1, ann);
      // As earlier versions wrote them, and as files are.
      await personas.save(owner, persona("Three.", "host"));
      expect(await authors(owner)).toEqual([undefined, "Ann", "B".repeat(100), "Ann"]);
    }
    await erasePerson(store, ann.id);
    await eraseLeftovers(
      store,
      { chats: new Set(), groups: new Set(), people: [{ id: ann.id }] },
      { report: () => undefined, signal: new AbortController().signal, retentionMs: 86_400_000 },
    );
    for (const owner of owners) {
      expect(await authors(owner)).toEqual([undefined, undefined, "B".repeat(100), undefined]);
      expect(await personas.find({ owner, name: "host" })).toMatchObject({
        persona: { prompt: "Three." },
      });
      await personas.remove({ owner, name: "host" });
    }
    expect(JSON.stringify(await store.redis.hgetall(personasKey("everyone")))).not.toContain(
      ann.id,
    );
  });

  it("is one of so many", async () => {
    const owner = newOwner();
    for (let index = 0; index < maxPersonas; index += 1)
      await personas.save(owner, persona("Hi.", `chef-${index}`));
    expect(await personas.save(owner, persona("Hi."))).toBe("full");
    expect(await personas.save(owner, persona("Ho.", "chef-1"))).toMatchObject({ number: 2 });
    expect(await personas.list(owner)).toHaveLength(maxPersonas);
  });

  it("hides no other when it is unreadable, or of a newer version", async () => {
    const owner = newOwner();
    await personas.save(owner, persona("Hi."));
    await store.redis.hset(personasKey(owner), {
      "n:newer": JSON.stringify({ v: 2 }),
      "n:broken": "{",
    });
    const reported: string[] = [];
    const found = await personas.list(owner, (what) => reported.push(what));
    expect(found.map(({ ref }) => ref.name)).toEqual(["chef"]);
    expect(reported).toHaveLength(2);
    // What a newer version's revision names isn't known, so nothing is dropped.
    await personas.save(owner, persona("Ho."));
    expect(await personas.content(owner, personaHash(persona("Hi.")))).toBeDefined();
  });

  it("goes with its person, and with what they chose", async () => {
    const owner = newOwner();
    const personId = owner.slice("person:".length);
    const chat = newChat();
    await personas.save(owner, persona("Hi."));
    const choices = createPersonaChoices(store, createPlaceRules(store.redis));
    await choices.set({ scope: "person", chat, personId }, { owner, name: "chef" });
    await choices.set({ scope: "chat", chat }, { owner: "everyone", name: "chef" });
    await erasePerson(store, personId);
    await eraseLeftovers(
      store,
      { chats: new Set(), groups: new Set(), people: [{ id: personId }] },
      { report: () => undefined, signal: new AbortController().signal, retentionMs: 86_400_000 },
    );
    expect(await store.redis.exists(personasKey(owner))).toBe(0);
    expect(await choices.read({ chat, personId, places: [] })).toMatchObject({
      person: undefined,
      chat: { owner: "everyone", name: "chef" },
    });
  });

  it("goes with its chat", async () => {
    const chat = newChat();
    const owner: PersonaOwner = `chat:${chat}`;
    await personas.save(owner, persona("Hi."));
    const choices = createPersonaChoices(store, createPlaceRules(store.redis));
    await choices.set({ scope: "chat", chat }, { owner, name: "chef" });
    await createInbox(store).append(chat, message("m1"));
    const turns = turnStoreOn(store);
    const begun = await turns.begin(chat);
    if (begun.type !== "begun") throw new Error("nothing began");
    expect(begun.settings.persona).toBe(`${owner}/chef`);
    await turns.erase(begun.session, begun.revision, { take: 0, of: { what: "chat" } });
    expect(await store.redis.exists(chatKeys(chat).personas, chatKeys(chat).settings)).toBe(0);
  });
});

describe("the personas of a chat", () => {
  it("are kept while it is used, and then as long as its settings", async () => {
    const chat = newChat();
    const owner: PersonaOwner = `chat:${chat}`;
    const lifetimes = () =>
      Promise.all(
        [chatKeys(chat).personas, chatKeys(chat).log].map((key) => store.redis.pttl(key)),
      );
    await createPersonaStore(store, { retentionMs: 60_000 }).save(owner, persona("Hi."));
    expect((await lifetimes())[0]).toBeGreaterThan(0);
    await createInbox(store).append(chat, message("m1"));
    const turns = turnStoreOn(store);
    const begun = await turns.begin(chat);
    if (begun.type !== "begun") throw new Error("nothing began");
    expect(await lifetimes()).toEqual([-1, -1]);
    await turns.commit(begun.session, begun.revision, { state: undefined, turn: 1, release: {} });
    const [ofPersonas = 0, ofLog = 0] = await lifetimes();
    expect(ofPersonas).toBeGreaterThan(60_000);
    expect(Math.abs(ofPersonas - ofLog)).toBeLessThan(1_000);
  });
});

describe("what was chosen", () => {
  it("is read by scope, the narrowest place first", async () => {
    const rules = createPlaceRules(store.redis);
    const choices = createPersonaChoices(store, rules);
    const chat = newChat();
    const [channel, guild] = ["discord:channel:71" as Place, "discord:guild:72" as Place] as const;
    const places = [channel, guild];
    await choices.set({ scope: "place", place: guild }, file("server"));
    const read = () => choices.read({ chat, personId: "discord:1", places });
    expect(await read()).toEqual({ person: undefined, chat: undefined, place: file("server") });
    await choices.set({ scope: "place", place: channel }, file("channel"));
    await choices.set({ scope: "person", chat, personId: "discord:1" }, file("mine"));
    expect(await read()).toEqual({ person: file("mine"), chat: undefined, place: file("channel") });
    await choices.set({ scope: "place", place: channel }, undefined);
    await choices.set({ scope: "person", chat, personId: "discord:1" }, undefined);
    expect(await read()).toEqual({ person: undefined, chat: undefined, place: file("server") });
    // It is no rule of the place.
    expect(await rules.rulesOf([guild])).toEqual([undefined]);
    expect(await rules.bans()).toMatchObject({ places: [] });
  });
});

describe("a worker's memory of personas", () => {
  it("asks for one number a second, and for personas when it has changed", async () => {
    const owner = newOwner();
    const ref = { owner, name: "chef" };
    await personas.save(owner, persona("One."));
    const asked: string[] = [];
    let nowMs = 0;
    const cache = new PersonaCache(
      {
        version: () => (asked.push("version"), personas.version()),
        find: (given) => (asked.push("find"), personas.find(given)),
        content: (...given) => (asked.push("content"), personas.content(...given)),
      },
      { usual: undefined, now: () => nowMs, report: () => undefined },
    );
    await cache.refresh();
    const found = await cache.find(ref);
    expect(found && (await cache.content(found))).toMatchObject({ prompt: "One." });
    await cache.refresh();
    await cache.find(ref);
    expect(asked).toEqual(["version", "find"]);
    await personas.save(owner, persona("Two."));
    nowMs = 1_000;
    await cache.refresh();
    const next = await cache.find(ref);
    expect(next && (await cache.content(next))).toMatchObject({ prompt: "Two." });
    // The earlier one is still itself.
    expect(found && (await cache.content(found))).toMatchObject({ prompt: "One." });
  });

  it.each(["a person's", "a chat's"])(
    "ends when %s was changed by one that died",
    async (whose) => {
      const owner: PersonaOwner = whose === "a chat's" ? `chat:${newChat()}` : newOwner();
      const ref = { owner, name: "chef" };
      let nowMs = 0;
      const cache = new PersonaCache(personas, {
        usual: undefined,
        now: () => nowMs,
        report: () => undefined,
      });
      const promptNow = async () => {
        await cache.refresh();
        const found = await cache.find(ref);
        return found && (await cache.content(found))?.prompt;
      };
      await personas.save(owner, persona("One."));
      expect(await promptNow()).toBe("One.");
      // Killed as soon as the script has run.
      const dying = createPersonaStore({
        ...store,
        redis: new Proxy(store.redis, {
          get: (target, name) =>
            name === "incr" ? () => Promise.reject(new Error("killed")) : Reflect.get(target, name),
        }),
      });
      await dying.save(owner, persona("Two.")).catch(() => undefined);
      nowMs = whose === "a chat's" ? 10_000 : 1_000;
      expect(await promptNow()).toBe("Two.");
      await dying.remove(ref).catch(() => undefined);
      nowMs *= 2;
      expect(await promptNow()).toBeUndefined();
    },
  );
});
