import { setTimeout as wait } from "node:timers/promises";
import path from "node:path";
import { Writable } from "node:stream";
import pino from "pino";
import { vi } from "vitest";
import { chatKey } from "../../../../src/core/chat.ts";
import type { Tool, ToolContext, ToolResult } from "../../../../src/core/tool.ts";
import {
  createMcpTools,
  type McpTools,
  type McpToolsDeps,
} from "../../../../src/tools/mcp/create-mcp-tools.ts";
import type { McpServerSettings } from "../../../../src/tools/mcp/server-settings.ts";

/** What one line of the log said. */
interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly [key: string]: unknown;
}

export interface Started extends AsyncDisposable {
  readonly mcp: McpTools;
  readonly lines: readonly LogLine[];
  /** Milliseconds of every wait between two attempts. */
  readonly waits: readonly number[];
  readonly changes: () => number;
  readonly names: () => readonly string[];
  readonly tool: (name: string) => Tool;
  /** Parses the arguments as the loop does, and runs the tool. */
  readonly call: (
    name: string,
    given?: Record<string, unknown>,
    context?: Partial<ToolContext>,
  ) => Promise<ToolResult>;
}

/**
 * Starts the client with all servers and waits until each was reached or given up. Waits between
 * attempts are short.
 */
export async function start(
  servers: Readonly<Record<string, McpServerSettings>>,
  deps: Partial<McpToolsDeps> = {},
): Promise<Started> {
  const lines: LogLine[] = [];
  const waits: number[] = [];
  let changes = 0;
  const mcp = createMcpTools({
    servers,
    log: pino(
      { level: "debug" },
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          lines.push(JSON.parse(chunk.toString()) as LogLine);
          done();
        },
      }),
    ),
    signal: new AbortController().signal,
    sleep: (ms, signal) => {
      waits.push(ms);
      return wait(10, undefined, { signal });
    },
    random: () => 0.5,
    monotonic: () => performance.now(),
    onChanged: () => (changes += 1),
    ...deps,
  });
  await mcp.ready;
  const names = () => mcp.tools().map(({ name }) => name);
  const tool = (name: string): Tool => {
    const found = mcp.tools().find((tool) => tool.name === name);
    if (!found)
      throw new Error(`no tool ${name}; there are ${names().join()}; ${JSON.stringify(lines)}`);
    return found;
  };
  return {
    mcp,
    lines,
    waits,
    changes: () => changes,
    names,
    tool,
    call: (name, given = {}, context = {}) => run(tool(name), given, context),
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}

export function run(
  tool: Tool,
  given: Record<string, unknown> = {},
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return tool.run(tool.parameters.parse(given), {
    chat: chatKey({ platform: "console", bot: "console", chat: "1" }),
    requester: { id: "console:ann", name: "Ann" },
    idempotencyKey: "chat/1.1.0",
    signal: new AbortController().signal,
    ...context,
  });
}

/** Waits until the check stops throwing. */
export const until = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

const script = (name: string): string => path.join(import.meta.dirname, `${name}.ts`);

/** A server of ours in a child process; `mode` says what it does. */
export function child(
  name: "sdk-server" | "raw-server",
  mode: string,
  settings: Partial<McpServerSettings & { environment: Readonly<Record<string, string>> }> = {},
): McpServerSettings {
  return {
    transport: "stdio",
    command: process.execPath,
    arguments: ["--no-warnings", script(name), mode],
    environment: {},
    timeoutMs: 20_000,
    trusted: false,
    elicitation: "off",
    ...settings,
  } as McpServerSettings;
}

/** Whether a process with this id is there. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
