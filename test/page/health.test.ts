import { beforeEach, describe, expect, it } from "vitest";
import { createExamined } from "../../src/store/operations/examined.ts";
import { createOutages } from "../../src/store/operations/outages.ts";
import { createProcesses } from "../../src/store/operations/processes.ts";
import { ownVersion } from "../../src/util/version.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace } from "../ingress/open-ingress.ts";
import { openPage } from "./open-page.ts";
import { linesOf, rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());

beforeEach(async () => {
  await store.redis.flushdb();
  await store.clock.read();
});

const factOf = (text: string, name: string): string | undefined => {
  const lines = linesOf(text);
  return lines[lines.indexOf(name) + 1];
};

describe("the view Health", () => {
  it("shows the processes, how busy they are, and that their versions differ", async () => {
    const page = await openPage(store);
    const processes = createProcesses(store);
    const sinceMs = Date.UTC(2026, 10, 20, 8, 15);
    const entry = { version: ownVersion(), host: "one", pid: 7, clockAheadMs: 0 };
    const load = { lagP99Ms: 12.34, busy: 0.256, memoryBytes: 98_760_000 };
    await processes.note("a", { ...entry, role: "bots", sinceMs, ...load });
    const admin = await page.logIn();
    expect(await admin.text("/health")).not.toContain("Several versions");
    await processes.note("b", { ...entry, role: "worker", host: "two", version: "0.9.0" });
    const text = await admin.text("/health");
    expect(rowsOf(text, "Processes").map((row) => row.slice(0, 7))).toEqual([
      ["one (7)", "bots", ownVersion(), "2026-11-20 08:15 UTC", "12.3 ms", "26%", "98.8 MB"],
      // An earlier version says less.
      ["two (7)", "worker", "0.9.0", "unknown", "unknown", "unknown", "unknown"],
    ]);
    expect(text).toMatch(/Several versions are running: [^<]*0\.9\.0/);
    expect(text).toContain('<strong class="differs">0.9.0</strong>');
  });

  it("shows a platform that doesn't serve a bot, since when, and what to do", async () => {
    const page = await openPage(store);
    const outages = createOutages(store);
    await outages.note("platform:discord:5", { model: "discord:5", kind: "auth", unanswered: 0 });
    const text = await (await page.logIn()).text("/health");
    expect(text).toMatch(
      /cut off from Discord since 20.* \(bot discord:5\)[^<]*DISCORD_TOKEN[^<]*Reset Token/,
    );
  });

  it("says when no process reports", async () => {
    const page = await openPage(store);
    const text = await (await page.logIn()).text("/health");
    expect(text).toContain("No process has reported in the last three minutes.");
  });

  it("shows Redis, what waits, and the bots", async () => {
    const page = await openPage(store);
    await page.services.connectedBots.note(["telegram:77", "discord:5"]);
    await page.ingress.say(directPlace(), "hello");
    const text = await (await page.logIn()).text("/health");
    expect(factOf(text, "Connected bots")).toBe("discord:5, telegram:77");
    expect(factOf(text, "Chats waiting for an answer")).toBe("2");
    expect(factOf(text, "Failed deliveries")).toBe("7");
    // The message says that it was written at the epoch's first millisecond.
    expect(factOf(text, "Waiting longest")).toMatch(/days$/);
    expect(factOf(text, "Version")).toMatch(/^\d+\.\d+\.\d+$/);
    expect(factOf(text, "Round trip")).toMatch(/^[\d.]+ ms$/);
  });

  it("shows a pause", async () => {
    const page = await openPage(store);
    const sinceMs = Date.UTC(2026, 10, 20);
    const figures = await page.ingress.deps.figures();
    const pauses = { telegram: { sinceMs, isNow: false } };
    Object.assign(page.ingress.deps, { figures: () => Promise.resolve({ ...figures, pauses }) });
    const text = await (await page.logIn()).text("/health");
    expect(text).toContain("Paused in Telegram since 2026-11-20 00:00 UTC.");
  });

  it("examines for an owner who asks for it, and shows the worst first", async () => {
    const page = await openPage(store);
    const owner = await page.logIn("owner");
    expect(await owner.text("/health")).toContain("Nothing was examined in the last week.");
    const answer = await owner.post("/health/examine", {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/health?done=examined"]);
    const lines = linesOf(await owner.text("/health?done=examined"));
    expect(lines).toContain("Examined.");
    const from = lines.findIndex((line) => line.startsWith("Broken"));
    expect(lines.slice(from, from + 4)).toEqual([
      "Broken Ollama doesn't have b. People get an apology in place of an answer. Fix: Run: ollama pull b",
      expect.stringMatching(
        /^Warning No backup has been recorded yet\. Conversations, .* Fix: Back up Redis/,
      ),
      expect.stringMatching(/^Note Privacy mode is on: .* Fix: @BotFather: /),
      "Fine Redis answers (version 7.2.0).",
    ]);
  });

  it("shows what was found in the language of the owner who looks, not of the one who examined", async () => {
    const page = await openPage(store);
    const owner = await page.logIn("owner");
    await owner.post("/health/examine", {});
    await page.services.access.setLanguage(owner.person, "de");
    await expect
      .poll(async () => linesOf(await owner.text("/health")), { timeout: 20_000 })
      .toContain(
        "Defekt Ollama hat b nicht. Statt einer Antwort kommt nur eine Entschuldigung. Abhilfe: Führe das aus: ollama pull b",
      );
  });

  it("shows in English what was stored without the owner's language", async () => {
    const page = await openPage(store);
    const owner = await page.logIn("owner");
    const found = { id: "one", status: "broken", what: "It is broken." } as const;
    await createExamined(store).note({ en: [found] });
    await page.services.access.setLanguage(owner.person, "de");
    await expect
      .poll(async () => linesOf(await owner.text("/health")), { timeout: 20_000 })
      .toContain("Defekt It is broken.");
  });

  it("neither examines for an admin nor shows them what was found, or errors", async () => {
    const page = await openPage(store);
    let examined = 0;
    const { doctor } = page.ingress.deps;
    Object.assign(page.ingress.deps, { doctor: () => ((examined += 1), doctor()) });
    await (await page.logIn("owner")).post("/health/examine", {});
    await noteError(page, "abc234", "500: <b>secret</b>");
    const admin = await page.logIn();
    const answer = await admin.post("/health/examine", {});
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("Only owners can see this.");
    expect(examined).toBe(1);
    const text = await admin.text("/health");
    expect(text).not.toMatch(/Ollama doesn|abc234|secret/);
    expect(text.match(/Only owners can see this\./g)).toHaveLength(2);
  });

  it("shows an owner the errors of the last days, as text", async () => {
    const page = await openPage(store);
    const chat = await noteError(page, "abc234", "500: <script>alert(1)</script>");
    const text = await (await page.logIn("owner")).text("/health");
    expect(rowsOf(text, "Errors of the last 14 days")).toEqual([
      [
        "abc234",
        expect.stringMatching(/UTC$/),
        "overloaded",
        "a/b",
        expect.stringMatching(/^500: <script>alert\(1\)<\/script>Try again later/),
        chat,
      ],
    ]);
    expect(text).not.toContain("<script>");
  });
});

async function noteError(
  page: Awaited<ReturnType<typeof openPage>>,
  id: string,
  cause: string,
): Promise<string> {
  const { chat } = directPlace();
  const atMs = store.clock.now();
  await page.services.errors.note({
    v: 1,
    id,
    atMs,
    kind: "overloaded",
    chat,
    turn: 1,
    model: "a/b",
    cause,
  });
  return chat;
}
