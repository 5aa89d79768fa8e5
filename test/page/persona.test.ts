import { expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import { inPersona } from "../../src/loop/persona.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { begun, message, newChat, storeOn, turnStoreOn } from "../store/support.ts";
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

it("shows the persona of a turn while it runs and afterwards", async () => {
  const admin = await (await openPage(store)).logIn();
  const chat = newChat();
  await createInbox(store).append(chat, message("m1"));
  // Which persona it gets isn't known before it begins.
  expect(await admin.text("/")).not.toContain("Persona");
  const { session, revision, state } = await begun(turns, chat);
  if (state === undefined) throw new Error("no turn is open");
  const persona = { owner: "file", name: "pirate", hash: "h" };
  const open = inPersona(state, persona);
  await turns.commit(session, revision, { state: open, turn: 1 });
  expect(await modelsIn(admin, chat)).toEqual({
    now: expect.stringMatching(/.Persona: pirate\.$/),
    chat: "–Persona: pirate.",
    turn: "–Persona: pirate.",
  });
  await turns.commit(session, revision + 1, {
    state: undefined,
    turn: 1,
    append: [answered({ persona: persona.name })],
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
