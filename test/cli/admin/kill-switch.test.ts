import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import pino from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { AdminContext } from "../../../src/cli/admin/admin-command.ts";
import { pauseCommand, resumeCommand } from "../../../src/cli/admin/pause.ts";
import { runAdmin } from "../../../src/cli/admin/run-admin.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { createAudit } from "../../../src/store/operations/audit.ts";
import { configKey } from "../../../src/store/keys.ts";
import { createPauses } from "../../../src/store/operations/pauses.ts";
import { storeOn } from "../../store/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const pauses = createPauses(store, { knownAfterMs: 0 });
const audit = createAudit(store, {
  retentionMs: undefined,
  redact: (text) => text,
  log: pino({ level: "silent" }),
});

beforeEach(() => redis.flushdb());

/** Runs the command in this process. */
async function admin(...given: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "parley-admin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { REDIS_URL: server.url, PARLEY_DATA: folder };
  const output = new PassThrough();
  let out = "";
  output.setEncoding("utf8").on("data", (text: string) => (out += text));
  const lines: string[] = [];
  const isDone = await runAdmin({
    arguments: given,
    settings: loadSettings({ environment, workingFolder: folder }),
    environment: {},
    workingFolder: folder,
    output,
    say: (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  return { isDone, out, said: lines.join("\n") };
}

const fail = (): Promise<never> => Promise.reject(new Error("killed"));

describe("npm run admin -- pause and resume", () => {
  it("turn the kill switch, and write down that it was turned from the shell", async () => {
    expect(await admin("pause", "discord", "--now")).toMatchObject({
      isDone: true,
      out: expect.stringMatching(
        /^paused: discord, since \d{4}-\d\d-\d\d \d\d:\d\d UTC, what ran is stopped\n$/,
      ),
    });
    expect(await pauses.read()).toMatchObject({ discord: { isNow: true } });
    expect((await admin("pause")).out.split("\n")).toHaveLength(3);
    expect(await admin("resume")).toMatchObject({
      isDone: true,
      out: "Nothing is paused.\n",
    });
    expect(await admin("resume", "telegram")).toMatchObject({ isDone: false });
    const { records } = await audit.newest({}, 10);
    expect(records.map(({ action, target, details, by }) => [action, target, details, by])).toEqual(
      [
        ["resumed", "all", { from: "shell" }, undefined],
        ["paused", "all", { from: "shell" }, undefined],
        ["paused", "discord", { from: "shell", now: "yes" }, undefined],
      ],
    );
  });

  it("write their line first", async () => {
    await pauses.pause("discord", { isNow: false });
    const services = { audit, pauses: { ...pauses, pause: fail, resume: fail } };
    const context = { services } as unknown as AdminContext;
    for (const [command, action] of [
      [pauseCommand, "paused"],
      [resumeCommand, "resumed"],
    ] as const) {
      await expect(command.run(context, ["discord"])).rejects.toThrow("killed");
      const { records } = await audit.newest({ action }, 10);
      expect(records).toMatchObject([{ target: "discord", details: { from: "shell" } }]);
    }
    await expect(resumeCommand.run(context, ["telegram"])).rejects.toThrow("killed");
    expect((await audit.newest({ action: "resumed" }, 10)).records).toHaveLength(1);
  });

  it.each([
    ["pause", "everything"],
    ["resume", "all", "now"],
    ["pause", "--hard"],
  ])("refuse %s %s", async (...given) => {
    await expect(admin(...given)).rejects.toThrow(/npm run admin -- /);
    expect(await pauses.read()).toEqual({});
  });
});

describe("npm run admin -- audit", () => {
  it("shows everything, oldest first, for people and for programs", async () => {
    expect(await admin("audit")).toMatchObject({
      isDone: true,
      out: "",
      said: "Nothing stands in the audit log for that time.",
    });
    await audit.write("e1", {
      action: "role-set",
      by: { id: "telegram:1", name: "Olga" },
      chat: "telegram:77:1",
      target: "telegram:2",
      details: { before: "member", now: "admin" },
    });
    await audit.write("e2", {
      action: "tool-executed",
      by: { id: "telegram:2", name: "Two\nlines" },
      target: "files.write",
      outcome: "done",
    });
    const { out } = await admin("audit");
    expect(out).toMatch(
      /^\S+ \S+ UTC {2}Olga \(telegram:1\) {2}role-set {2}Two lines \(telegram:2\) {2}before=member {2}now=admin {2}\[telegram:77:1\]\n\S+ \S+ UTC {2}Two lines \(telegram:2\) {2}tool-executed {2}files\.write {2}→ done\n$/,
    );
    const json = (await admin("audit", "--jsonl")).out.trim().split("\n");
    expect(json.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { action: "role-set", by: { id: "telegram:1", name: "Olga" } },
      { action: "tool-executed", outcome: "done" },
    ]);
  });

  it("shows what happened since a time", async () => {
    const hourAgo = Date.now() - 3_600_000;
    await redis.xadd(
      configKey("audit-log"),
      `${hourAgo}-0`,
      "line",
      JSON.stringify({ v: 1, action: "paused", target: "long ago" }),
    );
    await audit.write("e1", { action: "resumed", target: "just now" });
    expect((await admin("audit", "--since", "30m")).out).not.toContain("ago");
    expect((await admin("audit", "--since", "2h")).out).toContain("long ago");
    await expect(admin("audit", "--since", "yesterday")).rejects.toThrow(
      /--since: "yesterday" is no time: expected/,
    );
    await expect(admin("audit", "all")).rejects.toThrow(/not expected/);
  });
});
