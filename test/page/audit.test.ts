import { beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/core/audit.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace, newPerson } from "../ingress/open-ingress.ts";
import { chatLink } from "../../src/page/chat-link.ts";
import { openPage } from "./open-page.ts";
import { rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());
const dayMs = 86_400_000;
const streamOfActs = "parley:{cfg}:audit-log";

beforeEach(async () => {
  await store.redis.flushdb();
  await store.clock.read();
});

const ann = newPerson({ name: "Ann", username: "ann" });
const ben = newPerson({ name: "Ben" });
let lines = 0;
const write = async (
  page: Awaited<ReturnType<typeof openPage>>,
  entry: Omit<AuditEntry, "v" | "atMs">,
) => await page.services.audit.write(`e${(lines += 1)}`, entry);
const rows = (text: string) => rowsOf(text, "Audit");

describe("the view Audit", () => {
  it("says that there is nothing, or nothing of what is looked for", async () => {
    const page = await openPage(store);
    const admin = await page.logIn();
    expect(await admin.text("/audit")).toContain("The audit log is empty.");
    expect(await admin.text("/audit?action=paused")).toContain("Nothing matches this filter.");
  });

  it("shows who did what, the newest first, with a link to the chat", async () => {
    const page = await openPage(store);
    const { chat } = directPlace(ann);
    await page.services.people.notePerson(ann);
    await write(page, { action: "paused", by: ben, target: "all" });
    await write(page, {
      action: "approval-decided",
      by: ann,
      chat,
      target: "files.delete",
      outcome: "approved",
      details: { path: "/tmp/<b>" },
    });
    const text = await (await page.logIn()).text("/audit");
    const now = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(rows(text)).toEqual([
      [
        now,
        `Ann (${ann.id})`,
        "decided on files.delete → approved",
        "path: /tmp/<b>",
        `Ann ${chat}`,
      ],
      [now, `Ben (${ben.id})`, "paused all", "", ""],
    ]);
    expect(text).toContain(chatLink(chat, "Ann").toString());
    expect(text).not.toContain("<b>");
  });

  it("filters by person, by action and by day", async () => {
    const page = await openPage(store);
    await page.services.people.notePerson(ann);
    const line = { v: 1, action: "resumed", by: { id: ann.id }, target: "old" };
    const atMs = store.clock.now() - 3 * dayMs;
    await store.redis.xadd(streamOfActs, `${atMs}-0`, "l", JSON.stringify(line));
    await write(page, { action: "paused", by: ann, target: "one" });
    await write(page, { action: "resumed", by: ben, target: "two" });
    await write(page, { action: "role-set", by: ben, target: ann.id });
    const admin = await page.logIn();
    const found = async (query: string) =>
      rows(await admin.text(`/audit?${query}`)).map(([, , what]) => what);
    expect(await found(`person=${ann.id}`)).toEqual([
      `changed the role of Ann (${ann.id})`,
      "paused one",
      "resumed old",
    ]);
    expect(await found("action=resumed")).toEqual(["resumed two", "resumed old"]);
    expect(await found("person=@ann&action=paused&day=")).toEqual(["paused one"]);
    const day = new Date(atMs).toISOString().slice(0, 10);
    expect(await found(`day=${day}`)).toEqual(["resumed old"]);
    expect(await found("action=unheard-of")).toHaveLength(4);
  });

  it("says what is wrong with a filter", async () => {
    const page = await openPage(store);
    const admin = await page.logIn();
    expect(await admin.text("/audit?day=2026-02-31")).toContain("not a date");
    const text = await admin.text(`/audit?person=${encodeURIComponent('@<b>"')}`);
    expect(text).toContain("problem");
    expect(text).not.toContain("<b>");
  });

  it("pages through all lines, each once", async () => {
    const page = await openPage(store);
    for (let each = 0; each < 120; each += 1)
      await write(page, {
        action: each % 2 === 0 ? "paused" : "tool-executed",
        by: ann,
        target: `n${each}`,
      });
    const admin = await page.logIn();
    const seen: string[] = [];
    let path: string | undefined = "/audit";
    while (path !== undefined) {
      const text = await admin.text(path);
      seen.push(...rows(text).map(([, , what = ""]) => what.replace(/.*n/, "")));
      path = /<a href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => String(119 - index)));
  });
});
