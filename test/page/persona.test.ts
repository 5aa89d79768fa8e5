import { expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import type { Persona } from "../../src/core/persona.ts";
import { inPersona } from "../../src/loop/persona.ts";
import { personasKey } from "../../src/store/personas/personas.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { anna, ben, begun, message, newChat, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { linesOf, rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);

/** What the views say of the only turn: Now, the chat's list, and the turn's own page. */
async function modelsIn(admin: { text: (path: string) => Promise<string> }, chat: ChatKey) {
  const lines = linesOf(await admin.text(`/chats/${chat}/1`));
  return {
    now: rowsOf(await admin.text("/"), "Now")[0]?.[3],
    chat: rowsOf(await admin.text(`/chats/${chat}`), "Latest answers")[0]?.[6],
    turn: lines[lines.indexOf("Model") + 1],
  };
}

const personaNamed = (name: string, more: Partial<Persona> = {}): Persona => ({
  name,
  prompt: `You are the ${name}.`,
  maxModelCalls: 15,
  starters: [],
  memory: "on",
  ...more,
});

const answered = (more: { readonly persona?: string } = {}): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn: 1,
  round: 1,
  model: "openai/gpt",
  text: "Arr",
  calls: [],
  ...more,
});

it("shows the persona of a turn from its message until its answer", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const { personas } = page.ingress.deps;
  const chat = newChat();
  const inbox = createInbox(store);
  const [mine, theirs] = ["pirate", "chef"] as const;
  for (const name of [mine, theirs]) await personas.store.save("file", personaNamed(name));
  const choose = (personId: string, name: string) =>
    personas.choices.set({ scope: "person", chat, personId }, { owner: "file", name });
  await choose(anna.id, mine);
  await choose(ben.id, theirs);
  const nowShows = async () => rowsOf(await admin.text("/"), "Now")[0]?.[3];
  await inbox.append(chat, message("m1"));
  expect(await nowShows()).toMatch(/.Persona: pirate\.$/);
  const { session, revision, state } = await begun(turns, chat);
  if (state === undefined) throw new Error("no turn is open");
  // Nothing is stored of the turn but its message.
  expect(await modelsIn(admin, chat)).toEqual({
    now: expect.stringMatching(/.Persona: pirate\.$/),
    chat: "–Persona: pirate.",
    turn: "–Persona: pirate.",
  });
  await turns.commit(session, revision, {
    state: inPersona(state, { owner: "file", name: mine, hash: "h" }),
    turn: 1,
  });
  // What is chosen from now on is for later turns.
  await choose(anna.id, theirs);
  expect(await modelsIn(admin, chat)).toEqual({
    now: expect.stringMatching(/.Persona: pirate\.$/),
    chat: "–Persona: pirate.",
    turn: "–Persona: pirate.",
  });
  await turns.commit(session, revision + 1, {
    state: undefined,
    turn: 1,
    append: [answered({ persona: mine })],
    release: {},
  });
  expect(await modelsIn(admin, chat)).toEqual({
    now: undefined,
    chat: "openai/gptPersona: pirate.",
    turn: "openai/gptPersona: pirate.",
  });
});

it("says nothing of a persona where a turn has none", async () => {
  const admin = await (await openPage(store)).logIn();
  const chat = newChat();
  await createInbox(store).append(chat, message("m1"));
  const { session, revision, state } = await begun(turns, chat);
  expect((await modelsIn(admin, chat)).now).not.toContain("Persona");
  await turns.commit(session, revision, {
    state: undefined,
    turn: state?.turn ?? 0,
    append: [answered()],
    release: {},
  });
  expect(await modelsIn(admin, chat)).toEqual({
    now: undefined,
    chat: "openai/gpt",
    turn: "openai/gpt",
  });
});

it("shows the model that a persona chooses, also while its first answer is awaited", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const { personas } = page.ingress.deps;
  const [chat, inbox] = [newChat(), createInbox(store)];
  const ref = { owner: "file", name: "poet" } as const;
  const saved = await personas.store.save(
    "file",
    personaNamed("poet", { model: "openrouter/deepseek/r2" }),
  );
  if (saved === "full") throw new Error("not saved");
  const choose = (name: string | undefined) =>
    personas.choices.set({ scope: "chat", chat }, name ? { ...ref, name } : undefined);
  const now = async () => rowsOf(await admin.text("/"), "Now")[0]?.[3];
  const poets = "openrouter/deepseek/r2Persona: poet.";
  await choose("poet");
  await inbox.append(chat, message("m1"));
  expect(await now()).toBe(poets);
  const { session, revision, state } = await begun(turns, chat);
  if (state === undefined) throw new Error("no turn is open");
  expect(await now()).toBe(poets);
  const persona = { ...ref, hash: saved.hash, by: "chat" };
  await turns.commit(session, revision, { state: inPersona(state, persona), turn: 1 });
  // What a turn has begun with holds until it ends.
  await personas.store.save("file", personaNamed("poet", { model: "openai/gpt-5-mini" }));
  await choose(undefined);
  expect(await now()).toBe(poets);
  await turns.commit(session, revision + 1, {
    state: { ...inPersona(state, { ...persona, by: "person" }), role: "guest" },
    turn: 1,
  });
  // A guest chooses no model, whatever persona they choose.
  expect(await now()).toBe("openai/gpt-5Persona: poet.");
  await turns.commit(session, revision + 2, { state: undefined, turn: 1, release: {} });
});

it.each([
  ["of a newer version", { "n:chef": '{"v":2}' }],
  ["broken", { "n:chef": "{" }],
])("names a persona that is %s, and shows and stops everything else", async (_, fields) => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const { personas } = page.ingress.deps;
  const [chat, inbox] = [newChat(), createInbox(store)];
  await store.redis.hset(personasKey("everyone"), fields);
  await personas.choices.set(
    { scope: "person", chat, personId: anna.id },
    { owner: "everyone", name: "chef" },
  );
  await inbox.append(chat, message("m1"));
  const shown = expect.stringMatching(/.Persona: chef\.$/) as string;
  expect(rowsOf(await admin.text("/"), "Now")[0]?.[3]).toEqual(shown);
  const { session, revision } = await begun(turns, chat);
  expect(await modelsIn(admin, chat)).toEqual({
    now: shown,
    chat: "–Persona: chef.",
    turn: "–Persona: chef.",
  });
  const stopped = await admin.post("/stop", { chat, turn: "1" });
  expect([stopped.status, stopped.headers.get("location")]).toEqual([303, "/?done=stopped"]);
  await turns.commit(session, revision, { state: undefined, turn: 1, release: {} });
});
