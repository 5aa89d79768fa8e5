import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import { outboxEntrySchema } from "../../src/core/outbox.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";
import { approvalCard, titleIn } from "../../src/page/approval-card.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { approvalKey, wakeKey } from "../../src/store/keys.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { askedIn } from "../store/asking.ts";
import { newPerson } from "../ingress/open-ingress.ts";
import {
  approvalOf,
  dump,
  message,
  newChat,
  storeOn,
  turnStoreOn,
  uniqueId,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { hostileText, strangeMarkup } from "./hostile.ts";
import { openPage } from "./open-page.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);
let page: Awaited<ReturnType<typeof openPage>>;
beforeEach(async () => {
  await store.redis.flushdb();
  page = await openPage(store);
});
const owner = () => page.logIn("owner", { id: `console:${uniqueId()}`, name: "Olga" });

/** An approval that a turn of a new chat waits for. */
async function asked(more: Partial<Approval> = {}): Promise<Approval> {
  const chat = newChat({ chat: `-100${newChat().split(":")[2] ?? ""}` });
  await createInbox(store).append(chat, message("m1"));
  return await askedIn(turns, chat, more);
}

/** Approvals that are in the index and nowhere else. */
async function indexed(count: number, atMs: number): Promise<void> {
  const members = Array.from({ length: count }, () => [atMs, `appr:s1-${uniqueId()}`]);
  await store.redis.zadd(wakeKey("s1"), ...members.flat());
}

const form = ({ id, digest }: Approval) => ({ id, digest });
const statusOf = async ({ id }: Approval) => (await approvals.find(id))?.status;
const lines = async (personId: string) =>
  (await page.ingress.deps.audit.newest({ personId }, 10)).records;
/** The page's part about one approval. */
const cardIn = (text: string, { id }: Approval): string =>
  text.split("<article").find((part) => part.includes(`approval-${id}`)) ?? "";

describe("the list of approvals", () => {
  it("shows all chats' calls as their cards do, the oldest first", async () => {
    const admin = await page.logIn();
    const later = await asked({ expiresAtMs: Date.now() + 7_200_000 });
    // Half a minute less than an hour, whatever Redis' clock says.
    const first = await asked({
      expiresAtMs: Date.now() + 3_570_000,
      tool: "files.replace",
      arguments: JSON.stringify({
        password: "hunter2hunter2",
        path: "a\u202eb",
        host: "p\u0430ypal.com",
        old_text: "one\ntwo",
        new_text: "one\nthree",
      }),
      requester: { id: "telegram:1", name: "An\u200bna", username: "anna" },
    });
    const text = await admin.text("/approvals");
    expect(text.indexOf(first.id)).toBeLessThan(text.indexOf(later.id));
    const card = cardIn(text, first);
    expect(card).toContain("<code>files.replace</code>");
    expect(card).toContain(`href="/chats/${first.chat}"`);
    expect(card).toMatch(new RegExp(`^\\s+class="card"\\s+id="approval-${first.id}"`));
    expect(card).toContain("An\\u200bna (@anna, Telegram)");
    expect(card).toContain("path: &quot;a\\u202eb&quot;");
    // Where it goes is shown whole, and that it only looks like another address.
    expect(card).toContain("host: p\u0430ypal.com");
    expect(card).toContain("p\\u0430ypal.com");
    expect(card).toContain("<del>- two</del>\n<ins>+ three</ins>");
    expect(card).not.toContain("hunter2hunter2");
    expect(card).toContain("••••");
    expect(card).toMatch(/It&#39;s up to An\\u200bna or an admin\.\s+Expires in 60 min\.\s/);
    expect(card).toMatch(/<time datetime="20\d\d-/);
  });

  it("shows another page, and says where nothing waits", async () => {
    const admin = await page.logIn();
    for (let count = 0; count < 21; count += 1) await asked();
    const text = await admin.text("/approvals");
    expect(text.match(/<article/g)).toHaveLength(20);
    expect(text).toContain('href="/approvals?page=2"');
    const second = await admin.text("/approvals?page=2");
    expect(second).toContain("<article");
    expect(second).toContain('href="/approvals">First page');
  });

  it("changes nothing when it is read, also by those who may not decide", async () => {
    const admin = await page.logIn();
    const [open, ownersOnly] = [await asked(), await asked({ v: 2, approvers: "owners" })];
    // The session's own idle time is all that a request renews.
    await admin.get("/approvals");
    const before = await dump(store.redis);
    for (const path of [
      "/approvals",
      `/approvals/${open.id}`,
      `/approvals/${ownersOnly.id}`,
      "/approvals/s1-none",
    ])
      await admin.get(path);
    expect(await dump(store.redis)).toEqual(before);
  });
});

describe("a decision on the page", () => {
  it("approves, as a tap would: the chat's card says who did, and its turn goes on", async () => {
    const person = newPerson({ name: "Ada" });
    const admin = await page.logIn("admin", person);
    const approval = await asked();
    const answered = await admin.post("/approvals/approve", form(approval));
    expect([answered.status, answered.headers.get("location")]).toEqual([
      303,
      "/approvals?done=approved",
    ]);
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "approved",
      decidedBy: "Ada",
      decidedById: person.id,
    });
    const chat = newChatOf(approval);
    const outcome = (await page.ingress.outbox(chat)).at(-1);
    expect(outboxEntrySchema.parse(outcome)).toMatchObject({
      kind: "resolution",
      of: `card-${approval.id}`,
      text: "Approved by Ada.",
    });
    expect(page.ingress.wakes).toEqual(
      expect.arrayContaining([`turn ${chat}`, `delivery ${chat}`]),
    );
    expect(await lines(person.id)).toEqual([
      expect.objectContaining({
        action: "approval-decided",
        by: { id: person.id, name: "Ada" },
        chat: approval.chat,
        target: "files.delete",
        outcome: "approved",
      }),
    ]);
    expect(cardIn(await admin.text("/approvals?done=approved"), approval)).toBe("");
    // Sent twice, it is one decision.
    expect((await admin.post("/approvals/approve", form(approval))).status).toBe(303);
    expect(await lines(person.id)).toHaveLength(1);
    expect(await page.ingress.outbox(chat)).toHaveLength(1);
  });

  it("denies with a reason that the bot reads", async () => {
    const admin = await page.logIn();
    const approval = await asked();
    const shown = await admin.text(`/approvals/${approval.id}`);
    expect(shown).toContain('name="reason"');
    await admin.post("/approvals/deny", { ...form(approval), reason: "not today" });
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "denied",
      reason: "not today",
    });
  });

  it("says who was first", async () => {
    const [ada, bob] = [
      await page.logIn("admin", newPerson({ name: "Ada" })),
      await page.logIn("admin", newPerson({ name: "Bob" })),
    ];
    const approval = await asked();
    await ada.post("/approvals/deny", form(approval));
    const late = await bob.post("/approvals/approve", form(approval));
    expect(late.status).toBe(409);
    expect(await late.text()).toContain("This is already denied by Ada.");
    expect(await statusOf(approval)).toBe("denied");
    expect(await bob.text(`/approvals/${approval.id}`)).toContain("already denied by Ada");
  });

  it("says that nothing waits where only expired ones are left, and skips a page of them", async () => {
    const admin = await page.logIn();
    const empty = "Nothing waits for an approval.";
    await asked({ expiresAtMs: Date.now() - 1_000 });
    expect(await admin.text("/approvals")).toContain(empty);
    for (let count = 1; count < 20; count += 1) await asked({ expiresAtMs: Date.now() - 1_000 });
    const open = await asked();
    for (const path of ["/approvals", "/approvals?page=2", "/approvals?page=9"]) {
      const text = await admin.text(path);
      expect(text).not.toContain(empty);
      expect(text).toContain(`id="approval-${open.id}"`);
    }
  });

  it("looks past any number of expired ones, and at those before", async () => {
    const admin = await page.logIn();
    const open = await asked();
    // A sweeper has put these off.
    await indexed(25, Date.now() + 86_400_000);
    for (const path of ["/approvals", "/approvals?page=2"])
      expect(cardIn(await admin.text(path), open)).toContain("Approve");
    await indexed(2_000, Date.now() - 60_000);
    for (const path of ["/approvals", "/approvals?page=2", "/approvals?page=101"])
      expect(cardIn(await admin.text(path), open)).toContain("Approve");
  });

  it("looks at some pages at a time, and says that there is more", async () => {
    const admin = await page.logIn();
    await indexed(510, Date.now() + 60_000);
    const open = await asked();
    const some = await admin.text("/approvals");
    expect(some).toContain("Nothing found so far");
    expect(some).not.toContain("Nothing waits");
    const [, next = ""] = /href="([^"]*)" rel="next"/.exec(some) ?? [];
    expect(cardIn(await admin.text(next), open)).toContain("Approve");
  });

  it("knows none that can't be read, and shows the others", async () => {
    const admin = await page.logIn();
    const [open, unreadable] = [await asked(), await asked()];
    await store.redis.hset(approvalKey(unreadable.id), "approval", '{"v":9}');
    expect(cardIn(await admin.text("/approvals"), open)).toContain("Approve");
    expect((await admin.get(`/approvals/${unreadable.id}`)).status).toBe(404);
  });

  it("decides only what was shown, and nothing that has expired", async () => {
    const admin = await page.logIn();
    const approval = await asked();
    const other = await admin.post("/approvals/approve", { id: approval.id, digest: "another" });
    expect(other.status).toBe(409);
    expect((await admin.post("/approvals/approve", { id: "s1-nothing" })).status).toBe(409);
    expect(await statusOf(approval)).toBe("pending");
    const expired = await asked({ expiresAtMs: Date.now() - 1_000 });
    expect(await admin.text("/approvals")).not.toContain(expired.id);
    const late = await admin.post("/approvals/approve", form(expired));
    expect(await late.text()).toContain("This has expired.");
    expect(await statusOf(expired)).toBe("expired");
    expect(await admin.text(`/approvals/${expired.id}`)).toContain("This has expired.");
  });

  it("leaves to owners, and to the person who asked, what is theirs to decide", async () => {
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    const ownersOnly = await asked({ v: 2, approvers: "owners" });
    const requesterOnly = await asked({ approvers: "requester" });
    for (const approval of [ownersOnly, requesterOnly]) {
      const card = cardIn(await admin.text("/approvals"), approval);
      expect(card).not.toContain("<button");
      // What it would do is for those who decide.
      expect(card).not.toContain("<pre");
      expect(await admin.text(`/approvals/${approval.id}`)).not.toContain("/approvals/deny");
      const refused = await admin.post("/approvals/approve", form(approval));
      expect([refused.status, await statusOf(approval)]).toEqual([409, "pending"]);
      expect(await refused.text()).toMatch(/Only .* can decide this/);
    }
    expect((await lines(person.id)).map(({ action }) => action)).toEqual([
      "attempt-denied",
      "attempt-denied",
    ]);
    const olga = await owner();
    expect((await olga.post("/approvals/approve", form(ownersOnly))).status).toBe(303);
    expect(await statusOf(ownersOnly)).toBe("approved");
    expect((await olga.post("/approvals/approve", form(requesterOnly))).status).toBe(409);
  });

  it("counts the first of two, once", async () => {
    const [ada, bob] = [await page.logIn(), await page.logIn()];
    const approval = await asked({ v: 2, persons: 2 });
    const first = await ada.post("/approvals/approve", form(approval));
    expect(first.headers.get("location")).toBe("/approvals?done=counted");
    expect(cardIn(await bob.text("/approvals"), approval)).toContain("1 of 2: approved by");
    expect((await ada.post("/approvals/approve", form(approval))).status).toBe(303);
    expect(await statusOf(approval)).toBe("pending");
    await bob.post("/approvals/approve", form(approval));
    expect(await statusOf(approval)).toBe("approved");
  });

  it("isn't open to those who were banned, demoted or never let in", async () => {
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    const approval = await asked();
    await page.services.access.setRole(person, "banned");
    for (const browser of [admin, page.stranger()]) {
      const refused = await browser.post("/approvals/approve", form(approval));
      expect(refused.headers.get("location")).toBe("/in");
    }
    await page.services.access.setRole(person, "member");
    await admin.post("/approvals/approve", form(approval));
    expect(await statusOf(approval)).toBe("pending");
  });
});

