import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Person } from "../../src/core/chat.ts";
import type { Place } from "../../src/core/places.ts";
import { configKey } from "../../src/store/keys.ts";
import { directPlace, groupPlace, newPerson, openIngress } from "../ingress/open-ingress.ts";
import { dump, storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { hostileText, strangeMarkup } from "./hostile.ts";
import { openPage } from "./open-page.ts";

const store = storeOn(await testDatabase());
let page: Awaited<ReturnType<typeof openPage>>;
beforeEach(async () => {
  await store.redis.flushdb();
  page = await openPage(store);
});

const owner = () => page.logIn("owner", { id: `console:${uniqueId()}`, name: "Olga" });
const roleOf = (person: Person) => page.ingress.access.roleNow(person);
const lines = async (personId: string) =>
  (await page.ingress.deps.audit.newest({ personId }, 10)).records;
/** Of the table's rows, the one about a person or place. */
const rowOf = (text: string, name: string): string =>
  text
    .split("<tr ")
    .slice(1)
    .find((row) => row.includes(name)) ?? "";

/** The address of the next page of one of the lists. */
const nextOf = (text: string, list: "from" | "placesFrom" = "from"): string | undefined =>
  [...text.matchAll(/href="([^"]*)" rel="next"/g)]
    .map(([, path = ""]) => path.replaceAll("&amp;", "&"))
    .find((path) => path.split(/[?&]/).at(-1)?.startsWith(`${list}=`));

const manyIds = (kind: string): readonly string[] =>
  Array.from({ length: 1_500 }, (_, index) => `${kind}${index + 1}`);

/** Someone who has written lately. */
async function known(more: Partial<Person> = {}): Promise<Person> {
  const person = newPerson(more);
  await page.ingress.people.notePerson(person);
  return person;
}

describe("people on the page", () => {
  it("are everyone with a role, admins first, page by page", async () => {
    const admin = await page.logIn("admin", await known({ name: "Ada", username: "ada" }));
    const banned = await known({ name: "Mallory" });
    await page.ingress.access.setRole(banned, "banned");
    for (let count = 0; count < 30; count += 1)
      await page.ingress.access.setRole(newPerson(), "member");
    const first = await admin.text("/people");
    expect(rowOf(first, "Ada (@ada, Telegram)")).toContain("Admin");
    expect(first).not.toContain("Mallory");
    const second = await admin.text(nextOf(first) ?? "");
    expect(rowOf(second, "Mallory")).toMatch(/Blocked[^]*Unblock/);
    expect(nextOf(second)).toBeUndefined();
  });

  it("are each on a page, and no view reads all of them or all places", async () => {
    const admin = await page.logIn();
    const members = manyIds("telegram:");
    const places = manyIds("discord:guild:");
    await store.redis.sadd(configKey("role:member"), ...members);
    await store.redis.hset(
      configKey("places"),
      Object.fromEntries(places.map((id) => [id, "ban"])),
    );
    const commands = ["smembers", "sscan", "hgetall", "hscan", "hmget", "mget"] as const;
    const read = commands.map((command) => vi.spyOn(store.redis, command));
    const shown = new Set<string>();
    for (const list of ["from", "placesFrom"] as const) {
      let pages = 0;
      for (let next: string | undefined = "/people"; next !== undefined; pages += 1) {
        for (const spy of read) spy.mockClear();
        const text: string = await admin.text(next);
        for (const [, id = ""] of text.matchAll(/name="(?:person|place)" value="([^"]+)"/g))
          shown.add(id);
        const replies = read.flatMap((spy) =>
          spy.mock.results.map(({ value }) => value as unknown),
        );
        expect(JSON.stringify(await Promise.all(replies)).length).toBeLessThan(10_000);
        next = nextOf(text, list);
      }
      expect(pages).toBeGreaterThan(10);
    }
    expect([...members, ...places].filter((id) => !shown.has(id))).toEqual([]);
  });

  it("have no other page where all of them are on this one", async () => {
    const admin = await page.logIn();
    for (let count = 0; count < 23; count += 1)
      await page.ingress.access.setRole(newPerson(), "member");
    const shown = await admin.text("/people");
    expect(shown.match(/<tr /g)).toHaveLength(25);
    expect(nextOf(shown)).toBeUndefined();
    expect(await admin.text("/people?from=5.0")).toContain("I didn&#39;t find anyone.");
    for (const place of ["1.99999999999999999999", "9.0", "999.0"])
      for (const query of [`from=${place}`, `placesFrom=${place}`, `q=x&from=${place}`])
        expect((await admin.get(`/people?${query}`)).status, query).toBe(200);
    const none = await admin.text("/people?from=1.99999999999999999999");
    expect(none.match(/<tr /g)).toHaveLength(25);
  });

  it("are found by name, user name and id, also where they have no role", async () => {
    const admin = await page.logIn();
    const bob = await known({ name: "Bob Stone", username: "bobby" });
    for (const q of ["stone", "@BOBBY", bob.id])
      expect(await admin.text(`/people?q=${encodeURIComponent(q)}`)).toContain("Bob Stone");
    expect(await admin.text("/people?q=nothing")).toContain("I didn&#39;t find anyone.");
    expect(await admin.text("/people")).not.toContain("Bob Stone");
    // Those who have never written are named by their ids.
    expect(rowOf(await admin.text("/people?q=discord:17"), "discord:17")).toContain("<select");
    expect(rowOf(await admin.text("/people?q=discord:guild:17"), "discord:guild:17")).toContain(
      "No rule",
    );
  });

  it("are found page by page where many have the name", async () => {
    const admin = await page.logIn();
    const all: string[] = [];
    for (let count = 0; count < 600; count += 1) all.push((await known({ name: "Bo" })).id);
    const shown = new Set<string>();
    let next: string | undefined = "/people?q=Bo";
    let pages = 0;
    while (next !== undefined) {
      const text: string = await admin.text(next);
      for (const [, id = ""] of text.matchAll(/name="person" value="([^"]+)"/g)) shown.add(id);
      next = /<a href="([^"]*from=[^"]*)" rel="next">/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      pages += 1;
    }
    expect(pages).toBeGreaterThan(1);
    expect([...shown].toSorted()).toEqual(all.toSorted());
  });

  it("are given roles, as /role does", async () => {
    const ada = newPerson({ name: "Ada" });
    const admin = await page.logIn("admin", ada);
    const bob = await known();
    const answered = await admin.post("/people/role", { person: bob.id, role: "guest" });
    expect(answered.headers.get("location")).toBe("/people?done=roleSet");
    expect(await roleOf(bob)).toBe("guest");
    expect(await lines(bob.id)).toEqual([
      expect.objectContaining({
        action: "role-set",
        by: { id: ada.id, name: "Ada" },
        target: bob.id,
        outcome: "guest",
        details: { before: "member" },
      }),
    ]);
    const again = await admin.post("/people/role", { person: bob.id, role: "guest" });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining("is already a guest"),
    ]);
    for (const role of ["owner", "banned", ""])
      expect((await admin.post("/people/role", { person: bob.id, role })).status).toBe(409);
  });

  it("become admins, and are no longer, by owners alone", async () => {
    const ada = newPerson();
    const admin = await page.logIn("admin", ada);
    const bob = await known();
    const refused = await admin.post("/people/role", { person: bob.id, role: "admin" });
    expect(await refused.text()).toContain("Only owners can add or remove admins.");
    expect(await admin.text(`/people?q=${bob.id}`)).not.toContain('<option value="admin"');
    const olga = await owner();
    await olga.post("/people/role", { person: bob.id, role: "admin" });
    expect(await roleOf(bob)).toBe("admin");
    expect(rowOf(await admin.text("/people"), bob.id)).not.toContain("<form");
    for (const action of ["role", "ban"])
      expect(
        (await admin.post(`/people/${action}`, { person: bob.id, role: "guest" })).status,
      ).toBe(409);
    expect(await roleOf(bob)).toBe("admin");
    await olga.post("/people/role", { person: bob.id, role: "member" });
    expect(await roleOf(bob)).toBe("member");
    // The admin's own attempts are in the log.
    expect((await lines(ada.id)).map(({ action }) => action)).toContain("attempt-denied");
  });

  it("are blocked by a second step, with a reason, and unblocked", async () => {
    const admin = await page.logIn();
    const bob = await known({ name: "Bob" });
    const shown = rowOf(await admin.text("/people?q=bob"), "Bob");
    expect(shown).toMatch(/<details[^>]*>\s*<summary[^>]*>Block…[^]*name="reason"/);
    await admin.post("/people/ban", { person: bob.id, reason: "spam" });
    expect(await roleOf(bob)).toBe("banned");
    expect(await lines(bob.id)).toEqual([
      expect.objectContaining({ outcome: "banned", details: { before: "member", reason: "spam" } }),
    ]);
    expect((await admin.post("/people/unban", { person: bob.id })).status).toBe(303);
    expect(await roleOf(bob)).toBe("member");
    const again = await admin.post("/people/unban", { person: bob.id });
    expect(await again.text()).toContain("isn&#39;t blocked");
    expect((await admin.post("/people/ban", { person: "nobody at all" })).status).toBe(409);
  });
});

