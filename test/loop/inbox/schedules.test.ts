import { describe, expect, it } from "vitest";
import { parseChatKey } from "../../../src/core/chat.ts";
import type { MessageEntry } from "../../../src/core/history.ts";
import type { Schedule } from "../../../src/core/schedule.ts";
import { valueAt } from "../../../src/loop/inbox/look-for-change.ts";
import { createSchedules } from "../../../src/store/turns/schedules.ts";
import { ChildProcesses } from "../../../src/tools/processes/child-processes.ts";
import { fetchUrlTool } from "../../../src/tools/fetch-url/fetch-url.ts";
import { webSearchTool } from "../../../src/tools/web-search/web-search.ts";
import { SearchServer } from "../../emulators/search/search-server.ts";
import { startWebServer } from "../../tools/support/web-server.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { z } from "zod";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { calls, openScene, type Scene, type SceneOptions } from "../scene.ts";
import type { Tool } from "../../../src/core/tool.ts";

const redis = await testDatabase();
const slotMs = 1_790_000_000_000;
const id = "abc123";

async function open(options: Partial<SceneOptions> = {}) {
  const scene = await openScene({ redis, ...options });
  const schedules = createSchedules(scene.parts.store, {
    retentionMs: 86_400_000,
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  scene.with({ watched: (chat, of) => schedules.digest(chat, of) });
  const schedule: Schedule = {
    id,
    revision: 0,
    task: { type: "ask", text: "news?" },
    timing: { type: "cron", rule: "0 9 * * *" },
    zone: "UTC",
    by: { id: `telegram:of-${scene.chat}`, name: "Ann" },
    address: parseChatKey(scene.chat),
    direct: true,
    late: "once",
    nextMs: 9e12,
    failures: 0,
    outcomes: [{ slotMs, outcome: "asked" }],
  };
  await schedules.save(scene.chat, schedule);
  return { scene, schedules, read: () => schedules.read(scene.chat, id) };
}

let fired = 0;
/** As the sweeper puts it into the inbox. */
const fire = async (scene: Scene, text: string, more: Partial<MessageEntry> = {}) => {
  fired += 1;
  const { messageId: _, ...entry } = { messageId: "", ...more };
  await scene.say(text, { id: `plan:${id}:${fired}`, schedule: { id, slotMs }, ...entry });
};
const quiet = { schedule: { id, slotMs, isQuiet: true } };

describe("a scheduled message", () => {
  it("opens an ordinary turn, and its model knows where it comes from", async () => {
    const { scene, read } = await open();
    await using _ = scene;
    scene.model.when(/news/, () => ({ text: "No news." }));
    await fire(scene, "news?");
    await scene.settle();
    expect(await scene.said()).toEqual(["No news."]);
    expect(scene.model.requests[0]?.lastUserText).toMatch(
      /^\[From the platform: scheduled by this person for 2026-09-21T/,
    );
    expect(scene.model.requests[0]?.lastUserText).not.toContain("NO_REPLY");
    expect(await read()).toMatchObject({ failures: 0, outcomes: [{ slotMs, outcome: "asked" }] });
    await scene.expectAtRest();
  });

  it.each(["NO_REPLY", "**NO_REPLY**.", "", "  "])(
    "may be answered with nothing, where it is quiet: %j",
    async (answer) => {
      const { scene, read } = await open();
      await using _ = scene;
      scene.model.when(/news/, () => ({ text: answer }));
      await fire(scene, "news?", quiet);
      await scene.settle();
      expect(scene.model.requests[0]?.lastUserText).toContain("answer with NO_REPLY alone");
      expect(await scene.outbox()).toEqual([]);
      expect(await scene.draft()).toBeUndefined();
      expect(await read()).toMatchObject({ failures: 0, outcomes: [{ outcome: "asked" }] });
      expect((await scene.story()).at(-1)).toMatch(/^assistant .*NO_REPLY/);
      await scene.expectAtRest();
    },
  );

  it("that is quiet is answered with what there is to say", async () => {
    const { scene } = await open();
    await using _ = scene;
    scene.model.when(/news/, () => ({ text: "It rains; NO_REPLY was no option." }));
    await fire(scene, "news?", quiet);
    await scene.settle();
    expect(await scene.said()).toEqual(["It rains; NO_REPLY was no option."]);
  });

  it("whose turns fail three times in a row pauses its schedule, and the person reads so", async () => {
    const { scene, read } = await open();
    await using _ = scene;
    for (let failures = 1; failures <= 3; failures += 1) {
      scene.model.reply({ text: "" }, { text: "" });
      await fire(scene, "news?");
      await scene.settle();
      expect((await read())?.failures).toBe(failures);
    }
    expect(await read()).toMatchObject({
      pausedWhy: "failures",
      outcomes: [{ outcome: "failed" }],
    });
    const paused = (await scene.notices()).filter((text) => text.includes("three times in a row"));
    expect(paused).toEqual([
      "I paused the schedule “news?” because it failed three times in a row. You can resume it with /schedule.",
    ]);
  });

  it("doesn't supersede a question to its person, and waits for the answer", async () => {
    const { scene } = await open();
    await using _ = scene;
    scene.model.when(/^buy/, () => calls("buy"));
    scene.model.when(/news/, () => ({ text: "No news." }));
    await scene.say("buy it");
    await scene.settle();
    await fire(scene, "news?");
    await scene.settle();
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.stop();
  });

  it.each(["steer", "interrupt", "collect"] as const)(
    "is a turn of its own in the mode %s",
    async (mode) => {
      const { scene } = await open({ whileBusy: mode });
      await using _ = scene;
      scene.model.when(/hello/, () => ({ text: "Hello." }));
      scene.model.when(/news/, () => ({ text: "No news." }));
      await fire(scene, "news?");
      await scene.say("hello");
      await fire(scene, "news?");
      await scene.settle();
      expect(await scene.said()).toEqual(["No news.", "Hello.", "No news."]);
    },
  );
});

it("a turn's tools know the server and channel of its message", async () => {
  const seen: unknown[] = [];
  const place = defineTool({
    name: "place",
    description: "Where.",
    parameters: z.object({}),
    effect: "read",
    confirm: "never",
    history: "action",
    run(_given, { where }) {
      seen.push(where);
      return Promise.resolve({ text: "here" });
    },
  });
  const { scene } = await open({ tools: [place] });
  await using _ = scene;
  scene.model.reply(calls("place"), { text: "Here." });
  await scene.say("where?", { where: { guild: "5", threadOf: "6" } });
  await scene.settle();
  expect(seen).toEqual([{ guild: "5", threadOf: "6" }]);
});

const watching = (pointer?: string): Partial<MessageEntry> => ({
  v: 3,
  watch: { tool: "s.price", given: "{}", ...(pointer === undefined ? {} : { pointer }) },
});

const asksUnlessNamed = (_: unknown, { names }: { names: (address: string) => boolean }) =>
  !names("https://a.example/");

describe("a watch", () => {
  const world = { price: 1, other: 0 };
  const tool = (more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
    defineTool({
      name: "s.price",
      description: "A price.",
      parameters: z.strictObject({}),
      effect: "read",
      confirm: "never",
      history: "action",
      timeoutMs: 5_000,
      maxResultLength: 1_000,
      run: () => Promise.resolve({ text: JSON.stringify(world) }),
      ...more,
    });
  it("asks a model only when what it watches has changed, and shows it as a quote", async () => {
    const { scene, read } = await open({ tools: [tool()] });
    await using _ = scene;
    scene.model.when(/tell me/, () => ({ text: "It changed." }));
    Object.assign(world, { price: 1, other: 0 });
    const look = async () => {
      await fire(scene, "tell me", watching("/price"));
      await scene.settle();
    };
    await look();
    world.other = 5;
    await look();
    expect(scene.model.requests).toEqual([]);
    expect(await scene.log()).toEqual([]);
    expect(await read()).toMatchObject({ outcomes: [{ outcome: "unchanged" }] });
    world.price = 2;
    await look();
    await look();
    expect(scene.model.requests).toHaveLength(1);
    expect(scene.model.requests[0]?.lastUserText).toMatch(/\n\n> s\.price wrote: 2\n\ntell me$/);
    expect(await scene.said()).toEqual(["It changed."]);
    expect(await scene.outbox()).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("reads a part of what was fetched, and of what a search found", async () => {
    const stock = { price: 1, seenAt: 0 };
    await using web = await startWebServer((_, response) => {
      stock.seenAt += 1;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(stock));
    });
    await using searching = await SearchServer.start("brave", { key: "k" });
    const page = { title: "Tea", snippet: "Green" };
    searching.pages.push({ ...page, url: "https://a.example/" });
    using processes = new ChildProcesses();
    const tools = [
      fetchUrlTool({
        processes,
        allowedPorts: [web.port],
        isAllowedAddress: (address) => address === "127.0.0.1",
      }),
      webSearchTool(
        { provider: "brave", url: searching.url, apiKey: "k" },
        { error: () => undefined },
      ),
    ];
    const { scene, read } = await open({ tools });
    await using _ = scene;
    scene.model.when(/tell me/, () => ({ text: "It changed." }));
    const look = async (watch: MessageEntry["watch"]) => {
      await fire(scene, "tell me", { v: 3, watch });
      await scene.settle();
      return scene.model.requests.at(-1)?.lastUserText;
    };
    const price = {
      tool: "fetch_url",
      given: JSON.stringify({ url: `http://127.0.0.1:${web.port}/p.json` }),
      pointer: "/price",
    };
    for (let times = 0; times < 3; times += 1) expect(await look(price)).toBeUndefined();
    expect(await read()).toMatchObject({ failures: 0, outcomes: [{ outcome: "unchanged" }] });
    stock.price = 2;
    expect(await look(price)).toMatch(/> fetch_url wrote: 2\n/);
    const first = { tool: "web_search", given: '{"query":"tea"}', pointer: "/0/url" };
    expect(await look(first)).toContain('> web_search wrote: "https://a.example/"\n');
    searching.pages.push({ ...page, url: "https://b.example/" });
    await look(first);
    expect(scene.model.requests).toHaveLength(2);
    await look({ ...first, pointer: "/1/url" });
    expect(scene.model.requests.at(-1)?.lastUserText).toContain('"https://b.example/"');
    searching.pages.length = 0;
    for (let times = 0; times < 3; times += 1)
      expect(await look(first)).toContain("> web_search wrote: nothing there\n");
    expect(scene.model.requests).toHaveLength(4);
    expect(await read()).toMatchObject({ failures: 0, outcomes: [{ outcome: "unchanged" }] });
    searching.pages.push({ ...page, url: "https://a.example/" });
    expect(await look(first)).toContain('> web_search wrote: "https://a.example/"\n');
  });

  it("may call a tool that asks about addresses no one has named: its card showed them", async () => {
    const { scene, read } = await open({ tools: [tool({ confirm: asksUnlessNamed })] });
    await using _ = scene;
    await fire(scene, "tell me", watching("/price"));
    await scene.settle();
    expect(await read()).toMatchObject({ outcomes: [{ outcome: "unchanged" }] });
  });

  it("goes on where its worker died after it saw a change", async () => {
    const { scene } = await open({ tools: [tool()], leaseMs: 50 });
    await using _ = scene;
    scene.model.when(/tell me/, () => ({ text: "It changed." }));
    world.price = 1;
    await fire(scene, "tell me", watching());
    await scene.settle();
    world.price = 2;
    await fire(scene, "tell me", watching());
    const models = {
      ...scene.deps.models,
      chain: () => {
        throw new Error("dead");
      },
    };
    await expect(scene.run(undefined, { models })).rejects.toThrow("dead");
    await expect.poll(async () => (await scene.settle()).type).toBe("done");
    expect(await scene.said()).toEqual(["It changed."]);
  });

  it.each<[string, Partial<Parameters<typeof defineTool>[0]>, string | undefined]>([
    ["a tool that may change something", { effect: "once" }, undefined],
    ["a call that a person has to approve", { confirm: "always" }, undefined],
    ["a tool that fails", { run: () => Promise.reject(new Error("away")) }, undefined],
    [
      "a tool that takes too long",
      { timeoutMs: 20, run: () => new Promise(() => undefined) },
      undefined,
    ],
    ["a result that is no JSON", { run: () => Promise.resolve({ text: "Sold out" }) }, "/price"],
    ["a tool that isn't there", { name: "s.other" }, undefined],
  ])("fails with %s, without a word until the third time", async (...[, more, pointer]) => {
    const { scene, read } = await open({ tools: [tool(more)] });
    await using _ = scene;
    for (let failures = 1; failures <= 3; failures += 1) {
      await fire(scene, "tell me", watching(pointer));
      await scene.settle();
      expect(await read()).toMatchObject({ failures, outcomes: [{ outcome: "failed" }] });
      expect(await scene.notices()).toHaveLength(failures === 3 ? 1 : 0);
    }
    expect(scene.model.requests).toEqual([]);
    expect(await read()).toMatchObject({ pausedWhy: "failures" });
    await scene.expectAtRest();
  });
});

it.each([
  ['{"a":{"b/c":[1,{"d":"x"}]}}', "/a/b~1c/1/d", '"x"'],
  ['{"a":1}', "", '{"a":1}'],
  ['{"b":1,"a":2}', "", '{"a":2,"b":1}'],
  ['{"a":null}', "/a", "null"],
  ['{"a":1}', "/toString", undefined],
  ['{"a":1}', "/a/b", undefined],
  ["[]", "/length", undefined],
  ["[]", "/0/url", "nothing there"],
  ['["nothing there"]', "/0", '"nothing there"'],
  ["no JSON", "/a", undefined],
])("%s has at %j %s", (json, pointer, value) => {
  expect(valueAt(json, pointer)).toBe(value);
});
