import { tmpdir } from "node:os";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { Access } from "../../src/access/access.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { startTools } from "../../src/roles/tools.ts";
import { loadSettings } from "../../src/config/load.ts";
import { createOfferedTools } from "../../src/store/approvals/offered-tools.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { createWindowStore } from "../../src/store/memory/windows.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { child, isAlive, run, until } from "../tools/mcp/support/harness.ts";

const store = storeOn(await testDatabase());
const processes = new ChildProcesses();
const settings = {
  ...loadSettings({ environment: {}, workingFolder: tmpdir() }),
  mcpServers: { here: child("sdk-server", "plain") },
};

const access = new Access(
  createPeopleStore(store),
  { mode: "open", admins: [], allow: [], ban: [] },
  () => performance.now(),
);
const memory = createMemory({
  windows: createWindowStore(store),
  meaning: undefined,
  report: () => undefined,
});
const schedules = createSchedules(store, { retentionMs: 86_400_000, report: () => undefined });

/** The tools of a process that can be told to stop, and the id of its server's process. */
async function started() {
  const stopping = new AbortController();
  const log = pino({ level: "silent" });
  const tools = await startTools(
    { settings, store, access, schedules, memory, log, processes: new ChildProcesses() },
    stopping.signal,
  );
  const tool = tools.toolbox().find("here_pid");
  if (!tool) throw new Error("the server offers no pid");
  const call = async () => (await run(tool)).text;
  const pid = Number(/\d+/.exec(await call())?.[0]);
  return { stopping, tools, call, pid };
}

async function namesWith(webSearch: typeof settings.webSearch): Promise<readonly string[]> {
  const given = {
    settings: { ...settings, mcpServers: {}, webSearch },
    store,
    access,
    schedules,
    memory,
    processes,
  };
  const log = pino({ level: "silent" });
  await using tools = await startTools({ ...given, log }, new AbortController().signal);
  return tools.names();
}

it("a server's tool that only reads can be watched, by the name that the model sees", async () => {
  const reading = {
    ...settings,
    mcpServers: { here: child("sdk-server", "plain", { trusted: true }) },
  };
  const log = pino({ level: "silent" });
  await using tools = await startTools(
    { settings: reading, store, access, schedules, memory, log, processes },
    new AbortController().signal,
  );
  const tool = tools.toolbox().find("schedule");
  if (!tool) throw new Error("there is no tool schedule");
  const watch = { action: "create", kind: "watch", when: "every 1h", text: "x", zone: "UTC" };
  for (const name of ["here_pid", "here.look", "here_none", "write_note"])
    expect(() => tool.parameters.parse({ ...watch, tool: name })).toThrow("a tool that only reads");
  const chat = newChat();
  await run(tool, { ...watch, tool: "here_look" }, { chat });
  await run(tool, { ...watch, tool: "current_time" }, { chat, idempotencyKey: "chat/1.1.1" });
  const watched = (await schedules.list(chat)).map(
    ({ task }) => task.type === "watch" && task.tool,
  );
  expect(new Set(watched)).toEqual(new Set(["current_time", "here.look"]));
});

describe("the tools of a process that is told to stop", () => {
  it("still answer calls that are under way, then their servers end", async () => {
    const { stopping, tools, call, pid } = await started();
    stopping.abort();
    expect(await call()).toContain(String(pid));
    await until(() => expect(isAlive(pid)).toBe(false));
    await tools[Symbol.asyncDispose]();
  });

  it("were told to those who run none, the servers' too", async () => {
    const { tools } = await started();
    const offered = createOfferedTools(store);
    await until(async () =>
      expect(await offered.read()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: "calculate", asks: "never" }),
          expect.objectContaining({ name: "here.pid", asks: "always" }),
        ]),
      ),
    );
    await tools[Symbol.asyncDispose]();
  });

  it("have a web search where a provider is set, and only there", async () => {
    expect(await namesWith(undefined)).not.toContain("web_search");
    expect(await namesWith({ provider: "searxng", url: "http://127.0.0.1:9" })).toContain(
      "web_search",
    );
  });

  it("end with it at once when it is disposed of", async () => {
    const { tools, pid } = await started();
    expect(isAlive(pid)).toBe(true);
    await tools[Symbol.asyncDispose]();
    await until(() => expect(isAlive(pid)).toBe(false));
  });
});
