/**
 * Twelve mistakes that people make, each planted in real processes: doctor or the bot names it, with
 * its fix. A repaired deployment beside them shows that doctor doesn't cry wolf.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { TelegramServer } from "../emulators/telegram/telegram-server.ts";
import { ParleyProcess, type ParleyOptions } from "../support/parley/parley-process.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { pathWithRedis } from "../support/parley/redis-on-path.ts";
import { openClient } from "../support/redis/test-client.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

vi.setConfig({ testTimeout: 2 * timeoutMs, hookTimeout: 2 * timeoutMs });

const redis = await testDatabase({ appendOnly: "always" });
const PATH = await pathWithRedis();
const client = openClient(redis.url);
beforeEach(() => client.flushdb());
const parts = new AsyncDisposableStack();
const ollama = parts.use(await OllamaServer.start({ model: ScriptedModel.textDriven() }));
afterAll(async () => {
  client.disconnect();
  await parts.disposeAsync();
});

const clockFile = new URL("../support/parley/skewed-clock.ts", import.meta.url).href;

async function telegramServer(options = {}): Promise<TelegramServer> {
  const server = await TelegramServer.start(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A Telegram bot with an owner, a model that answers, and the Redis of this file. */
const healthy = (telegram: TelegramServer): Record<string, string> => ({
  REDIS_URL: redis.url,
  TELEGRAM_BOT_TOKEN: telegram.token,
  TELEGRAM_API_ROOT: telegram.apiRoot,
  OLLAMA_HOST: ollama.baseUrl,
  OLLAMA_MODEL: "qwen3",
  PARLEY_ADMINS: "telegram:1",
});

function start(options: ParleyOptions): ParleyProcess {
  const parley = new ParleyProcess({ mayFail: true, ...options });
  onTestFinished(() => parley[Symbol.asyncDispose]());
  return parley;
}

const reportSchema = z.object({
  version: z.string(),
  status: z.string(),
  findings: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      what: z.string(),
      why: z.string().optional(),
      fix: z.string().optional(),
      fixed: z.string().optional(),
    }),
  ),
});
type Report = z.infer<typeof reportSchema>;

/** Runs doctor to its end; its exit code fits the worst of its findings. */
async function doctor(options: ParleyOptions, ...given: readonly string[]): Promise<Report> {
  const process = start({ ...options, arguments: ["doctor", "--json", ...given] });
  const { code } = await process.exited;
  expect(process.stderr).toBe("");
  const report = reportSchema.parse(JSON.parse(process.stdout));
  const codes: Readonly<Record<string, number>> = { ok: 0, note: 0, warning: 1, broken: 2 };
  expect(code).toBe(codes[report.status]);
  for (const secret of [options.environment?.["TELEGRAM_BOT_TOKEN"], "planted-secret"])
    if (secret !== undefined) expect(process.stdout).not.toContain(secret);
  return report;
}

const withId = (report: Report, id: string) => report.findings.find((each) => each.id === id);

const bad = (report: Report): readonly string[] =>
  report.findings
    .filter(({ status }) => status === "warning" || status === "broken")
    .map(({ id }) => id);

