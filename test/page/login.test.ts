import { describe, expect, it, vi } from "vitest";
import type { PageOptions } from "../../src/page/server.ts";
import { configKey } from "../../src/store/keys.ts";
import { directPlace, newPerson } from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { ask } from "./raw-request.ts";

const store = storeOn(await testDatabase());
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function open(options: Partial<PageOptions> = {}) {
  const page = await openPage(store, options);
  const person = newPerson();
  await page.services.access.setRole(person, "admin");
  const post = async (code: string, headers: Record<string, string> = {}) =>
    await ask(page.url, {
      method: "POST",
      path: "/in",
      headers: { origin: page.url, "user-agent": firefox, ...headers },
      fields: { code },
    });
  return { ...page, person, post };
}

const secretIn = (cookie = "") => /parley=([\w-]{43});/.exec(cookie)?.[1] ?? "";

describe("logging in", () => {
  it("takes a code once, and gives a cookie that no script and no other site can use", async () => {
    const { person, codeFor, post, url } = await open();
    const code = await codeFor(person);
    const answer = await post(code);
    expect([answer.status, answer.headers.location]).toEqual([303, "/"]);
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^parley=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const cookie = `parley=${secretIn(answer.headers["set-cookie"]?.[0])}`;
    expect((await ask(url, { path: "/", headers: { cookie } })).status).toBe(200);
    const again = await post(code);
    expect(again.status).toBe(403);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(again.text).toContain("This code was used already");
  });

  it("takes the whole link where it is pasted", async () => {
    const { person, codeFor, post, url } = await open();
    expect((await post(` ${url}/in#${await codeFor(person)} `)).status).toBe(303);
  });

  it("behind an https proxy gives a cookie for that host and https alone", async () => {
    const { person, codeFor, page } = await open({ url: "https://parley.example" });
    expect(page.url).toBe("https://parley.example");
    const { port } = page;
    const base = `http://127.0.0.1:${port}`;
    const headers = { host: "parley.example", origin: "https://parley.example" };
    const fields = { code: await codeFor(person) };
    const answer = await ask(base, { method: "POST", path: "/in", headers, fields });
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(
        /^__Host-parley=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    const secret = secretIn(answer.headers["set-cookie"]?.[0]);
    const get = async (cookie: string) =>
      (await ask(base, { path: "/", headers: { host: "parley.example", cookie } })).status;
    expect(await get(`__Host-parley=${secret}`)).toBe(200);
    // A neighbouring host can set the other name.
    expect(await get(`parley=${secret}`)).toBe(303);
  });

  it("is reported to the person in their chat, with a button that logs that browser out", async () => {
    const { ingress, person, codeFor, post, url } = await open();
    const answer = await post(await codeFor(person));
    const place = directPlace(person);
    const [notice] = await ingress.outbox(place.chat);
    if (notice?.kind !== "notice") throw new Error("no notice");
    expect(notice.text).toContain("logged in to the dashboard as you: Firefox (Linux), 20");
    const [button] = notice.buttons ?? [];
    expect(button?.label).toBe("That wasn't me");
    const cookie = `parley=${secretIn(answer.headers["set-cookie"]?.[0])}`;
    expect((await ask(url, { path: "/", headers: { cookie } })).status).toBe(200);
    await ingress.tap(place, button?.data ?? "");
    expect((await ask(url, { path: "/", headers: { cookie } })).status).toBe(303);
    expect((await ingress.told(place.chat)).at(-1)).toBe("Firefox (Linux) is logged out.");
  });

  it("is written down, and so is logging out", async () => {
    const { services, person, codeFor, post, url } = await open();
    const answer = await post(await codeFor(person));
    const cookie = `parley=${secretIn(answer.headers["set-cookie"]?.[0])}`;
    const out = await ask(url, {
      method: "POST",
      path: "/out",
      headers: { cookie, origin: url },
      fields: {},
    });
    expect([out.status, out.headers.location]).toEqual([303, "/in"]);
    expect((await ask(url, { path: "/", headers: { cookie } })).status).toBe(303);
    const { records } = await services.audit.newest({ personId: person.id }, 10);
    expect(records.map(({ action, target }) => [action, target])).toEqual([
      ["page-session-ended", "Firefox (Linux)"],
      ["page-login", "Firefox (Linux)"],
    ]);
  });

  it("ends the session that the browser had before", async () => {
    const { services, sessions, person, codeFor, post } = await open();
    const first = secretIn((await post(await codeFor(person))).headers["set-cookie"]?.[0]);
    await post(await codeFor(person), { cookie: `parley=${first}` });
    expect(await sessions.use(first)).toBeUndefined();
    expect(await sessions.list(person.id)).toHaveLength(1);
    const { records } = await services.audit.newest({ personId: person.id }, 10);
    const actions = records.map(({ action }) => action);
    expect(actions).toEqual(["page-session-ended", "page-login", "page-login"]);
  });

  it("is not for someone who is no admin any more", async () => {
    const { services, sessions, ingress, person, codeFor, post } = await open();
    const code = await codeFor(person);
    await services.access.setRole(person, "member");
    const answer = await post(code);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(await sessions.list(person.id)).toEqual([]);
    expect(await ingress.told(directPlace(person).chat)).toEqual([]);
  });

  it("goes on where the browser is logged in, and leaves no code in the address", async () => {
    const page = await open();
    const browser = await page.logIn();
    const answer = await browser.get("/in");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/#content"]);
  });

  it("shows a form that works without JavaScript", async () => {
    const page = await open();
    const text = await page.stranger().text("/in");
    expect(text).toContain('<form method="post" action="/in">');
    expect(text).toContain("The code is what follows # in the link.");
  });

  it("is refused after too many attempts, of one address or of all", async () => {
    const { post, person, codeFor } = await open({ maxAttempts: { perName: 3, total: 100 } });
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await post("x")).status);
    expect(statuses).toEqual([403, 403, 403, 429]);
    const code = await codeFor(person);
    const answer = await post(code, { "x-forwarded-for": "10.0.0.9" });
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "60"]);
    // Not used up.
    expect(await store.redis.smembers(configKey(`page-of:${person.id}`))).toHaveLength(1);
  });

  it("behind a proxy counts the addresses that it adds, and no others", async () => {
    const { page } = await open({
      url: "https://parley.example",
      maxAttempts: { perName: 1, total: 100 },
    });
    const attempt = async (forwarded: string) => {
      const headers = {
        host: "parley.example",
        origin: "https://parley.example",
        "x-forwarded-for": forwarded,
      };
      const given = { method: "POST", path: "/in", headers, fields: { code: "x" } };
      return (await ask(`http://127.0.0.1:${page.port}`, given)).status;
    };
    expect(await attempt("10.0.0.1")).toBe(403);
    expect(await attempt("10.0.0.2")).toBe(403);
    expect(await attempt("10.0.0.3, 10.0.0.1")).toBe(429);
  });
});

