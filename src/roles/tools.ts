import { performance } from "node:perf_hooks";
import { mayRun, offeredTools } from "../approvals/offered-tools.ts";
import { possibleVerdicts, withRules } from "../approvals/tool-policy.ts";
import type { Tool } from "../core/tool.ts";
import { createToolbox, schemaOf, type Toolbox } from "../loop/tools/toolbox.ts";
import { createKeptResults } from "../store/turns/kept-results.ts";
import { createOfferedTools } from "../store/approvals/offered-tools.ts";
import { createNotes } from "../store/turns/notes.ts";
import { createToolSchemas } from "../store/approvals/tool-schemas.ts";
import { readChatStatus, type ChatStatus } from "../store/turns/chat-status.ts";
import { createFacts } from "../store/memory/facts.ts";
import { createTodos } from "../store/turns/todos.ts";
import { calculateTool } from "../tools/calculate/calculate.ts";
import { currentTimeTool } from "../tools/current-time.ts";
import { fetchUrlTool } from "../tools/fetch-url/fetch-url.ts";
import type { McpTools, McpToolsDeps } from "../tools/mcp/create-mcp-tools.ts";
import { notesTools } from "../tools/notes.ts";
import { readMoreTool } from "../tools/read-more.ts";
import { recallTool } from "../tools/recall.ts";
import { rememberTool } from "../tools/remember.ts";
import { scheduleTool } from "../tools/schedule.ts";
import type { ChildProcesses } from "../tools/processes/child-processes.ts";
import { todoTools } from "../tools/todo.ts";
import { webSearchTool, type SearchLog } from "../tools/web-search/web-search.ts";
import { localeFor } from "../locales/locale-for.ts";
import { searchFix } from "../locales/search-problem.ts";
import type { Services } from "../services.ts";
import { sleep } from "../util/sleep.ts";

/**
 * A server that does not answer holds a start up for no longer than this; its tools come when it
 * does. Milliseconds.
 */
const serverTimeoutMs = 10_000;
/**
 * How long servers outlive the order to stop; a little more than a running call's grace.
 * Milliseconds.
 */
const graceMs = 1_000;

export interface Tools extends AsyncDisposable {
  /** The current tools: MCP servers may change theirs. */
  toolbox(): Toolbox;
  /** As rules match them. */
  names(): readonly string[];
  /** The names of MCP servers whose tools aren't known yet. */
  unlisted(): readonly string[];
  /** Asks an MCP server on its own connection. @throws Error with the reason in one line. */
  examineServer: McpTools["examine"];
}

/** The built-in tools and those of the configured servers. Disposing stops the servers. */
export async function startTools(
  {
    settings,
    store,
    access,
    schedules,
    memory,
    log,
    processes,
  }: Pick<Services, "settings" | "store" | "access" | "schedules" | "memory" | "log"> & {
    readonly processes: ChildProcesses;
  },
  signal: AbortSignal,
): Promise<Tools> {
  const facts = createFacts(store, settings.retention.memoryMs);
  const builtIn = [
    currentTimeTool(() => store.clock.now()),
    calculateTool({ processes }),
    fetchUrlTool({ processes }),
    ...(settings.webSearch ? [webSearchTool(settings.webSearch, searchLog(log))] : []),
    ...notesTools(createNotes(store, facts)),
    ...(settings.memory.facts === "off" ? [] : [rememberTool(facts)]),
    ...todoTools(createTodos(store)),
    ...(settings.memory.recall === "off" ? [] : [recallTool(memory.recall)]),
    readMoreTool(createKeptResults(store)),
    scheduleTool({
      schedules,
      findTool: (wireName) => toolbox.find(wireName),
      keepZone: (person, zone) => access.keepZone(person, zone),
      usdPerTurn: async (chat) => usdPerTurn((await readChatStatus(store, chat)).usage),
      now: () => store.clock.now(),
      log,
    }),
  ];
  // The operator's overrides of declarations; what may run is decided at each call.
  const ruled = withRules(settings.toolRules);
  let toolbox = createToolbox(builtIn.map(ruled));
  const offered = createOfferedTools(store);
  const verdicts = possibleVerdicts(settings.toolRules);
  const schemas = createToolSchemas(store);
  const publish = (tools: readonly Tool[]): void =>
    void Promise.all([
      offered.write(offeredTools(tools, verdicts)),
      schemas.write(new Map(tools.map((tool) => [tool.name, schemaOf(tool)]))),
    ]).catch((error: unknown) =>
      log.warn({ error }, "could not notify people of the current tools"),
    );
  // Running calls have their grace first: a server that went at once would turn each of them into a
  // failure.
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const endSoon = (): void => void setTimeout(end, graceMs).unref();
  signal.addEventListener("abort", endSoon, { once: true });
  const servers = await startServers({
    servers: settings.mcpServers,
    log,
    signal: ending.signal,
    sleep,
    random: Math.random,
    monotonic: () => performance.now(),
    onChanged: () => {
      try {
        const tools = [...builtIn, ...servers.tools()].map(ruled);
        toolbox = createToolbox(tools, (tool) => mayRun(tool, verdicts));
        publish(tools);
      } catch (error) {
        log.error({ error }, "the servers' tools do not fit together; the list stays as it was");
      }
    },
  });
  const timeout = new AbortController();
  const enough = AbortSignal.any([signal, timeout.signal]);
  await Promise.race([servers.ready, sleep(serverTimeoutMs, enough).catch(() => undefined)]);
  timeout.abort();
  publish([...builtIn, ...servers.tools()].map(ruled));
  return {
    toolbox: () => toolbox,
    names: () =>
      toolbox.specs.flatMap(({ name }) => {
        const tool = toolbox.find(name);
        return tool === undefined ? [] : [tool.name];
      }),
    unlisted: () => servers.unlisted(),
    examineServer: (name) => servers.examine(name),
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", endSoon);
      end();
      await servers[Symbol.asyncDispose]();
    },
  };
}

/** Undefined where there was no answer yet, or the price of one isn't known. */
function usdPerTurn({ turns, models }: ChatStatus["usage"]): number | undefined {
  const spent = Object.values(models);
  if (turns === 0 || spent.some(({ costUsd }) => costUsd === undefined)) return undefined;
  return spent.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) / turns;
}

const noServers: McpTools = {
  tools: () => [],
  unlisted: () => [],
  examine: (name) => Promise.reject(new Error(`no server is named ${name}`)),
  ready: Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** The protocol's library is a good part of a start, and is loaded where there are servers. */
async function startServers(deps: McpToolsDeps): Promise<McpTools> {
  if (Object.keys(deps.servers).length === 0) return noServers;
  const { createMcpTools } = await import("../tools/mcp/create-mcp-tools.ts");
  return createMcpTools(deps);
}

/** Logs are in English. */
const searchLog = (log: Services["log"]): SearchLog => ({
  error: ({ error, fix }, message) =>
    log.error({ error, fix: searchFix(fix, localeFor()) }, message),
});
