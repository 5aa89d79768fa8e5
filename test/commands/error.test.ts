import { beforeEach, describe, expect, it } from "vitest";
import pino from "pino";
import { chatKey, type ChatKey } from "../../src/core/chat.ts";
import type { ErrorReport } from "../../src/core/error-report.ts";
import { configKey } from "../../src/store/keys.ts";
import { createErrorReports, eraseErrorsOf } from "../../src/store/operations/error-reports.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const owner = directPlace(newPerson());
const ingress = openIngress(store, { admins: [owner.person.id] });
const reports = createErrorReports(store, { log: pino({ level: "silent" }) });

beforeEach(() => store.redis.flushdb());

const chat = chatKey({ platform: "telegram", bot: "77", chat: "5" });
const report = (id: string, more: Partial<ErrorReport> = {}): ErrorReport => ({
  v: 1,
  id,
  atMs: Date.now(),
  kind: "network",
  chat,
  turn: 3,
  model: "ollama/qwen3",
  cause: "connect ECONNREFUSED 127.0.0.1:11434",
  ...more,
});
const ask = async (argument = "", at = owner) =>
  textOf(await ingress.command(at, "error", { argument }));

describe("/error", () => {
  it("shows what is known of an id, as it is quoted, and how to fix it", async () => {
    await reports.note(report("abc234"));
    const languages = ["(Fehler abc234)", "(erreur abc234)", "(ошибка abc234)", "（错误 abc234）"];
    const inEnglish = ["abc234", "ABC234", "(abc234)", "(error abc234)", "error abc234"];
    for (const typed of [...inEnglish, ...languages, "Désolé, réessaie. (erreur abc234)"]) {
      const said = await ask(typed);
      expect(said).toContain("Error abc234");
      expect(said).toContain("ollama/qwen3");
      expect(said).toContain("Cause: connect ECONNREFUSED 127.0.0.1:11434");
      expect(said).toContain("ollama serve");
      expect(said).toContain(`npm run trace -- ${chat}`);
    }
  });

  it.each([
    ["no-credit", "auth", "the account has no credit"],
    ["moderated", "refused", "moderation"],
    ["unknown-model", "invalid-request", "OPENAI_MODEL"],
    ["broken-call", "overloaded", "chat template"],
  ] as const)(
    "knows %s, which processes of the version before read as %s",
    async (kind, earlier, fix) => {
      await reports.note(report("abc234", { kind }));
      const stored = (await store.redis.lindex(configKey("errors"), 0)) ?? "";
      expect(JSON.parse(stored)).toMatchObject({ kind: earlier });
      expect(await ask("abc234")).toContain(fix);
      expect((await reports.list())[0]?.kind).toBe(kind);
    },
  );

  it("says how long the server still wants to be left alone, and no longer once that is over", async () => {
    const busy = { kind: "rate-limited", retryAfterMs: 3_600_000 } as const;
    await reports.note(report("abc234", busy));
    expect(await ask("abc234")).toContain("Try again in about 1 hour, or add a second model");
    await reports.note(report("def567", { ...busy, atMs: Date.now() - 3_600_000 }));
    expect(await ask("def567")).toContain("Try again in a minute, or add a second model");
  });

  it("lists the latest ones, the newest first", async () => {
    expect(await ask()).toMatch(/No errors/);
    for (let count = 1; count <= 12; count += 1) await reports.note(report(`error${count}`));
    const lines = (await ask()).split("\n").slice(1);
    expect(lines.map((line) => /error\d+/.exec(line)?.[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `error${12 - index}`),
    );
  });

  it("knows no other id, none of newer versions, and none that is too old", async () => {
    await reports.note(report("old234", { atMs: Date.now() - 15 * 86_400_000 }));
    await store.redis.lpush(configKey("errors"), JSON.stringify({ v: 2, id: "new234" }));
    for (const id of ["abc234", "aabc234", "old234", "new234", "erreur"])
      expect(await ask(id)).toMatch(new RegExp(`don't know an error "${id}"`));
  });

  it("is for owners, in private", async () => {
    const admin = directPlace(newPerson());
    await ingress.access.setRole(admin.person, "admin");
    expect(await ask("abc234", admin)).toMatch(/Only owners/);
    const inGroup = groupPlace(owner.person);
    await reports.note(report("abc234"));
    expect(await ask("abc234", inGroup)).not.toContain("ECONNREFUSED");
    expect((await ingress.told(owner.chat)).join()).toContain("ECONNREFUSED");
  });
});

describe("what is stored of errors", () => {
  it("is bounded, and ends", async () => {
    for (let count = 0; count < 210; count += 1) await reports.note(report(`error${count}`));
    const stored = await store.redis.lrange(configKey("errors"), 0, -1);
    expect(stored).toHaveLength(200);
    expect(stored[0]).toContain("error209");
    expect(await store.redis.pttl(configKey("errors"))).toBeGreaterThan(13 * 86_400_000);
  });

  it("goes with an erased chat, and stays of others", async () => {
    const other = chatKey({ platform: "telegram", bot: "77", chat: "6" });
    await reports.note(report("abc234"));
    await reports.note(report("def234", { chat: other }));
    await eraseErrorsOf(store, new Set<ChatKey>([chat]));
    expect((await reports.list()).map(({ id }) => id)).toEqual(["def234"]);
  });
});
