import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { parseChatKey, type ChatKey } from "../../src/core/chat.ts";
import { listDeadLetters } from "../../src/store/turns/dead-letters.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { ScriptedSender } from "../delivery/scripted-sender.ts";
import { deliverAll, deliveryDeps } from "../delivery/support.ts";
import { newPerson } from "../ingress/open-ingress.ts";
import { dump, leaseMs, newChat, notice, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { hostileText, strangeMarkup } from "./hostile.ts";
import { openPage } from "./open-page.ts";

const store = storeOn(await testDatabase());
const outbox = createOutboxStore(store, leaseMs);
let page: Awaited<ReturnType<typeof openPage>>;
beforeEach(async () => {
  await store.redis.flushdb();
  page = await openPage(store);
});

/** A chat that has refused these texts. */
async function refusing(...texts: string[]) {
  const chat = newChat();
  const sender = new ScriptedSender();
  const deps = deliveryDeps(outbox, sender);
  sender.faults.push(...texts.map(() => "refused" as const));
  for (const text of texts) await createInbox(store).post(chat, notice(text, `<${text}>`));
  await deliverAll(deps, chat);
  const ids = (await listDeadLetters(store, chat)).map(({ id }) => id);
  return { chat, sender, ids, deliver: () => deliverAll(deps, chat) };
}

/** Whose name the chat has. */
const placeOf = (chat: ChatKey): string => `telegram:chat:${parseChatKey(chat).chat}`;

const outcomes = async (personId: string) =>
  (await page.ingress.deps.audit.newest({ personId }, 10)).records.map(
    ({ action, outcome, chat }) => `${action} ${outcome} ${chat}`,
  );

describe("dead letters on the page", () => {
  it("are listed with why, and without their texts; the newest first, page by page", async () => {
    const admin = await page.logIn();
    expect(await admin.text("/dead-letters")).toContain("Every message was delivered.");
    const { chat } = await refusing("secret");
    for (let count = 0; count < 2; count += 1)
      await refusing(...Array.from({ length: 13 }, (_, index) => `${index}`));
    const first = await admin.text("/dead-letters");
    expect(first.match(/<time/g)).toHaveLength(25);
    expect(first).toContain("The platform refused it.");
    expect(first).toContain("blocked");
    expect(first).not.toContain(chat);
    const zrange = vi.spyOn(page.services.store.redis, "zrange");
    await admin.text("/dead-letters");
    const spans = zrange.mock.calls.filter(([key]) => String(key).includes("dead"));
    zrange.mockRestore();
    expect(spans.map(([, from]) => from)).toEqual(spans.map(() => "-25"));
    expect(spans.length).toBeGreaterThan(0);
    const second = await admin.text("/dead-letters?page=2");
    expect(second).toContain(`href="/chats/${chat}"`);
    expect(second).not.toContain("secret");
    expect(second.match(/<time/g)).toHaveLength(2);
    expect(second).not.toContain("page=3");
    for (const page of ["1e300", "-1", "x"])
      expect((await admin.get(`/dead-letters?page=${page}`)).status, page).toBe(200);
  });

  it("are sent again once, with a line in the audit log", async () => {
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    const { chat, ids, sender, deliver } = await refusing("one", "two");
    const id = ids[1] ?? "";
    const answered = await admin.post("/dead-letters/replay", { id });
    expect(answered.headers.get("location")).toBe("/dead-letters?done=sentAgain");
    expect(page.ingress.wakes).toEqual([`delivery ${chat}`]);
    const again = await admin.post("/dead-letters/replay", { id });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining("someone has already sent it again or dropped it"),
    ]);
    await deliver();
    expect(sender.texts).toEqual(["<two>"]);
    expect(await outcomes(person.id)).toEqual([`dead-letter-settled replayed ${chat}`]);
  });

  it.each(["replay", "drop"])("that a %s has not settled yet are audited first", async (action) => {
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    const { chat, ids } = await refusing("one");
    const fields = { id: ids[0] ?? "" };
    const run = store.run.bind(store);
    const dies = vi.spyOn(store, "run").mockImplementation(async (name, keys, values) => {
      if (name === "dead") throw new Error("killed");
      return await run(name, keys, values);
    });
    expect((await admin.post(`/dead-letters/${action}`, fields)).status).toBe(500);
    dies.mockRestore();
    expect(await outcomes(person.id)).toHaveLength(1);
    expect(await listDeadLetters(store, chat)).toHaveLength(1);
    expect((await admin.post(`/dead-letters/${action}`, fields)).status).toBe(303);
    const outcome = action === "drop" ? "dropped" : "replayed";
    expect(await outcomes(person.id)).toEqual([`dead-letter-settled ${outcome} ${chat}`]);
  });

  it("are dropped by a second step, which needs no script", async () => {
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    const { chat, ids } = await refusing("one");
    const shown = await admin.text("/dead-letters");
    expect(shown).toMatch(/<details[^>]*>\s*<summary[^>]*>Drop…<\/summary>\s*<form method="post"/);
    for (const status of [303, 409])
      expect((await admin.post("/dead-letters/drop", { id: ids[0] ?? "" })).status).toBe(status);
    expect(await listDeadLetters(store, chat)).toEqual([]);
    expect(await outcomes(person.id)).toEqual([`dead-letter-settled dropped ${chat}`]);
  });

  it("that are damaged can only be dropped, and hide no others", async () => {
    const admin = await page.logIn();
    const { chat, ids } = await refusing("one", "two");
    const [broken = "", unreadable = ""] = ids;
    const { deadPrefix } = chatKeys(chat);
    await store.redis.hset(`${deadPrefix}${broken}`, "entry", "no json");
    await store.redis.hset(`${deadPrefix}${unreadable}`, "why", "nothing known");
    const shown = await admin.text("/dead-letters");
    expect(shown).toContain("Left out because they can&#39;t be read: 1.");
    expect(shown.match(/<time/g)).toHaveLength(1);
    for (const id of ids) {
      const refused = await admin.post("/dead-letters/replay", { id });
      expect(await refused.text()).toContain("damaged");
    }
    expect(await outcomes(admin.person.id)).toEqual([]);
    expect((await admin.post("/dead-letters/drop", { id: broken })).status).toBe(303);
  });

  it("stay as they are for those who aren't admins, and when they are read", async () => {
    const { ids } = await refusing("one");
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    await admin.get("/dead-letters");
    const before = await dump(store.redis);
    await admin.get("/dead-letters");
    expect(await dump(store.redis)).toEqual(before);
    await page.services.access.setRole(person, "banned");
    for (const browser of [admin, page.stranger()])
      for (const action of ["replay", "drop"])
        expect((await browser.post(`/dead-letters/${action}`, { id: ids[0] ?? "" })).status).toBe(
          303,
        );
    expect(await listDeadLetters(store)).toHaveLength(1);
  });

  it("never become markup", async () => {
    const admin = await page.logIn();
    const { chat, ids } = await refusing("one");
    const key = `${chatKeys(chat).deadPrefix}${ids[0]}`;
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (cause, title) => {
        await store.redis.hset(key, "cause", cause, "entry", JSON.stringify({ kind: cause }));
        await page.services.people.notePerson({ id: placeOf(chat), name: title });
        const shown = await admin.text("/dead-letters");
        expect(strangeMarkup(shown)).toEqual([]);
        expect(shown).not.toMatch(/[\u202e\u200b]/);
      }),
      { numRuns: 30 },
    );
  });
});
