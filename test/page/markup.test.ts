import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { directPlace, newPerson } from "../ingress/open-ingress.ts";
import { begun, message, newChat, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);

/** What would be markup, or end an attribute, if it did not stay text. */
const hostile = fc.tuple(
  fc.constantFrom('"><', "'><", "<", "</td><", "<!--<", "\u0000<", "`<", "&lt;<"),
  fc.constantFrom("script>alert(1)</script>", "img src=x onerror=alert(1)>", "xss-x id=x>"),
  fc.string({ maxLength: 5 }),
);

/** One answered question and one that waits, in which every text is the same. */
async function speak(chat: ChatKey, text: string): Promise<void> {
  const person = { ...newPerson(), name: text };
  await createInbox(store).append(chat, message("m1", { person, text }));
  const { session, revision, state } = await begun(turns, chat);
  const turn = state?.turn ?? 0;
  const spoken = { v: 1, turn, round: 1, text } as const;
  const call = { index: 0, wireId: text, name: text, arguments: text };
  const append: LogEntry[] = [
    { ...spoken, kind: "assistant", model: text, calls: [call], reasoning: text },
    { ...spoken, kind: "tool", index: 0, name: text },
    { ...spoken, kind: "assistant", model: text, calls: [] },
  ];
  await turns.commit(session, revision, { state: undefined, turn, append, release: {} });
  await createInbox(store).append(chat, message("m2", { person, text }));
}

it("keeps names and texts of people, models and tools text", async () => {
  const page = await openPage(store);
  const owner = await page.logIn("owner", { id: "console:local", name: "Operator" });
  await fc.assert(
    fc.asyncProperty(hostile, async (parts) => {
      const text = parts.join("");
      const chat = newChat({ bot: "99", chat: `-${newPerson().id.slice("telegram:".length)}` });
      await speak(chat, text);
      await owner.post(`/chats/${chat}/1/show`, {});
      const pages = [
        await owner.text("/"),
        await owner.text(`/chats?q=${encodeURIComponent(chat)}`),
        await owner.text(`/chats?q=${encodeURIComponent(text)}`),
        await owner.text(`/chats/${chat}`),
        await owner.text(`/chats/${chat}/1`),
        await owner.text(`/chats/${chat}/1?contents=shown`),
        await (await owner.post("/stop", { chat: text })).text(),
      ];
      for (const each of pages) {
        expect(each).not.toMatch(/<script>|<img(?! src="\/assets\/icon.svg")|<xss-x|<!--/);
        // Values taken out, no tag has an attribute that it was not given.
        expect(each.replaceAll(/"[^"]*"/g, "")).not.toMatch(/<[a-z][^>]*\sonerror=/);
      }
      for (const each of pages.filter((_, index) => index !== 6))
        expect(each).toMatch(/&lt;(script|img|xss-x)/);
      await owner.post("/stop", { chat, turn: "2" });
    }),
    { numRuns: 25 },
  );
});

it("keeps what a reader types text", async () => {
  const page = await openPage(store);
  const admin = await page.logIn("admin", directPlace().person);
  const html = await admin.text(`/chats?q=${encodeURIComponent('"><script>x</script>')}`);
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"');
});
