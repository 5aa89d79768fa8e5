import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PermanentError } from "../../src/core/errors.ts";
import { allViews } from "../../src/page/views/all-views.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { probeView } from "./probe-view.ts";
import { ask } from "./raw-request.ts";
import { watch } from "./watch.ts";

const store = storeOn(await testDatabase());

async function openProbe() {
  const { probe, view } = probeView();
  return { ...(await openPage(store, { views: [view] })), probe };
}

it("shows every view of the menu to an admin, and none to a stranger", async () => {
  const page = await openPage(store);
  const admin = await page.logIn();
  for (const { path, isInMenu } of allViews) {
    if (!isInMenu) continue;
    expect((await admin.get(path)).status, path).toBe(200);
    const refused = await page.stranger().get(path);
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/in"]);
  }
});

describe("every answer", () => {
  it.each(["/", "/in", "/nowhere", "/assets/page.css"])(
    "of %s allows nothing but the page's own files, and no framing",
    async (path) => {
      const page = await openProbe();
      const { headers } = await (await page.logIn()).get(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe(
        path.startsWith("/assets/") ? "no-cache" : "no-store",
      );
    },
  );

  it("has no inline style or script, and no address elsewhere", async () => {
    const page = await openPage(store);
    const admin = await page.logIn();
    for (const { path, isInMenu } of allViews) {
      if (!isInMenu) continue;
      const text = await admin.text(path);
      expect(text, path).not.toMatch(/<[^>]+\s(?:style|on\w+)=/i);
      expect(text, path).not.toMatch(/<style|<script(?![^>]* src="\/assets\/)/);
      expect(text, path).not.toMatch(/(?:src|href|action)="(?!\/|#)/);
    }
  });
});

describe("what is asked for", () => {
  it("is a file that the browser has already", async () => {
    const page = await openProbe();
    for (const name of ["page.css", "page.js", "icon.svg", "htmx.js"]) {
      const path = `/assets/${name}`;
      const first = await ask(page.url, { path });
      expect([first.status, first.text.length > 0], name).toEqual([200, true]);
      const headers = { "if-none-match": first.headers.etag ?? "" };
      expect((await ask(page.url, { path, headers })).status, name).toBe(304);
    }
  });

  it("isn't there", async () => {
    const page = await openProbe();
    const admin = await page.logIn();
    for (const path of ["/nowhere", "/?which=none", "/assets/../server.ts", "/assets/%2e%2e/x"])
      expect((await admin.get(path)).status, path).toBe(404);
    expect(await admin.text("/nowhere")).toContain("There&#39;s nothing here.");
  });

  it("comes by HEAD without its text", async () => {
    const page = await openProbe();
    const { secret } = await page.logIn();
    const headers = { cookie: `parley=${secret}` };
    const answer = await ask(page.url, { method: "HEAD", path: "/", headers });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });

  it("fails with an id that is in the log, and says nothing else", async () => {
    const page = await openProbe();
    const admin = await page.logIn();
    page.probe.problem = new Error("the reason");
    const answer = await admin.get("/?secret=hush");
    const text = await answer.text();
    const [, id = ""] = /error (\w{6})/.exec(text) ?? [];
    expect(answer.status).toBe(500);
    expect(text).not.toContain("the reason");
    const line = page.lines.find((each) => each.includes(id)) ?? "";
    expect(line).toContain("the reason");
    expect(line).not.toContain("hush");
  });

  it("is refused after 300 requests of a session within a minute", async () => {
    const page = await openProbe();
    const admin = await page.logIn();
    const other = await page.logIn();
    const headers = { cookie: `parley=${admin.secret}` };
    const answers = await Promise.all(
      Array.from({ length: 310 }, () => ask(page.url, { path: "/", headers })),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await other.get("/")).status).toBe(200);
  });
});

describe("a form", () => {
  it("is carried out, and leads on to where it says so", async () => {
    const page = await openProbe();
    const admin = await page.logIn();
    const answer = await admin.post("/act", { to: "/?q=1" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/?q=1&done=stopped"]);
    expect(await admin.text("/?q=1&done=stopped")).toMatch(/role="status">Stopped\./);
    expect(await admin.text("/?done=__proto__")).not.toContain('role="status"');
  });

  it.each(["//evil.example/x", "https://evil.example/x", "/\\evil.example", "/.//evil.example"])(
    "never leads to %s",
    async (to) => {
      const page = await openProbe();
      const answer = await (await page.logIn()).post("/act", { to });
      const location = answer.headers.get("location") ?? "";
      expect(new URL(location, page.url).origin).toBe(page.url);
    },
  );

  it("says above the view why it was not carried out", async () => {
    const page = await openProbe();
    const answer = await (await page.logIn()).post("/act", { problem: "Not <now>." });
    const text = await answer.text();
    expect(answer.status).toBe(409);
    expect(text).toContain("Not &lt;now&gt;.");
    // Its address isn't one that can be asked for again.
    expect(text).not.toContain("hx-sse:connect");
  });

  it("is small, and nothing but a form", async () => {
    const page = await openProbe();
    const { secret } = await page.logIn();
    const headers = { cookie: `parley=${secret}`, origin: page.url };
    const post = { method: "POST", path: "/act", headers };
    const large = await ask(page.url, { ...post, fields: { text: "x".repeat(300_000) } });
    expect(large.status).toBe(413);
    for (const type of ["application/json", "text/plain", "multipart/form-data"]) {
      const given = { ...post, headers: { ...headers, "content-type": type }, fields: { a: "1" } };
      expect((await ask(page.url, given)).status, type).toBe(415);
    }
    expect(page.probe.acted).toBe(0);
  });

  it("changes nothing when it is asked for by GET", async () => {
    const page = await openProbe();
    expect((await (await page.logIn()).get("/act")).status).toBe(404);
    expect(page.probe.acted).toBe(0);
  });
});

describe("a live view", () => {
  it("is the same address, as a stream of what has changed", async () => {
    const page = await openProbe();
    const { secret, text } = await page.logIn();
    expect(await text("/?q=a")).toContain('hx-sse:connect="/?q=a"');
    const { response, read } = await watch(page, secret, "/?q=a");
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await vi.waitFor(() => expect(read.text).toContain("data: <p>first admin a</p>"));
    page.probe.text = "<second>";
    await vi.waitFor(() => expect(read.text).toContain("&lt;second&gt; admin a"), 5_000);
    expect(read.text.split("first")).toHaveLength(2);
  });

  it("shows a link to reload it where there is no JavaScript", async () => {
    const page = await openProbe();
    const { text } = await page.logIn();
    expect(await text("/?q=a")).toMatch(
      /<noscript\s*><p><a href="\/\?q=a">Reload<\/a><\/p><\/noscript/,
    );
  });

  it.each([
    ["demoted", (page, { person }) => page.services.access.setRole(person, "member")],
    ["banned", (page, { person }) => page.services.access.setRole(person, "banned")],
    ["logged out", (page, { sessionId }) => page.sessions.end(sessionId)],
  ] satisfies [
    string,
    (
      page: Awaited<ReturnType<typeof openProbe>>,
      browser: Awaited<ReturnType<Awaited<ReturnType<typeof openProbe>>["logIn"]>>,
    ) => Promise<unknown>,
  ][])("ends when its person is %s", async (_, end) => {
    const page = await openProbe();
    const browser = await page.logIn();
    const { read } = await watch(page, browser.secret);
    await vi.waitFor(() => expect(read.text).toContain("first"));
    await end(page, browser);
    await vi.waitFor(() => expect(read.isOver).toBe(true), 5_000);
    expect(read.text).toContain("event: parley:ended");
    // Not even with the role back.
    await page.services.access.setRole(browser.person, "admin");
    expect((await browser.get("/")).status).toBe(303);
    // So htmx doesn't ask for a form again and again.
    expect((await watch(page, browser.secret)).response.status).toBe(401);
  });

  it("is no stream by HEAD, which would stay open for good", async () => {
    const page = await openProbe();
    const { secret } = await page.logIn();
    const headers = { cookie: `parley=${secret}`, accept: "text/event-stream" };
    for (let count = 0; count < 7; count += 1) {
      const answer = await ask(page.url, { method: "HEAD", path: "/", headers });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toMatch(/^text\/html/);
    }
    expect((await watch(page, secret)).response.status).toBe(200);
  });

  it("costs nothing when its browser is gone", async () => {
    const page = await openProbe();
    const { secret } = await page.logIn();
    const { response, read } = await watch(page, secret);
    await vi.waitFor(() => expect(read.text).toContain("first"));
    void response;
    await page.page[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(read.isOver).toBe(true));
  });
});

it("says which setting to change when its port is taken", async () => {
  const other = createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const opening = openPage(store, { port });
  await expect(opening).rejects.toThrow(PermanentError);
  await expect(opening).rejects.toThrow(`PARLEY_PAGE_PORT: port ${port} of 127.0.0.1 is in use`);
});

it("a session that its person lost with the role doesn't come back with it", async () => {
  const page = await openPage(store);
  const browser = await page.logIn();
  await page.services.access.setRole(browser.person, "member");
  await page.services.access.setRole(browser.person, "admin");
  expect((await browser.get("/")).status).toBe(303);
});
