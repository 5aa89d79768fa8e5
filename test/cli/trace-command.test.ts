import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../../src/logging/redactor.ts";
import { runTrace } from "../../src/cli/trace-command.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { PermanentError } from "../../src/core/errors.ts";
import type { TraceRecord } from "../../src/core/trace.ts";
import { readEmbeddedEndpoint } from "../../src/store/embedded/endpoint.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { openStore, type Store } from "../../src/store/redis/redis.ts";
import { createTraces } from "../../src/store/traces/traces.ts";
import { dataFolderWithServer, start } from "../store/embedded/support.ts";
import { newChat, said, storeOn } from "../store/support.ts";
import { askedWith, traceRecord } from "../store/traces/trace-record.ts";
import { ParleyProcess, type ParleyOptions } from "../support/parley/parley-process.ts";
import { startTestRedis, testDatabase } from "../support/redis/test-redis.ts";

const password = "planted-redis-password";
const server = await testDatabase({ password });
const store = storeOn(server);

async function keep(records: readonly TraceRecord[], where: Store = store): Promise<void> {
  const traces = createTraces({
    store: where,
    ttlMs: 3_600_000,
    redact: createRedactor([password]),
    log: pino({ level: "silent" }),
  });
  for (const record of records) {
    traces.write(record);
    await traces.flush();
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-trace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command in this process. */
async function trace(
  given: readonly string[],
  { tracesOff = false, workingFolder = tmpdir(), url = server.url } = {},
) {
  const settings = loadSettings({
    environment: { REDIS_URL: url },
    workingFolder: tmpdir(),
  });
  const output = new PassThrough();
  let out = "";
  output.setEncoding("utf8").on("data", (text: string) => (out += text));
  const lines: string[] = [];
  const isShown = await runTrace({
    arguments: given,
    settings: tracesOff
      ? {
          ...settings,
          retention: { ...settings.retention, tracesMs: undefined },
        }
      : settings,
    environment: process.env,
    workingFolder,
    output,
    say: (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  return { isShown, out, said: lines.join("\n") };
}

/** A turn of two calls, the second of which needed two attempts. */
function weatherTurn(chat: ChatKey, turn = 12): TraceRecord[] {
  const messages = [
    { role: "system", text: "You are Parley." },
    { role: "user", text: `Weather in Oslo?\nMy key is ${password}.` },
  ] as const;
  const call = { id: "c1", name: "weather", arguments: '{"city":"Oslo"}' };
  return [
    askedWith(messages, {
      chat,
      turn,
      call: 1,
      why: "the person's choice",
      diagnostics: ["a result of turn 3 was cut"],
      response: {
        text: "",
        reasoning: "Let me look.",
        calls: [
          {
            index: 0,
            wireId: "c1",
            name: "weather",
            arguments: call.arguments,
          },
        ],
        finish: "tool-calls",
      },
    }),
    askedWith(
      [
        ...messages,
        { role: "assistant", text: "", calls: [call] },
        { role: "tool", callId: "c1", name: "weather", text: "rain \u001b[2J" },
      ],
      {
        chat,
        turn,
        call: 2,
        atMs: 1_800_000_004_000,
        model: "ollama/qwen3",
        attempts: [
          {
            model: "openai/gpt-5-mini",
            failure: "overloaded",
            usage: { inputTokens: 1_000, outputTokens: 0 },
          },
          {
            model: "ollama/qwen3",
            usage: { inputTokens: 200, outputTokens: 20 },
          },
        ],
      },
    ),
  ];
}

describe("npm run trace", () => {
  it("starts the program with its sub-command", () => {
    const file = new URL("../../package.json", import.meta.url);
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["trace"]).toBe(`${scripts["start"]} trace`);
  });

  it("lists the chats that have traces", async () => {
    const chat = newChat();
    await keep([traceRecord({ chat })]);
    const { isShown, out } = await trace([]);
    expect(isShown).toBe(true);
    expect(out.split("\n")).toContain(chat);
    const json = await trace(["--json"]);
    expect(JSON.parse(json.out)).toContain(chat);
  });

  it("lists a chat's turns in columns", async () => {
    const chat = newChat();
    await store.redis.rpush(
      chatKeys(chat).log,
      JSON.stringify(said(7)),
      JSON.stringify({ kind: "end", v: 1, turn: 12, reason: "cancelled" }),
    );
    await keep([
      traceRecord({ chat, turn: 7, atMs: 1_800_000_000_000 }),
      ...weatherTurn(chat),
      traceRecord({ chat, turn: 13, atMs: 1_800_000_009_000 }),
    ]);
    const { out } = await trace([chat]);
    expect(out).toBe(
      [
        "turn  time (UTC)           calls     in  out     ms  end        models",
        "   7  2027-01-15 07:59:58      1    120    5  1,500  answered   openai/gpt-5-mini",
        "  12  2027-01-15 08:00:00      2  1,320   25  3,000  cancelled  openai/gpt-5-mini, ollama/qwen3",
        "  13  2027-01-15 08:00:07      1    120    5  1,500  –          openai/gpt-5-mini",
        "",
      ].join("\n"),
    );
    const json = await trace([chat, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject([
      { turn: 7, end: "answered" },
      { turn: 12, calls: 2, usage: { inputTokens: 1_320 }, end: "cancelled" },
      { turn: 13, calls: 1 },
    ]);
  });

  it("tells what a turn's models were asked and answered", async () => {
    const chat = newChat();
    await keep(weatherTurn(chat));
    const { out } = await trace([chat, "12"]);
    expect(out).toBe(
      `Turn 12 of ${chat}: 2 model calls, 2027-01-15 08:00:00 UTC

Call 1 (answer): openai/gpt-5-mini, tier balanced: the person's choice
  time      2027-01-15 08:00:00 UTC, 1,500 ms, the first words after 400 ms
  tokens    120 in, 5 out
  request   2 messages, 53 characters, 1 tool, tool choice auto, temperature 0.7
  view      a result of turn 3 was cut
        1   system: You are Parley.
        2   user: Weather in Oslo? My key is [redacted].
  answer    tool-calls
  thought   Let me look.
  call      weather {"city":"Oslo"}

Call 2 (answer): ollama/qwen3, tier balanced: the usual tier
  time      2027-01-15 08:00:02 UTC, 1,500 ms, the first words after 400 ms
  tokens    1,200 in, 20 out
  attempt   openai/gpt-5-mini: overloaded
  attempt   ollama/qwen3: answered
  request   4 messages, 62 characters, 1 tool, tool choice auto, temperature 0.7
            2 messages as before
        3   assistant:  → weather {"city":"Oslo"}
        4   tool weather: rain${" "}
  answer    stop
  text      It is noon.
`,
    );
  });

  it("shortens what is long, and shows all of it as JSON", async () => {
    const chat = newChat();
    const record = askedWith(
      Array.from({ length: 100 }, (_, index) => ({
        role: "user" as const,
        text: `${index} ${"long ".repeat(100)}`,
      })),
      {
        chat,
        response: {
          text: "",
          reasoning: "",
          calls: [],
          failure: { kind: "timeout", message: "no data for 120 s" },
        },
      },
    );
    await keep([record]);
    const { out } = await trace([chat, "1"]);
    expect(out).toContain("60 messages not shown here");
    expect(out).toMatch(/^ +1 {3}user: 0 (long )+lo?n? …$/m);
    expect(out).toMatch(/^ +100 {3}user: 99 (long )+lo?n? …$/m);
    expect(out).not.toMatch(/^ +50 {3}/m);
    expect(out).toContain("answer    failed, timeout: no data for 120 s");
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThan(200);
    const json = await trace([chat, "1", "--json"]);
    expect(JSON.parse(json.out)).toEqual([record]);
  });

  it("writes nothing that a terminal would obey", async () => {
    const chat = newChat();
    await keep([
      traceRecord({
        chat,
        why: "\u009b2J\u202eabc",
        response: {
          text: "\u001b]0;owned\u0007\u0085",
          reasoning: "",
          calls: [],
        },
      }),
    ]);
    for (const flags of [[], ["--json"]]) {
      const { out } = await trace([chat, "1", ...flags]);
      expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
    }
  });

  it("exports a turn, or all, as files that no one else can read", async () => {
    const chat = newChat();
    const [first, second] = weatherTurn(chat, 7);
    if (!first || !second) throw new Error("two records");
    await keep([first, second, traceRecord({ chat, turn: 1_234 })]);
    const workingFolder = temporaryFolder();
    const one = await trace([chat, "7", "--export", "one/turn"], {
      workingFolder,
    });
    const folder = join(workingFolder, "one/turn");
    expect(statSync(join(workingFolder, "one")).mode & 0o077).toBe(0);
    expect(one.out).toBe(`4 files of 2 model calls written to ${folder}\n`);
    const ofSeven = [
      "turn-007-2-request.json",
      "turn-007-2-response.json",
      "turn-007-request.json",
      "turn-007-response.json",
    ];
    expect(readdirSync(folder).sort()).toEqual(ofSeven);
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
    expect(read("turn-007-2-request.json")).toEqual({
      chat,
      turn: 7,
      call: 2,
      purpose: "answer",
      at: "2027-01-15T08:00:02.500Z",
      tier: "balanced",
      model: "ollama/qwen3",
      why: "the usual tier",
      diagnostics: [],
      ...second.request,
      messages: [
        second.request.messages[0],
        { role: "user", text: "Weather in Oslo?\nMy key is [redacted]." },
        ...second.request.messages.slice(2),
      ],
    });
    expect(read("turn-007-response.json")).toEqual({
      chat,
      turn: 7,
      call: 1,
      purpose: "answer",
      at: "2027-01-15T08:00:01.500Z",
      model: "openai/gpt-5-mini",
      ...first.response,
      attempts: first.attempts,
      timing: first.timing,
    });
    expect(statSync(folder).mode & 0o077).toBe(0);
    for (const name of ofSeven) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);

    const response = join(folder, "turn-007-response.json");
    chmodSync(response, 0o644);
    writeFileSync(response, "of an earlier export");
    await trace([chat, "7", "--export", "one/turn"], { workingFolder });
    expect(readdirSync(folder).sort()).toEqual(ofSeven);
    expect(read("turn-007-response.json")).toMatchObject({ turn: 7 });
    expect(statSync(response).mode & 0o077).toBe(0);

    const all = await trace([chat, "--export", "all"], { workingFolder });
    expect(all.isShown).toBe(true);
    expect(readdirSync(join(workingFolder, "all")).sort()).toEqual(
      [...ofSeven, "turn-1234-request.json", "turn-1234-response.json"].sort(),
    );
  });
});

describe("where there is nothing to show", () => {
  it.each([[], ["--json"], ["--export", "x"]])("says so, for a chat: %j", async (...flags) => {
    const workingFolder = temporaryFolder();
    const { isShown, out, said } = await trace(["telegram:1:999", ...flags], {
      workingFolder,
    });
    expect({ isShown, out }).toEqual({ isShown: false, out: "" });
    expect(said).toBe(
      "There are no traces of telegram:1:999. They are stored for as long as retention.traces says.",
    );
  });

  it("says so, for a turn", async () => {
    const chat = newChat();
    await keep([traceRecord({ chat, turn: 3 })]);
    const { isShown, out, said } = await trace([chat, "4"]);
    expect({ isShown, out }).toEqual({ isShown: false, out: "" });
    expect(said).toContain(`There is no trace of turn 4 of ${chat}`);
  });

  it("says that traces are switched off, and still shows what there is", async () => {
    const chat = newChat();
    const { said } = await trace([chat], { tracesOff: true });
    expect(said).toContain("switched off: retention.traces is off");
    await keep([traceRecord({ chat })]);
    const { isShown } = await trace([chat], { tracesOff: true });
    expect(isShown).toBe(true);
  });

  it.each([
    ["of a newer version", { ...traceRecord(), v: 2 }, /version 2, newer/],
    ["of no known shape", { v: 1 }, /unexpected shape/],
  ])("says why, for a record %s", async (_name, value, sentence) => {
    const chat = newChat();
    const { tracePrefix } = chatKeys(chat);
    const bytes = gzipSync(JSON.stringify(value));
    await store.redis.rpush(`${tracePrefix}1`, bytes);
    const answer = trace([chat, "1"]);
    if (value.v === 2) await expect(answer).rejects.toThrow(sentence);
    else
      expect(await answer).toMatchObject({
        isShown: false,
        out: "",
        said: expect.stringMatching(sentence) as string,
      });
  });
});

describe("arguments", () => {
  it.each([
    [["telegram:1"], /"telegram:1" is no chat: expected platform:bot:chat/],
    [["irc:1:2"], /"irc:1:2" is no chat/],
    [["telegram:1:2", "x"], /"x" is no turn: expected a whole number/],
    [["telegram:1:2", "1.5"], /"1.5" is no turn/],
    [["telegram:1:2", "99999999999999999"], /is no turn/],
    [["telegram:1:2", "1", "2"], /"2": expected a chat and a turn, nothing else/],
    [["--verbose"], /Unknown option '--verbose'\n/],
    [["telegram:1:2", "--export"], /--export <value>' argument missing/],
    [["telegram:1:2", "--export", ""], /--export: expected a folder/],
    [["--export", "x"], /--export: expected a chat as well/],
    [["telegram:1:2", "--json", "--export", "x"], /expected one of them/],
  ] as const)("%j are refused with the usage", async (given, sentence) => {
    const answer = trace(given, { workingFolder: temporaryFolder() });
    await expect(answer).rejects.toThrow(PermanentError);
    await expect(answer).rejects.toThrow(sentence);
    await expect(answer).rejects.toThrow(/npm run trace -- <chat> <turn>/);
  });

  // Under /proc, making a folder fails as if its parent were missing.
  it.each(["/dev/null/x", "/proc/x", "/proc/self/x/y"])(
    "that name a folder which cannot be one are refused: %s",
    async (folder) => {
      const answer = trace(["telegram:1:2", "--export", folder]);
      await expect(answer).rejects.toThrow(`--export is ${folder}: expected a folder`);
    },
  );
});

describe("a Redis that needs a password", () => {
  it.each([
    [`redis://:planted-mistake@127.0.0.1:${server.port}`, /doesn't accept/],
    [`redis://127.0.0.1:${server.port}`, /needs a password/],
  ])("is refused without it: %s", async (url, sentence) => {
    const answer = trace([], { url });
    await expect(answer).rejects.toThrow(PermanentError);
    await expect(answer).rejects.toThrow(sentence);
    await expect(answer).rejects.not.toThrow("planted");
  });
});

/** Runs the command as an operator does. */
async function asProcess(options: ParleyOptions) {
  await using parley = new ParleyProcess({ mayFail: true, ...options });
  const { code } = await parley.exited;
  return { code, out: parley.stdout, said: parley.stderr };
}

describe("the process", () => {
  it("ends with 0, and with 1 where there is nothing to show", async () => {
    const chat = newChat();
    await keep(weatherTurn(chat));
    const environment = { REDIS_URL: server.url };
    const [shown, nothing] = await Promise.all([
      asProcess({ arguments: ["trace", chat, "12"], environment }),
      asProcess({ arguments: ["trace", chat, "5"], environment }),
    ]);
    expect(shown).toMatchObject({ code: 0, said: "" });
    expect(shown.out).toContain("Call 2 (answer): ollama/qwen3");
    expect(nothing).toMatchObject({ code: 1, out: "" });
    expect(nothing.said).toMatch(/^There is no trace of turn 5 [^\n]+\n$/);
  });

  it("ends with 2 for arguments that are wrong, with 1 for a Redis that is away", async () => {
    await using gone = await startTestRedis();
    await gone.kill();
    const [wrong, away] = await Promise.all([
      asProcess({ arguments: ["trace", "telegram"] }),
      asProcess({ arguments: ["trace"], environment: { REDIS_URL: gone.url } }),
    ]);
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.said).toMatch(/^"telegram" is no chat/);
    expect(away).toMatchObject({ code: 1, out: "" });
    expect(away.said).toMatch(/^Can't use Redis at [^\n]+: nothing is listening there[^\n]+\n$/);
  });

  it("ends quietly when no one reads on", async () => {
    const chat = newChat();
    const text = "much to read ".repeat(10_000);
    await keep(
      Array.from({ length: 10 }, (_, each) =>
        askedWith([{ role: "user", text: `${each} ${text}` }], {
          chat,
          call: each + 1,
        }),
      ),
    );
    const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
    const child = spawn(process.execPath, [main, "trace", chat, "1", "--json"], {
      env: { REDIS_URL: server.url },
      cwd: temporaryFolder(),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => {
      child.once("close", resolve);
    });
    expect({ code, said }).toEqual({ code: 0, said: "" });
  });
});

describe("Parley's own Redis", () => {
  it("is asked beside a running Parley, and started and stopped where none runs", async () => {
    const dataFolder = await dataFolderWithServer();
    const chat = newChat();
    const list = () =>
      asProcess({
        arguments: ["trace", chat],
        dataFolder,
        environment: { PATH: process.env["PATH"] ?? "" },
      });
    {
      await using redis = await start(dataFolder);
      const own = openStore(redis.url, () => undefined);
      await keep([traceRecord({ chat })], own);
      own.redis.disconnect();
      const beside = await list();
      expect(beside).toMatchObject({ code: 0, said: "" });
      expect(beside.out).toContain("openai/gpt-5-mini");
      expect(await readEmbeddedEndpoint(dataFolder)).toMatchObject({
        pid: redis.pid,
      });
    }
    const alone = await list();
    expect(alone).toMatchObject({ code: 0, said: "" });
    expect(alone.out).toContain("openai/gpt-5-mini");
    expect(await readEmbeddedEndpoint(dataFolder)).toBeUndefined();
  });

  it("is not made only to find it empty", async () => {
    const dataFolder = join(temporaryFolder(), "data");
    const { code, said } = await asProcess({
      arguments: ["trace"],
      dataFolder,
    });
    expect(code).toBe(1);
    expect(said).toContain("nothing is stored in");
    expect(existsSync(dataFolder)).toBe(false);
  });
});
