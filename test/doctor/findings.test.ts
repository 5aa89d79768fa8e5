import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { examineDiscord, inviteLink } from "../../src/bots/discord/examine.ts";
import { isWorse, worstOf, type Finding } from "../../src/core/finding.ts";
import { exitCodes, repair, runChecks } from "../../src/doctor/check.ts";
import {
  backupFinding,
  deploymentChecks,
  groupFindings,
  processFindings,
  workFindings,
} from "../../src/doctor/deployment.ts";
import { discordFindings } from "../../src/doctor/discord.ts";
import { nodeFinding } from "../../src/doctor/machine.ts";
import { maxCharacters } from "../../src/loop/tools/toolbox.ts";
import { modelFindings, offeredSchemas } from "../../src/doctor/models.ts";
import { redisFindings } from "../../src/doctor/redis.ts";
import { showFindings } from "../../src/doctor/show.ts";
import { telegramFindings } from "../../src/doctor/telegram.ts";
import { createBackupMark } from "../../src/store/operations/backup-mark.ts";
import { createProcesses } from "../../src/store/operations/processes.ts";
import { configKey } from "../../src/store/keys.ts";
import type { Services } from "../../src/services.ts";
import { readServerFacts, type ServerFacts } from "../../src/store/redis/server-facts.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import type { ChatName } from "../../src/store/people/chat-names.ts";
import { gaugesOf } from "../../src/roles/gauges.ts";
import { readOverdue } from "../../src/store/turns/overdue.ts";
import { listProcess } from "../../src/jobs/list-process.ts";
import { loadSettings } from "../../src/config/load.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { ModelCard } from "../../src/core/model.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { DiscordServer } from "../emulators/discord/discord-server.ts";
import { newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { inEnglish } from "./in-english.ts";

const store = storeOn(await testDatabase());

type Found = readonly Pick<Finding, "id" | "status">[];
const statuses = (findings: Found): Record<string, string> =>
  Object.fromEntries(findings.map(({ id, status }) => [id, status]));
const bad = (findings: Found): readonly string[] =>
  findings
    .filter(({ status }) => isWorse(status, "note"))
    .map(({ id, status }) => `${id} ${status}`);

describe("checks", () => {
  it("that hang or fail are findings, and hold up no others", async () => {
    const examined = await runChecks(
      [
        { id: "one", what: () => "One", withinMs: 20, run: () => new Promise(() => undefined) },
        { id: "two", what: () => "Two", run: () => Promise.reject(new Error("no")) },
        { id: "three", what: () => "Three", run: () => Promise.resolve([nodeFinding("v24.1.0")]) },
      ],
      new AbortController().signal,
    );
    const found = inEnglish(examined);
    expect(found.map(({ what }) => what)).toEqual([
      "One: no answer within 0.02 s.",
      "Two couldn't be examined: no",
      expect.stringMatching(/^Node v24\.1\.0, Parley \d/),
    ]);
    for (const { status, why, fix } of found.filter((each) => each.status === "broken"))
      expect([status, why, fix]).toEqual(["broken", expect.any(String), expect.any(String)]);
    expect(exitCodes[worstOf(found)]).toBe(2);
  });

  it("are repaired one after the other; a repair that fails says so", async () => {
    const broken = { id: "a.b", status: "warning", what: "It's open." } as const;
    const open = { ...broken, say: () => ({ what: broken.what }) };
    const found = [
      { ...open, repair: { did: "closed it", run: () => Promise.resolve() } },
      { ...open, repair: { did: "closed it", run: () => Promise.reject(new Error("denied")) } },
    ];
    expect(await repair(found, localeFor())).toEqual([
      { ...broken, status: "ok", fixed: "closed it" },
      { ...broken, what: "It's open. --fix failed: denied" },
    ]);
    expect(inEnglish(found)).toEqual([broken, broken]);
  });

  it("are shown with the worst first, and reasons where something is to be done", () => {
    const text = showFindings([
      { id: "a.a", status: "ok", what: "Good.", why: "hidden" },
      { id: "a.b", status: "broken", what: "Bad.", why: "It hurts.", fix: "stop" },
      { id: "a.c", status: "ok", what: "Open.", fixed: "closed it" },
    ]);
    expect(text).toBe(
      "✗ Bad.\n    why    It hurts.\n    fix    stop\n✓ Good.\n✓ Open.\n    fixed  closed it\n\n1 broken, 2 fine",
    );
  });
});

describe("Redis", () => {
  it("is read as it is", async () => {
    const [facts] = await readServerFacts(store.redis);
    expect(facts).toMatchObject({
      isReplica: false,
      evictionPolicy: "noeviction",
      cannotWrite: false,
    });
    expect(Math.abs(facts?.clockAheadMs ?? Infinity)).toBeLessThan(5_000);
  });

  it.each<[Partial<ServerFacts>, string]>([
    [{ version: "6.0.16" }, "redis.version broken"],
    [{ isReplica: true }, "redis.role broken"],
    [{ evictionPolicy: "allkeys-lru" }, "redis.eviction broken"],
    [{ evictionPolicy: undefined }, "redis.eviction warning"],
    [{ hasAppendOnlyFile: false }, "redis.durability warning"],
    [{ appendfsync: "everysec" }, "redis.durability warning"],
    [{ cannotWrite: true }, "redis.disk broken"],
    [{ maxBytes: 100, usedBytes: 100 }, "redis.memory broken"],
    [{ maxBytes: 100, usedBytes: 80 }, "redis.memory warning"],
    [{ clockAheadMs: -10_000 }, "clock.redis warning"],
  ])("with %j is %s", (change, expected) => {
    const healthy: ServerFacts = {
      name: "",
      version: "7.0.15",
      isReplica: false,
      evictionPolicy: "noeviction",
      hasAppendOnlyFile: true,
      appendfsync: "always",
      cannotWrite: false,
      usedBytes: 1,
      clients: 1,
      answersInMs: 1,
      maxBytes: 0,
      systemBytes: 100,
      clockAheadMs: 9_999,
    };
    expect(bad(redisFindings(healthy))).toEqual([]);
    expect(bad(redisFindings({ ...healthy, ...change }))).toEqual([expected]);
  });
});

describe("Telegram", () => {
  const facts = {
    username: "parley_bot",
    readsGroups: true,
    webhookUrl: "",
    waiting: 0,
    webhookError: undefined,
    hasCommands: true,
  };
  const polling = {
    receiving: { mode: "polling" },
    isReceiving: true,
    hasOtherPoller: false,
    deafIn: [] as readonly string[],
    uncheckedIn: [] as readonly string[],
  } as const;
  const posting = {
    ...polling,
    receiving: { mode: "webhook", url: "https://b.example/telegram", secret: undefined },
  } as const;

  it.each([
    [facts, polling, undefined],
    [{ ...facts, webhookUrl: "https://old.example/x" }, polling, "telegram.webhook broken"],
    [facts, { ...polling, isReceiving: false, hasOtherPoller: true }, "telegram.poller broken"],
    [{ ...facts, hasCommands: false }, polling, "telegram.commands warning"],
    [{ ...facts, readsGroups: false }, polling, undefined],
    [
      { ...facts, readsGroups: false },
      { ...polling, deafIn: ['"Team"'] },
      "telegram.privacy warning",
    ],
    [{ ...facts, webhookUrl: "https://b.example/telegram" }, posting, undefined],
    [facts, { ...posting, isReceiving: false }, "telegram.webhook warning"],
    [{ ...facts, webhookUrl: "https://c.example/telegram" }, posting, "telegram.webhook broken"],
    [
      { ...facts, webhookUrl: "https://b.example/telegram", webhookError: "Connection refused" },
      posting,
      "telegram.webhook warning",
    ],
  ])("%#: %j %j is %s", (given, state, expected) => {
    expect(bad(telegramFindings(given, state))).toEqual(expected === undefined ? [] : [expected]);
  });
});

describe("Discord", () => {
  const settings = { messageContent: true };

  it("knows the application, its servers, and what the bot lacks there", async () => {
    await using discord = await DiscordServer.start();
    const ann = discord.user({ username: "ann" });
    discord.guild({ name: "Team", owner: ann });
    const given = { token: discord.token, apiRoot: discord.apiRoot };
    const examined = await examineDiscord(given);
    expect(examined.type).toBe("answered");
    expect(statuses(discordFindings(examined, { settings, inviteLink }))).toMatchObject({
      "discord.token": "ok",
      "discord.intent": "broken",
      "discord.commands": "note",
    });
    const facts = examined.type === "answered" ? examined.facts : undefined;
    expect(facts?.servers).toEqual([{ name: "Team", lacks: expect.any(Array) as unknown }]);
    const lacking = discordFindings(
      {
        type: "answered",
        facts: {
          applicationId: "1",
          username: "parley",
          hasMessageContent: true,
          commands: 3,
          servers: [{ name: "Team", lacks: ["Send Messages"] }],
        },
      },
      { settings, inviteLink },
    );
    expect(bad(lacking)).toEqual(["discord.permissions warning"]);
    expect(inEnglish(lacking)[1]?.fix).toContain(
      "client_id=1&scope=bot+applications.commands&permissions=309237746688",
    );
    expect(discord.violations).toEqual([]);
  });

  it("refuses a wrong token, and one that cannot be one", async () => {
    await using discord = await DiscordServer.start();
    const { apiRoot } = discord;
    const wrong = discord.token.replace(/.$/, (last) => (last === "x" ? "y" : "x"));
    expect((await examineDiscord({ token: wrong, apiRoot })).type).toBe("refused");
    expect((await examineDiscord({ token: "a.b.c", apiRoot })).type).toBe("refused");
    const gone = { token: discord.token, apiRoot: "http://127.0.0.1:1/api" };
    expect((await examineDiscord(gone)).type).toBe("unreachable");
  });
});

describe("a model", () => {
  const card: ModelCard = {
    id: "ollama/x",
    tools: true,
    vision: false,
    thinking: false,
    toolChoiceNone: false,
    streaming: true,
    jsonMode: true,
    embeddings: false,
    settableTemperature: true,
    settableKeepAlive: true,
    settableContext: true,
    contextWindow: 8_192,
  };

  it("gets the built-in tools' schemas, and of servers no more than are offered at once", () => {
    const own = '{"own":1}';
    const ofServer = Array.from({ length: 500 }, (_, at) => [`s.${at}`, "x".repeat(999)] as const);
    const of = (count: number) =>
      offeredSchemas(new Map([["look", own], ...ofServer.slice(0, count)]));
    expect(of(0)).toEqual([own, ""]);
    expect(of(2)[1]).toHaveLength(2 * 999 + 1);
    expect(of(500).map(({ length }) => length)).toEqual([own.length, maxCharacters]);
  });

  it("may lack tools, or a window that holds more than the prompt", () => {
    const own = { overheadTokens: 4_095, limitsCost: false, brokenCalls: 0, isOwn: true };
    expect(bad(modelFindings("ollama/x", { card }, own))).toEqual([]);
    expect(bad(modelFindings("ollama/x", { card }, { ...own, overheadTokens: 4_096 }))).toEqual([
      "model.ollama/x.window warning",
    ]);
    expect(bad(modelFindings("ollama/x", { card: { ...card, tools: false } }, own))).toEqual([
      "model.ollama/x.tools warning",
    ]);
    expect(bad(modelFindings("ollama/x", { card }, { ...own, brokenCalls: 2 }))).toEqual([
      "model.ollama/x.calls warning",
    ]);
  });

  it("has a price that limits on cost need, and that a server of one's own may lack", () => {
    const findings = (limitsCost: boolean, isOwn: boolean, given = card) =>
      modelFindings(
        "a/x",
        { card: given },
        { overheadTokens: 1, limitsCost, brokenCalls: 0, isOwn },
      );
    expect(statuses(findings(false, true))).toEqual({ "model.a/x": "ok" });
    expect(statuses(findings(false, false))).toMatchObject({ "model.a/x.price": "note" });
    const [, price] = inEnglish(findings(true, true));
    expect(price).toMatchObject({
      status: "warning",
      what: "The price of a/x is unknown.",
      why: expect.stringContaining("Limits on cost don't count") as string,
      fix: expect.stringContaining("usdPerMillionTokens") as string,
    });
    const priced = { ...card, usdPerMillionTokens: { input: 1, output: 2 } };
    expect(statuses(findings(true, false, priced))).toEqual({ "model.a/x": "ok" });
  });
});

describe("the deployment", () => {
  const worker = {
    version: "1.0.0",
    role: "worker",
    host: "one",
    pid: 7,
    clockAheadMs: 0,
    atMs: 1,
  };

  it("has processes of one version, with a worker among them and clocks that agree", () => {
    expect(bad(processFindings([worker, { ...worker, role: "bots" }]))).toEqual([]);
    expect(bad(processFindings([worker, { ...worker, version: "1.1.0" }]))).toEqual([
      "processes.versions warning",
    ]);
    expect(bad(processFindings([{ ...worker, role: "bots" }]))).toEqual([
      "processes.worker broken",
    ]);
    expect(bad(processFindings([{ ...worker, clockAheadMs: -60_000 }]))).toEqual([
      "clock.process warning",
    ]);
  });

  it("lists a process while it runs, and forgets one that says nothing any more", async () => {
    const settings = loadSettings({ environment: {}, workingFolder: "/nowhere" });
    const processes = createProcesses(store);
    const log = pino({ level: "silent" });
    const listed = listProcess({ processId: "here", settings, store, log }, 100);
    const load = {
      lagP99Ms: expect.any(Number) as number,
      busy: expect.any(Number) as number,
      memoryBytes: expect.any(Number) as number,
    };
    await expect
      .poll(() => processes.read(), { timeout: 20_000 })
      .toMatchObject([{ role: "all", pid: process.pid, ...load }]);
    const old = { ...worker, atMs: store.clock.now() - 3 * 60_000 };
    await store.redis.hset(configKey("processes"), "gone", JSON.stringify(old), "newer", "{}");
    expect(await processes.read()).toHaveLength(1);
    await processes.note("other", worker);
    expect(await store.redis.hexists(configKey("processes"), "gone")).toBe(0);
    await processes.remove("other");
    await listed[Symbol.asyncDispose]();
    expect(await processes.read()).toEqual([]);
  });

  it("names its owners, by id only those it doesn't know", async () => {
    const people = createPeopleStore(store);
    await people.notePerson({ id: "telegram:1", name: "Ann", username: "ann" });
    const access = { owners: () => Promise.resolve(["telegram:1", "discord:2"]) };
    const settings = loadSettings({ environment: {}, workingFolder: "/nowhere" });
    const known = { settings, store, people, access } as unknown as Services;
    const check = deploymentChecks(known).find(({ id }) => id === "people");
    const found = (await check?.run(new AbortController().signal)) ?? [];
    expect(inEnglish(found)).toMatchObject([{ what: "Owners: Ann (@ann, Telegram), discord:2." }]);
  });

  it("says what waits for too long", async () => {
    const chat = newChat();
    const keys = chatKeys(chat);
    const now = store.clock.now();
    await store.redis.rpush(keys.inbox, JSON.stringify({ v: 1, atMs: now - 700_000 }));
    await store.redis.zadd(keys.wake, now - 40_000, `in:${chat}`, now - 1_000, "appr:s1-x");
    const overdue = await readOverdue(store, 30_000);
    const noLetters = { total: 0, reasons: [] };
    expect(overdue).toMatchObject({ count: 1, oldest: { chat } });
    expect(bad(workFindings(overdue, { total: 3, reasons: [] }))).toEqual([
      "work.overdue warning",
      "work.waiting warning",
      "work.dead-letters warning",
    ]);
    expect(bad(workFindings({ count: 0, oldest: undefined }, noLetters))).toEqual([]);
    const saidOf = (...name: [ChatName?]) =>
      inEnglish(workFindings(overdue, noLetters, ...name)).find(({ id }) => id === "work.waiting")
        ?.what;
    expect(saidOf({ name: "Ann", isWriter: false })).toMatch(
      `A message in "Ann" (${chat}) has waited for 12 min.`,
    );
    expect(saidOf({ name: "Ann", isWriter: true })).toMatch(`A message in ${chat} has waited`);
  });

  it("counts schedules that were not fired in time, as the metric does, and those that failed", async () => {
    const services = { store } as unknown as Services;
    const gauge = gaugesOf({ services: () => services, bots: () => [], role: "all" }).find(
      ({ name }) => name === "parley_schedules_overdue",
    );
    const check = deploymentChecks(services).find(({ id }) => id === "schedules");
    const found = async () => inEnglish((await check?.run(new AbortController().signal)) ?? []);
    const planned = async (slotMs: number, more: object = {}) => {
      const { plans, wake } = chatKeys(newChat());
      const name = plans.slice(plans.indexOf("plans:") + "plans:".length);
      await store.redis.hset(plans, "abc123", JSON.stringify({ nextMs: slotMs, ...more }));
      // The sweeper moves what it can't fire, by 2 s each time.
      await store.redis.zadd(wake, store.clock.now() + 1_000, `plan:${name}/abc123`);
    };
    const nowMs = store.clock.now();
    // Perhaps one of a crowd; and one of tomorrow.
    for (const slotMs of [nowMs - 60_000, nowMs + 86_400_000]) await planned(slotMs);
    expect(await gauge?.read()).toEqual([{ labels: {}, value: 0 }]);
    expect((await found()).map(({ id, status }) => `${id} ${status}`)).toEqual([
      "schedules.overdue ok",
      "schedules.failed ok",
      "schedules.dead ok",
    ]);
    for (const slotMs of [nowMs - 121_000, nowMs - 86_400_000]) await planned(slotMs);
    await planned(nowMs + 86_400_000, { pausedWhy: "failures" });
    for (let count = 0; count < 3; count += 1)
      await planned(nowMs + 86_400_000, { pausedWhy: "failures", isDead: true });
    expect(await gauge?.read()).toEqual([{ labels: {}, value: 2 }]);
    expect(await found()).toMatchObject([
      { id: "schedules.overdue", status: "warning", what: expect.stringContaining("2") as string },
      { id: "schedules.failed", status: "note", what: expect.stringContaining("1") as string },
      { id: "schedules.dead", status: "note", what: expect.stringContaining("3") as string },
    ]);
  });

  it("knows the age of a backup that was noted", async () => {
    const mark = createBackupMark(store);
    expect(await mark.read()).toBeUndefined();
    await mark.write();
    expect(store.clock.now() - ((await mark.read()) ?? 0)).toBeLessThan(60_000);
    const week = 7 * 86_400_000;
    expect(backupFinding(undefined, 0).status).toBe("ok");
    expect(backupFinding(undefined, 1).status).toBe("warning");
    expect(backupFinding(week - 1, 1).status).toBe("ok");
    expect(backupFinding(week, 1).status).toBe("warning");
  });

  it("names refused groups as access.allow takes them", () => {
    const groups = ["telegram:1:-100", "discord:2:345"];
    const found = inEnglish(groupFindings(groups, ['"Team"', "discord:2:345"]));
    expect(found.map(({ fix }) => fix)).toEqual([
      expect.stringContaining("telegram:chat:-100"),
      expect.stringContaining("discord:channel:345"),
    ]);
    expect(found.map(({ what }) => what)).toEqual([
      expect.stringContaining('the group "Team" (telegram:1:-100) within'),
      expect.stringContaining("the group discord:2:345 within"),
    ]);
  });
});