describe("an edit on the page", () => {
  it("closes the call as changed, with what the form has sent", async () => {
    const person = newPerson({ name: "Ada" });
    const admin = await page.logIn("admin", person);
    const approval = await asked({
      arguments: JSON.stringify({ path: "a", text: "one\ntwo", token: "sk-1234567890abcdef" }),
    });
    const shown = await admin.text(`/approvals/${approval.id}`);
    expect(shown).toMatch(/<input name="=path" value="a"/);
    expect(shown).toMatch(/<textarea name="=text"[^>]*>\none\ntwo<\/textarea>/);
    expect(shown).not.toContain("sk-1234567890abcdef");
    const masked = /name="=token" value="([^"]*)"/.exec(shown)?.[1] ?? "";
    const edited = await admin.post(`/approvals/${approval.id}/edit`, {
      ...form(approval),
      "=path": "b",
      "=text": "one\r\ntwo",
      "=token": masked,
    });
    expect(edited.headers.get("location")).toBe("/approvals?done=changed");
    const view = await approvals.find(approval.id);
    expect(view).toMatchObject({ status: "changed", decidedBy: "Ada" });
    expect(JSON.parse(view?.edit?.arguments ?? "")).toEqual({
      path: "b",
      text: "one\ntwo",
      token: "sk-1234567890abcdef",
    });
  });

  it("changes nested arguments as JSON, however long, and says what is wrong with them", async () => {
    const admin = await page.logIn();
    const long = { to: { city: "Bern" }, text: "x".repeat(9_000) };
    const approval = await asked({ arguments: JSON.stringify(long) });
    const path = `/approvals/${approval.id}`;
    expect(await admin.text(path)).toMatch(/<textarea name="json"/);
    for (const [json, problem] of [
      ["{", "isn&#39;t JSON"],
      [JSON.stringify(long), "Nothing changed"],
    ] as const) {
      const wrong = await admin.post(`${path}/edit`, { ...form(approval), json });
      expect([wrong.status, await statusOf(approval)]).toEqual([409, "pending"]);
      const text = await wrong.text();
      expect(text).toContain(problem);
      // What was typed isn't lost.
      expect(text).toMatch(json === "{" ? /<textarea name="json"[^>]*>\n\{<\/textarea>/ : /Bern/);
    }
    const json = JSON.stringify({ ...long, to: { city: "Wien" } });
    await admin.post(`${path}/edit`, { ...form(approval), json });
    expect(await statusOf(approval)).toBe("changed");
    const again = await admin.post(`${path}/edit`, { ...form(approval), json });
    expect(await again.text()).toContain("already changed");
  });
});

