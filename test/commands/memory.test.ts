import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../src/core/inbound.ts";
import type { FactOwner } from "../../src/core/facts.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { languages } from "../../src/locales/locale-for.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { emptyDatabases, testDatabase } from "../support/redis/test-redis.ts";

const [database = ""] = await emptyDatabases(await testDatabase(), 1);
const store = storeOn({ url: database });
const ingress = openIngress(store);

const type = async (at: Place, argument = "", more = {}): Promise<Acceptance> =>
  await ingress.command(at, "memory", { argument, answersItself: true, ...more });
const say = async (at: Place, argument = "", more = {}) => textOf(await type(at, argument, more));
const buttonsOf = (answered: Acceptance) =>
  (answered.type === "answered" && answered.buttons) || [];
let keys = 0;
const keep = async (at: Place, text: string, owner: FactOwner = { person: at.person.id }) => {
  const by = { id: at.person.id, name: at.person.name };
  keys += 1;
  await ingress.deps.facts.keep(owner, { text, by, chat: at.chat, messageId: "7" }, `k${keys}`);
  return (await ingress.deps.facts.list(owner)).find((fact) => fact.text === text)?.id ?? "";
};

describe("/memory", () => {
  it("says how to begin where there is nothing", async () => {
    expect(await say(directPlace())).toContain("remember that");
  });

  it("lists the person's facts and the chat's in a direct chat, with who, when and notes", async () => {
    const ann = directPlace();
    const id = await keep(ann, "drinks tea");
    await keep(ann, "is about tea", { chat: ann.chat });
    await ingress.deps.facts.keep(
      { person: ann.person.id },
      { text: "drinks coffee", by: ann.person, chat: ann.chat, supersedes: id },
      "newer",
    );
    await store.redis.rpush(chatKeys(ann.chat).notes, "an old note");
    const text = await say(ann);
    expect(text).toMatch(/About you .*\n1\. drinks coffee \([0-9a-f]{8}, .+, \d{4}-\d\d-\d\d\)/);
    expect(text).toMatch(
      /About this chat:\n2\. is about tea .*\n3\. an old note \(note-[0-9a-f]{8}, note\)/,
    );
    expect(text).not.toContain("drinks tea");
  });

  it("shows a group what is the group's alone, with a link, and a direct chat of others nothing", async () => {
    const person = newPerson({ id: "discord:501" });
    const group = groupPlace(person);
    await keep(group, "my secret");
    await keep(group, "we meet at five", { chat: group.chat });
    const text = await say(group);
    expect(text).toContain("we meet at five");
    expect(text).not.toContain("my secret");
    expect(await say(directPlace())).not.toContain("secret");
  });

  it("deletes by a button, a note too, and says what", async () => {
    const ann = directPlace();
    const id = await keep(ann, "drinks tea");
    await store.redis.rpush(chatKeys(ann.chat).notes, "an old note");
    const [button, ofNote] = buttonsOf(await type(ann));
    expect(button?.typed).toBe(`/memory delete ${id}`);
    await ingress.tap(ann, button?.data ?? "");
    expect((await ingress.told(ann.chat)).at(-1)).toBe("I've forgotten: drinks tea");
    await ingress.tap(ann, ofNote?.data ?? "");
    expect((await ingress.told(ann.chat)).at(-1)).toBe("I've forgotten: an old note");
    expect(await say(ann)).toContain("haven't kept anything");
  });

  it("deletes the note that a button was made for, after another one is gone too", async () => {
    const ann = directPlace();
    const { notes } = chatKeys(ann.chat);
    await store.redis.rpush(notes, "first", "second", "third");
    const [first, second] = buttonsOf(await type(ann));
    await ingress.tap(ann, first?.data ?? "");
    await ingress.tap(ann, second?.data ?? "");
    expect(await store.redis.lrange(notes, 0, -1)).toEqual(["third"]);
    await ingress.tap(ann, first?.data ?? "");
    expect(await store.redis.lrange(notes, 0, -1)).toEqual(["third"]);
  });

  it("changes one by a newer one, once per event", async () => {
    const ann = directPlace();
    const id = await keep(ann, "lives in Rome");
    for (let times = 0; times < 2; times += 1)
      await type(ann, `edit ${id} lives in Oslo`, { id: "edit-once" });
    const all = await ingress.deps.facts.list({ person: ann.person.id });
    expect(all.map(({ text, supersedes }) => `${text}, ${supersedes}`).toSorted()).toEqual([
      `lives in Oslo, ${id}`,
      "lives in Rome, undefined",
    ]);
    expect(await say(ann)).not.toContain("Rome");
    expect(await say(ann, `edit ${id}`)).toContain("/memory shows");
    expect(await say(ann, "edit note1 x")).toContain("/memory shows");
    const current = all.find(({ text }) => text === "lives in Oslo");
    expect(await say(ann, `edit ${current?.id ?? ""}`)).toContain("up to 500");
  });

  it("lets others in a group change nothing, and admins everything", async () => {
    const cat = groupPlace();
    const id = await keep(cat, "Cat feeds the cat", { chat: cat.chat });
    const dan = { ...cat, person: newPerson() };
    expect(await say(dan, `delete ${id}`)).toMatch(/only the person who said it/i);
    expect(await say(cat, `delete ${id}`)).toContain("I've forgotten");
  });

  it("sends everything as a file, what is out of date and summaries too", async () => {
    const ann = directPlace();
    const id = await keep(ann, "lives in Rome");
    await type(ann, `edit ${id} lives in Oslo`);
    await store.redis.rpush(
      chatKeys(ann.chat).summaries,
      JSON.stringify({ v: 1, from: 0, to: 1, atMs: 1, text: "They spoke of tea." }),
    );
    expect(await say(ann, "export")).toContain("as a file");
    const posted = await store.redis.lrange(chatKeys(ann.chat).outbox, 0, -1);
    const file = posted.find((entry) => entry.includes('"kind":"file"')) ?? "";
    const blob = /"blob":"([\w-]+)"/.exec(file)?.[1] ?? "";
    const text = Buffer.from(
      (await createBlobs(store).get(ann.chat, blob)) ?? new Uint8Array(),
    ).toString();
    for (const each of ["lives in Rome", `(replaces ${id})`, "They spoke of tea."])
      expect(text).toContain(each);
  });

  it.each(languages)("answers in %s", async (language) => {
    const place = directPlace(newPerson({ language }));
    await keep(place, "drinks tea");
    expect(await say(place)).toContain("/memory delete <ID>");
    expect(await say(place, "dance")).toContain("dance");
  });
});