/** Bob asks to be let in, and adds the bot to a group. */
async function asking() {
  const ingress = openIngress(store, { mode: "pairing" });
  const bob = directPlace(newPerson({ name: "Bob", username: "bob" }));
  await ingress.say(bob, "hello");
  const [{ code } = { code: "" }] = await ingress.people.openPairings();
  const place = `telegram:chat:${groupPlace().address.chat}` as Place;
  const request = { id: "j1", place, title: "Team", bot: "telegram:77", person: bob.person };
  await ingress.people.keepPlaceRequest(request);
  await ingress.people.notePerson({ id: place, name: "Team" });
  return { ingress, bob, code, place };
}

/** The page in a deployment that lets no stranger in. */
function closed(ingress: ReturnType<typeof openIngress>) {
  Object.assign(page.ingress.deps, { access: ingress.access, pairing: ingress.deps.pairing });
}

describe("requests on the page", () => {
  it("are decided as by /allow and the card's buttons; the first decision counts", async () => {
    const ada = newPerson({ name: "Ada" });
    const [admin, other] = [await page.logIn("admin", ada), await page.logIn()];
    const { ingress, bob, code, place } = await asking();
    closed(ingress);
    const shown = await admin.text("/people");
    expect(shown).toContain("Bob (@bob, Telegram) would like to use this bot.");
    expect(shown).toContain("Let in &quot;Team&quot;?");
    // The line comes first, and the same click after a crash is the same decision.
    vi.spyOn(ingress.access, "setRole").mockRejectedValueOnce(new Error("killed"));
    expect((await admin.post("/people/decide", { code, allow: "1" })).status).toBe(500);
    expect(await lines(ada.id)).toEqual([
      expect.objectContaining({ action: "pairing-decided", outcome: "allowed" }),
    ]);
    const letIn = await admin.post("/people/decide", { code, allow: "1" });
    expect(letIn.headers.get("location")).toBe("/people?done=letIn");
    expect(await ingress.access.roleNow(bob.person)).toBe("member");
    expect((await ingress.told(bob.chat)).at(-1)).toBe("You're in! Ask me anything.");
    const late = await other.post("/people/decide", { code });
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining("someone has already decided"),
    ]);
    expect(await ingress.access.roleNow(bob.person)).toBe("member");

    const allowed = await admin.post("/people/place", { id: "j1", place, allow: "1" });
    expect(allowed.headers.get("location")).toBe("/people?done=letIn");
    expect(await ingress.access.ruleOf(place)).toBe("allow");
    await ingress.people.notePerson(ada);
    const quiet = await other.post("/people/place", { id: "j1", place });
    expect([quiet.status, await quiet.text()]).toEqual([
      409,
      expect.stringContaining("This is already decided. Ada let &quot;Team&quot; in."),
    ]);
    expect(await ingress.access.ruleOf(place)).toBe("allow");
    expect(await admin.text("/people")).toContain("No one is waiting for a decision.");
    expect((await lines(ada.id)).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "role-set allow",
      "pairing-decided allowed",
    ]);
  });

  it("are decided once: the same click, sent again later, undoes nothing", async () => {
    const ada = newPerson({ name: "Ada" });
    const admin = await page.logIn("admin", ada);
    const { ingress, bob, code, place } = await asking();
    closed(ingress);
    await ingress.people.notePerson(ada);
    const clicks = [
      ["decide", { code, allow: "1" }],
      ["place", { id: "j1", place, allow: "1" }],
    ] as const;
    for (const [action, fields] of clicks)
      expect((await admin.post(`/people/${action}`, fields)).status).toBe(303);
    await ingress.access.setRole(bob.person, "banned");
    await ingress.access.setRule(place, "ban");
    for (const [action, fields] of clicks) {
      const stale = await admin.post(`/people/${action}`, fields);
      expect([stale.status, await stale.text()]).toEqual([
        409,
        expect.stringContaining("already decided"),
      ]);
    }
    expect(await ingress.access.roleNow(bob.person)).toBe("banned");
    expect(await ingress.access.ruleOf(place)).toBe("ban");
    expect(await lines(ada.id)).toHaveLength(2);
  });

  it("are turned down, which blocks a person and makes the bot quiet in a group", async () => {
    const admin = await page.logIn();
    const { ingress, bob, code, place } = await asking();
    closed(ingress);
    await admin.post("/people/decide", { code });
    await admin.post("/people/place", { id: "j1", place });
    expect(await ingress.access.roleNow(bob.person)).toBe("banned");
    expect(await ingress.access.ruleOf(place)).toBe("ban");
    for (const fields of [{ code: "" }, { id: "j1", place: "nowhere" }])
      for (const action of ["decide", "place"])
        expect((await admin.post(`/people/${action}`, fields)).status).toBe(409);
  });
});