it("keeps everything that people, models and tools have written as text", async () => {
  const chat = newChat();
  fc.assert(
    fc.property(
      fc.record({
        tool: hostileText,
        title: hostileText,
        about: hostileText,
        name: hostileText,
        changedBy: hostileText,
        given: fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText))),
        old: hostileText,
      }),
      fc.constantFrom(...languages),
      ({ tool, title, about, name, changedBy, given, old }, language) => {
        const approval = approvalOf(turns, chat, {
          tool,
          title,
          about,
          changedBy,
          requester: { id: "telegram:1", name },
          arguments: JSON.stringify({ ...given, old_text: old, new_text: `${old}!` }),
        });
        const locale = localeFor(language);
        const view = { approval, status: "pending" } as const;
        const card = approvalCard({ view, chat, mayDecide: true }, locale, Date.now()).toString();
        expect(strangeMarkup(card)).toEqual([]);
        expect(card).not.toMatch(/[\u202e\u200b]/);
        expect(titleIn(approval, locale)).not.toMatch(/[\u202e\u200b]/);
      },
    ),
  );
  const admin = await page.logIn();
  const hostile = await asked({
    tool: 'a"><script>alert(1)</script>',
    arguments: JSON.stringify({ '"><img src=x>': "</textarea><script>", text: "</pre>\n<b>" }),
    requester: { id: "telegram:1", name: "<i>Anna</i>" },
  });
  for (const path of ["/approvals", `/approvals/${hostile.id}`])
    expect(strangeMarkup(await admin.text(path))).toEqual([]);
});

const newChatOf = ({ chat }: Approval) => chat as ReturnType<typeof newChat>;