describe("a session", () => {
  it.each(["member", "banned"] as const)("ends when its person becomes %s", async (role) => {
    const page = await open();
    const browser = await page.logIn("admin");
    expect((await browser.get("/")).status).toBe(200);
    await page.services.access.setRole(browser.person, role);
    expect((await browser.get("/")).status).toBe(303);
    await page.services.access.setRole(browser.person, "admin");
    expect((await browser.get("/")).status).toBe(303);
    expect(await page.sessions.list(browser.person.id)).toEqual([]);
  });

  it("ends with /dashboard off", async () => {
    const page = await open();
    const browser = await page.logIn("admin");
    await page.ingress.access.setRole(browser.person, "admin");
    await page.ingress.command(directPlace(browser.person), "dashboard", { argument: "off" });
    expect((await browser.get("/")).status).toBe(303);
  });

  it("is in no log line, and neither is a code", async () => {
    const page = await open();
    const code = await page.codeFor(page.person);
    const answer = await page.post(code);
    const secret = secretIn(answer.headers["set-cookie"]?.[0]);
    await ask(page.url, { path: `/?q=${code}`, headers: { cookie: `parley=${secret}` } });
    await vi.waitFor(() => expect(page.lines.join("")).toContain("page listens"));
    const logged = page.lines.join("");
    for (const each of [code, secret]) expect(logged).not.toContain(each);
  });
});