describe("places on the page", () => {
  it("have rules that are set and removed, as by /allow, /ban and /unban", async () => {
    const ada = newPerson();
    const admin = await page.logIn("admin", ada);
    expect(await admin.text("/people")).toContain("There are no rules for groups and servers.");
    const place = "discord:guild:5";
    await page.ingress.people.notePerson({ id: place, name: "Guild" });
    for (const [rule, shown] of [
      ["allow", "Everyone there has access"],
      ["ban", "The bot stays quiet"],
    ] as const) {
      expect((await admin.post("/people/rule", { place, rule })).status).toBe(303);
      expect(rowOf(await admin.text("/people"), "&quot;Guild&quot; (discord:guild:5)")).toContain(
        shown,
      );
    }
    expect((await admin.post("/people/rule", { place, rule: "" })).status).toBe(303);
    const again = await admin.post("/people/rule", { place, rule: "" });
    expect(await again.text()).toContain("There&#39;s no rule for");
    expect((await admin.post("/people/rule", { place: "here", rule: "ban" })).status).toBe(409);
    expect((await lines(ada.id)).map(({ outcome }) => outcome)).toEqual(["none", "ban", "allow"]);
  });
});

it("changes nothing for those who aren't admins, and when it is read", async () => {
  const person = newPerson();
  const admin = await page.logIn("admin", person);
  const bob = await known({ name: "Bob" });
  await admin.get("/people");
  const before = await dump(store.redis);
  for (const path of ["/people", "/people?q=bob", "/people?from=7.0"]) await admin.get(path);
  expect(await dump(store.redis)).toEqual(before);
  await page.services.access.setRole(person, "member");
  for (const browser of [admin, page.stranger()]) {
    await browser.post("/people/ban", { person: bob.id });
    await browser.post("/people/role", { person: person.id, role: "admin" });
    await browser.post("/people/rule", { place: "discord:guild:1", rule: "allow" });
  }
  expect(await roleOf(bob)).toBe("member");
  expect(await roleOf(person)).toBe("member");
  const all = { cursor: "0", count: 10 };
  expect(await page.ingress.people.somePlaces(all)).toEqual({ found: [], next: "0" });
});

it("keeps names and titles as text", async () => {
  const admin = await page.logIn();
  const { people } = page.ingress;
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (name, username) => {
      const person = { id: "telegram:5", name, username };
      await people.notePerson(person);
      await people.setRole(person, "member");
      await people.notePerson({ id: "discord:guild:5", name });
      await people.setRule("discord:guild:5" as Place, "allow");
      const place = "telegram:chat:-5" as Place;
      await people.keepPlaceRequest({ id: name, place, title: name, bot: "telegram:77", person });
      for (const path of ["/people", `/people?q=${encodeURIComponent(name)}`]) {
        const shown = await admin.text(path);
        expect(strangeMarkup(shown)).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
});