describe("doctor", () => {
  it("finds nothing wrong with a deployment that runs, and leaves its polling alone", async () => {
    const telegram = await telegramServer();
    const environment = healthy(telegram);
    await start({ environment }).ready();
    await telegram.waitFor(() => telegram.isPolled, { timeoutMs });
    const report = await doctor({ environment });
    expect(bad(report)).toEqual([]);
    expect(withId(report, "processes.running")?.what).toMatch(/^Parley \S+ runs: all /);
    expect(withId(report, "model.ollama/qwen3")?.what).toContain("tools");
    expect(withId(report, "telegram.webhook")?.what).toContain("Parley polls");
    // A second poller would have ended the first one's request.
    const conflicts = telegram
      .callsOf("getUpdates")
      .filter(({ response }) => response?.ok === false);
    expect(conflicts).toEqual([]);
  });

  it("fixes the rights of files, the menu and a forgotten webhook, when it is told to", async () => {
    const telegram = await telegramServer();
    const folder = mkdtempSync(join(tmpdir(), "parley-doctor-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dataFolder = join(folder, "data");
    mkdirSync(dataFolder, { mode: 0o777 });
    chmodSync(dataFolder, 0o777);
    await fetch(`${telegram.apiRoot}/bot${telegram.token}/setWebhook?url=http://127.0.0.1:1/old`);
    const options = { environment: healthy(telegram), dataFolder };
    const before = await doctor(options);
    expect(bad(before)).toEqual(expect.arrayContaining(["files.data", "telegram.webhook"]));
    // Only looking changes nothing.
    expect(telegram.callsOf("deleteWebhook")).toEqual([]);
    const fixing = await doctor(options, "--fix");
    expect(fixing.findings.flatMap(({ fixed }) => fixed ?? [])).toEqual([
      `chmod 700 ${dataFolder}`,
      "deleted the webhook",
      "registered the commands",
    ]);
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
    expect(bad(await doctor(options))).toEqual([]);
    expect(telegram.commands()?.length).toBeGreaterThan(10);
  });
});

describe("a planted mistake is named with its fix:", () => {
  it("a wrong token", async () => {
    const telegram = await telegramServer();
    const environment = {
      ...healthy(telegram),
      TELEGRAM_BOT_TOKEN: `${telegram.token.slice(0, -1)}${telegram.token.endsWith("x") ? "y" : "x"}`,
    };
    const found = withId(await doctor({ environment }), "telegram.token");
    expect(found).toMatchObject({ status: "broken" });
    expect(found?.what).toContain("doesn't accept TELEGRAM_BOT_TOKEN");
    expect(found?.fix).toContain("@BotFather");
    const bot = start({ environment });
    expect((await bot.exited).code).toBe(2);
    expect(bot.stderr).toContain("copy it again from @BotFather");
  });

  it("a wrong model name, to the owner in the private chat, once", async () => {
    const telegram = await telegramServer();
    const ann = telegram.person({ firstName: "Ann" });
    const chat = telegram.privateChat(ann);
    const environment = {
      ...healthy(telegram),
      PARLEY_ADMINS: `telegram:${ann.id}`,
      OLLAMA_MODEL: "qwen-33",
    };
    const found = withId(await doctor({ environment }), "model.ollama/qwen-33");
    expect(found).toMatchObject({ status: "broken", fix: "Run: ollama pull qwen-33" });
    // She has written to the bot once, so that she can be reached.
    const first = await start({ environment: { ...environment, OLLAMA_MODEL: "qwen3" } }).ready();
    ann.send(chat, "/whoami");
    await telegram.waitForMessage(chat, "telegram:", { timeoutMs });
    await first.kill("SIGTERM");
    const bot = await start({ environment }).ready();
    await bot.waitFor(() => /ollama pull qwen-33/.test(bot.stderr), "the fix on the screen");
    await telegram.waitForMessage(chat, "Run: ollama pull qwen-33", { timeoutMs });
    await bot.kill("SIGTERM");
    const again = await start({ environment }).ready();
    await again.waitFor(() => /ollama pull qwen-33/.test(again.stderr), "the fix on the screen");
    ann.send(chat, "/whoami");
    await telegram.waitFor(
      (server) =>
        server.botMessages(chat).filter(({ text }) => text.includes("telegram:")).length === 2,
      { timeoutMs },
    );
    const notices = telegram.botMessages(chat).filter(({ text }) => text.includes("ollama pull"));
    expect(notices).toHaveLength(1);
  });

  it("a model server that is down", async () => {
    const telegram = await telegramServer();
    const environment = { ...healthy(telegram), OLLAMA_HOST: "http://127.0.0.1:1" };
    const found = withId(await doctor({ environment }), "model.ollama/qwen3");
    expect(found).toMatchObject({ status: "broken" });
    expect(found?.fix).toContain("ollama serve");
    const bot = await start({ environment }).ready();
    await bot.waitFor(() => /ollama serve/.test(bot.stderr), "the fix on the screen");
  });

  it("a Redis that is down, on the screen before anything else", async () => {
    const telegram = await telegramServer();
    const environment = { ...healthy(telegram), REDIS_URL: "redis://127.0.0.1:1" };
    const found = withId(await doctor({ environment }), "redis.reach");
    expect(found).toMatchObject({ status: "broken" });
    expect(found?.what).toContain("nothing is listening there; start Redis");
    expect(found?.fix).toContain("REDIS_URL");
    const bot = start({ environment });
    await bot.waitFor(() => /start Redis or check REDIS_URL/.test(bot.stderr), "the fix");
    expect(telegram.calls.length).toBeGreaterThan(0);
  });

  it("a Redis that never answers, on the screen before it is given up", async () => {
    const silent = createTcpServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    const bot = start({ environment: { REDIS_URL: url }, input: "pipe" });
    await bot.waitFor(() => bot.stderr.includes(`Connecting to Redis at ${url} …`), "the address");
    await bot.waitFor(() => bot.stderr.includes("it doesn't answer in time"), "the reason");
    expect(bot.stdout).toBe("");
  });

  it("privacy mode, in a group that wants every message", async () => {
    const telegram = await telegramServer({ privacyMode: true });
    const environment = healthy(telegram);
    expect(withId(await doctor({ environment }), "telegram.privacy")?.status).toBe("note");
    const ann = telegram.person({ firstName: "Ann" });
    const members = [ann];
    const [team, led] = ["Team", "Led by the bot"].map((title) =>
      telegram.group({ title, kind: "supergroup", members, admins: members }),
    );
    if (team === undefined || led === undefined) throw new Error("expected two groups");
    led.setBotStatus("administrator", ann);
    const admins = { ...environment, PARLEY_ADMINS: `telegram:${ann.id}` };
    const bot = await start({ environment: admins }).ready();
    for (const group of [team, led]) {
      ann.send(group, "/activation always");
      await telegram.waitForMessage(group, "every message", { timeoutMs });
    }
    const found = withId(await doctor({ environment }), "telegram.privacy");
    expect(found).toMatchObject({
      status: "warning",
      what: 'Privacy mode is on, but /activation always is set in "Team".',
    });
    expect(found?.fix).toContain("/setprivacy");
    await bot.kill("SIGTERM");
    const open = await telegramServer({ privacyMode: false });
    expect(withId(await doctor({ environment: healthy(open) }), "telegram.privacy")?.status).toBe(
      "ok",
    );
  });

  it("a group that is not allowed", async () => {
    const telegram = await telegramServer();
    const environment = healthy(telegram);
    await start({ environment }).ready();
    const mia = telegram.person({ firstName: "Mia" });
    const group = telegram.group({ title: "Team", kind: "supergroup", members: [mia] });
    mia.send(group, `@${telegram.bot.username} hello`);
    await telegram.waitForMessage(group, "/allow here", { timeoutMs });
    const found = withId(await doctor({ environment }), "people.group");
    expect(found?.what).toContain(String(group.id));
    expect(found?.fix).toContain(`telegram:chat:${group.id}`);
  });

  it("no owner", async () => {
    const telegram = await telegramServer();
    const environment = { ...healthy(telegram), PARLEY_ADMINS: "" };
    const found = withId(await doctor({ environment }), "people.owner");
    expect(found).toMatchObject({ status: "warning" });
    expect(found?.fix).toContain("/start CODE");
    const bot = await start({ environment }).ready();
    expect(bot.stderr).toMatch(/\/start \w+/);
  });

  it("a second instance", async () => {
    const telegram = await telegramServer();
    const environment = healthy(telegram);
    const other = new AbortController();
    onTestFinished(() => other.abort());
    // Polls as another program with the same token does.
    void (async () => {
      while (!other.signal.aborted)
        await fetch(`${telegram.apiRoot}/bot${telegram.token}/getUpdates?timeout=1`, {
          signal: other.signal,
        }).then(
          (response) => response.arrayBuffer(),
          () => undefined,
        );
    })();
    const found = withId(await doctor({ environment }), "telegram.poller");
    expect(found).toMatchObject({ status: "broken" });
    expect(found?.fix).toContain("Stop the other program");
    const first = start({
      environment: { PATH },
      input: "pipe",
    });
    first.type("/whoami");
    await first.waitForText("console:local");
    const { dataFolder } = first;
    const second = start({ dataFolder, input: "pipe" });
    expect((await second.exited).code).toBe(2);
    expect(second.stderr).toContain(
      "End that one, or give this one another folder with PARLEY_DATA",
    );
    // Doctor itself gets along with the first one.
    expect(withId(await doctor({ dataFolder }), "redis.version")?.status).toBe("ok");
  });

  it("a clock that is off", async () => {
    const telegram = await telegramServer();
    const folder = mkdtempSync(join(tmpdir(), "parley-clock-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "clock");
    writeFileSync(file, String(15 * 60_000));
    const environment = healthy(telegram);
    const skewed = {
      ...environment,
      NODE_OPTIONS: `--import ${clockFile}`,
      TEST_CLOCK_FILE: file,
    };
    const here = withId(await doctor({ environment: skewed }), "clock.redis");
    expect(here?.what).toMatch(/(899|900|901) s ahead of/);
    expect(here?.fix).toContain("timedatectl set-ntp true");
    await start({ environment: skewed }).ready();
    const elsewhere = await doctor({ environment });
    expect(withId(elsewhere, "clock.redis")?.status).toBe("ok");
    expect(withId(elsewhere, "clock.process")?.what).toMatch(
      /process \d+\) is (899|900|901) s ahead/,
    );
  });

  it("a full disk", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-full-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], {
        stdio: "ignore",
      });
    } catch {
      rmSync(folder, { recursive: true });
      context.skip("mounting needs the rights of root");
    }
    onTestFinished(() => {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    });
    expect(() => writeFileSync(join(folder, "fill"), Buffer.alloc(100_000))).toThrow(/ENOSPC/);
    const telegram = await telegramServer();
    const report = await doctor({ environment: healthy(telegram), dataFolder: folder });
    const found = withId(report, "files.disk");
    expect(found).toMatchObject({ status: "broken" });
    expect(found?.what).toContain("ENOSPC");
    expect(found?.fix).toContain("df -h");
    expect(existsSync(join(folder, "fill"))).toBe(true);
  });

  it("a port in use", async () => {
    const server = createServer((_request, response) => response.end("another program"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const telegram = await telegramServer();
    const environment = { ...healthy(telegram), PARLEY_HTTP_PORT: String(port) };
    const found = withId(await doctor({ environment }), "http.port");
    expect(found).toMatchObject({ status: "broken" });
    expect(found?.fix).toContain("PARLEY_HTTP_PORT");
    const bot = start({ environment });
    expect((await bot.exited).code).toBe(2);
    expect(bot.stderr).toContain(`port ${port} of 127.0.0.1 is in use already`);
  });

  it("wrong settings, all at once", async () => {
    const environment = {
      DISCORD_BOT_TOKEN: "planted-secret",
      PARLEY_ROL: "worker",
      REDIS_URL: "localhost",
    };
    const config = "tiers: { fast: { models: [nobody/x] } }";
    const report = await doctor({ environment, config });
    const said = report.findings.map(({ what }) => what).join("\n");
    const bot = start({ environment, config });
    expect((await bot.exited).code).toBe(2);
    for (const text of [said, bot.stderr])
      for (const part of [
        "did you mean DISCORD_TOKEN?",
        "did you mean PARLEY_ROLE?",
        "REDIS_URL is",
        "nobody/x",
      ])
        expect(text).toContain(part);
    expect(bot.stderr).not.toContain("planted-secret");
  });
});
