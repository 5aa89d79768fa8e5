import { expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { directPlace, newPerson } from "../ingress/open-ingress.ts";
import { begun, message, newChat, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);

/** Leaves a chat behind in which one question was answered. */
async function answered(chat: ChatKey, person = newPerson(), group = false): Promise<void> {
  const from = group ? { person, group } : { person };
  await createInbox(store).append(chat, message("m1", { ...from, text: "a secret question" }));
  const { session, revision, state } = await begun(turns, chat);
  const turn = state?.turn ?? 0;
  const usage = { inputTokens: 1_200, outputTokens: 80 };
  await turns.commit(session, revision, {
    state: undefined,
    turn,
    append: [
      {
        kind: "assistant",
        v: 1,
        turn,
        round: 1,
        model: "openai/gpt",
        text: "a secret answer",
        calls: [],
        usage,
      },
    ],
    release: {},
    usage: { turns: 1, modelCalls: 1, ...usage, models: {} },
  });
}

const listed = (html: string): readonly string[] =>
  [...html.matchAll(/<th scope="row"><a href="\/chats\/([^"]+)"/g)].map(([, chat = ""]) => chat);
const nextOf = (html: string): string | undefined =>
  /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");

it("pages through all chats, and each page has about a hundred", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const chats = Array.from({ length: 230 }, (_, index) => newChat({ bot: "88", chat: `${index}` }));
  for (const chat of chats) await answered(chat);
  const seen: string[] = [];
  for (let path: string | undefined = "/chats"; path !== undefined;) {
    const html = await admin.text(path);
    const found = listed(html);
    expect(found.length).toBeLessThan(200);
    seen.push(...found);
    path = nextOf(html);
  }
  expect(seen).toEqual(expect.arrayContaining(chats));
  expect(seen.length).toBeLessThan(chats.length + 10);
  expect((await admin.get("/chats?after=x.y.z")).status).toBe(200);
});

it("finds chats by a part of their key, and by the name of their person", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const zoe = directPlace(newPerson({ name: "Zoë Ünal", username: "zoe_u" }));
  await answered(zoe.chat, zoe.person);
  const group = newChat({ bot: "88", chat: "-100555" });
  await answered(group, zoe.person, true);
  await page.services.people.notePerson(zoe.person);
  await page.services.people.setDirectChat("telegram:77", zoe.person.id, zoe.chat);
  for (const wanted of ["ZOË", "@zoe_u", zoe.person.id]) {
    let path: string | undefined = `/chats?q=${encodeURIComponent(wanted)}`;
    const found: string[] = [];
    while (path !== undefined) {
      const html = await admin.text(path);
      found.push(...listed(html));
      path = nextOf(html);
    }
    expect(found, wanted).toEqual([zoe.chat]);
  }
  const byKey = await admin.text("/chats?q=88:-100");
  expect(listed(byKey)).toEqual([group]);
  expect(byKey).toContain("Group (Zoë Ünal)");
  expect(await admin.text("/chats?q=no*such")).toContain("No chat matches your search.");
});

it("shows a chat's settings, limits and answers, and nothing that was said", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  const ada = directPlace(newPerson({ name: "Ada" }));
  await answered(ada.chat, ada.person);
  await page.ingress.deps.settings.set(ada.chat, "maxModelCalls", "7");
  await page.ingress.deps.settings.set(ada.chat, "tier", "deep");
  const limit = { metric: "messages", per: "day", max: 9 } as const;
  await page.ingress.deps.limitService.set("e1", { kind: "person" }, [limit]);
  const html = await admin.text(`/chats/${ada.chat}`);
  expect(html).toContain("Limits for Ada");
  expect(html).toContain("9 messages a day (for Ada)");
  expect(html).not.toContain("for you");
  expect(html).toContain("maxModelCalls: 7");
  expect(html).toContain("Tier: deep");
  expect(html).toContain("Input tokens: 1,200");
  expect(html).toContain(`href="/chats/${ada.chat}/1"`);
  expect(rowsOf(html, "Latest answers")[0]?.slice(2, 4)).toEqual(["Ada", "Answered"]);
  expect(html).toContain("$0.01");
  expect(html).not.toContain("secret");
  for (const path of [`/chats/${newChat()}`, "/chats/nothing", "/chats/telegram:77:1:2:3"])
    expect((await admin.get(path)).status, path).toBe(404);
});

it("says when a chat that never expires was answered last", async () => {
  const page = await openPage(store);
  const chat = newChat({ bot: "66" });
  await answered(chat);
  const shown = async () => rowsOf(await (await page.logIn()).text(`/chats?q=${chat}`), "Chats");
  expect((await shown())[0]?.[3]).toMatch(/^20\d\d-/);
  // As with a schedule.
  await store.redis.persist(chatKeys(chat).state);
  expect((await shown())[0]?.[3]).toBe("1970-01-01 00:00 UTC");
});
