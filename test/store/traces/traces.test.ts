import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TraceRecord } from "../../../src/core/trace.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { openStore } from "../../../src/store/redis/redis.ts";
import { maxRecordBytes } from "../../../src/store/traces/trace-json.ts";
import { TraceWarnings } from "../../../src/store/traces/trace-warnings.ts";
import {
  createTraces,
  listTracedChats,
  listTraces,
  readTrace,
} from "../../../src/store/traces/traces.ts";
import { startTestRedis, testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn, until } from "../support.ts";
import { askedWith, traceRecord } from "./trace-record.ts";

const server = await testDatabase();
const store = storeOn(server);
const ttlMs = 7 * 86_400_000;
const silent = pino({ level: "silent" });

const tracesOn = (more: Partial<Parameters<typeof createTraces>[0]> = {}) =>
  createTraces({ store, ttlMs, redact: (text) => text, log: silent, ...more });

/** Writes records one after the other. */
async function keep(...records: readonly TraceRecord[]): Promise<void> {
  const traces = tracesOn();
  for (const record of records) {
    traces.write(record);
    await traces.flush();
  }
}

/** A connection to a server that takes commands and answers none until it is told to go on. */
async function stalledStore() {
  const server = await startTestRedis();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const store = openStore(server.url, () => undefined);
  onTestFinished(() => store.redis.disconnect());
  await store.redis.ping();
  server.pause();
  return { store, resume: () => server.resume() };
}

/** The JSON of what is stored of a turn. */
async function stored({ chat, turn }: TraceRecord): Promise<string[]> {
  const list = `${chatKeys(chat).tracePrefix}${turn}`;
  const values = await store.redis.lrangeBuffer(list, 0, -1);
  return values.map((bytes) => gunzipSync(bytes).toString());
}

/** Where tools like these are stored. */
async function toolKeysWith(tools: TraceRecord["request"]["tools"]): Promise<string[]> {
  const keys = await store.redis.keys("parley:{s*}:tools:*");
  const values = await Promise.all(keys.map((key) => store.redis.getBuffer(key)));
  return keys.filter((_, index) => {
    const bytes = values[index];
    return bytes && gunzipSync(bytes).toString() === JSON.stringify(tools);
  });
}

describe("a trace", () => {
  it("is read as it was written", async () => {
    const record = traceRecord({
      turn: 7,
      diagnostics: ["a result of turn 3 was cut"],
      response: {
        text: "",
        reasoning: "think",
        calls: [{ index: 0, wireId: "c1", name: "add", arguments: "{}" }],
        failure: { kind: "overloaded", message: "busy" },
      },
    });
    await keep(record);
    expect(await readTrace(store, record.chat, 7)).toEqual([record]);
  });

  it("stores the tools that requests have in common once in a shard", async () => {
    const record = traceRecord({ chat: newChat() });
    const tools = [{ name: `tool-${record.chat}`, description: "adds", parameters: { a: ["x"] } }];
    const [first, second] = [1, 2].map((call) => ({
      ...record,
      call,
      request: { ...record.request, tools },
    }));
    if (!first || !second) throw new Error("two records");
    await keep(first, second);
    expect(await readTrace(store, record.chat, 1)).toEqual([first, second]);
    for (const json of await stored(record)) expect(json).not.toContain("adds");
    const [key, ...more] = await toolKeysWith(tools);
    expect(more).toEqual([]);
    // They live as long as the newest record.
    await store.redis.pexpire(key ?? "", 1_000);
    await keep({ ...first, call: 3 });
    expect(await store.redis.pttl(key ?? "")).toBeGreaterThan(ttlMs - 60_000);
    // Also where a process that keeps traces for a shorter time writes one.
    const brief = tracesOn({ ttlMs: 1_000 });
    brief.write({ ...first, turn: 2 });
    await brief.flush();
    expect(await store.redis.pttl(key ?? "")).toBeGreaterThan(ttlMs - 60_000);
    // And are stored again where they are gone.
    await store.redis.del(key ?? "");
    const [without] = await readTrace(store, record.chat, 1);
    expect(without?.request.tools).toEqual([]);
    expect(without?.diagnostics.at(-1)).toBe("the tools that were offered are no longer stored");
    await keep({ ...first, call: 4 });
    expect((await readTrace(store, record.chat, 1)).map(({ request }) => request.tools)).toEqual([
      tools,
      tools,
      tools,
      tools,
    ]);
  });

  it("holds the tools itself where they are many or long", async () => {
    const tool = { name: "t", description: "", parameters: {} };
    for (const tools of [
      Array.from({ length: 40 }, (_, index) => ({ ...tool, name: `t${index}` })),
      [{ ...tool, description: "d".repeat(70_000) }],
    ]) {
      const record = traceRecord({ chat: newChat() });
      const asked = { ...record, request: { ...record.request, tools } };
      await keep(asked);
      const [json = ""] = await stored(record);
      expect(JSON.parse(json)).toHaveProperty("request.tools", tools);
      expect(await readTrace(store, record.chat, 1)).toEqual([asked]);
    }
  });

  it("has the calls of its turn in order, whatever order they were written in", async () => {
    const chat = newChat();
    const [first, second] = [1, 2].map((call) => traceRecord({ chat, call }));
    if (!first || !second) throw new Error("two records");
    const summary = traceRecord({ chat, purpose: "compaction", atMs: 1 });
    await keep(second, first, summary);
    expect(await readTrace(store, chat, 1)).toEqual([summary, first, second]);
  });

  it("has the first 20 and the newest 180 messages of a long request, and says how many it leaves out", async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
    const record = askedWith(texts.map((text) => ({ role: "user" as const, text })));
    await keep(record);
    const [read] = await readTrace(store, record.chat, 1);
    expect(read?.request.messages.map(({ text }) => text)).toEqual([
      ...texts.slice(0, 20),
      ...texts.slice(-180),
    ]);
    expect(read?.leftOut).toEqual({ messages: 100 });
  });

  it("is not written where its turn was erased meanwhile", async () => {
    const record = traceRecord({ turn: 3 });
    await store.redis.hset(chatKeys(record.chat).state, "erased", "3");
    await keep(record, { ...record, turn: 4 });
    expect(await listTraces(store, record.chat)).toEqual([{ turn: 4, atMs: record.atMs }]);
    expect(await stored(record)).toEqual([]);
  });

  it("holds a record once that was sent twice", async () => {
    const record = traceRecord();
    await keep(record, record);
    expect(await stored(record)).toHaveLength(2);
    expect(await readTrace(store, record.chat, 1)).toEqual([record]);
  });

  it("expires after its time, which restarts with each record", async () => {
    const record = traceRecord();
    const { traces, tracePrefix } = chatKeys(record.chat);
    for (let call = 1; call <= 2; call += 1) {
      await keep({ ...record, call });
      for (const key of [traces, `${tracePrefix}1`]) {
        const leftMs = await store.redis.pttl(key);
        expect(leftMs).toBeGreaterThan(ttlMs - 60_000);
        expect(leftMs).toBeLessThanOrEqual(ttlMs);
        await store.redis.pexpire(key, 1_000);
      }
    }
  });

  it("keeps its newest 60 records", async () => {
    const chat = newChat();
    await keep(...Array.from({ length: 65 }, (_, each) => traceRecord({ chat, call: each + 1 })));
    const calls = (await readTrace(store, chat, 1)).map(({ call }) => call);
    expect(calls).toEqual(Array.from({ length: 60 }, (_, each) => each + 6));
  });

  it("goes when its chat has 200 newer ones", async () => {
    const chat = newChat();
    const { tracePrefix } = chatKeys(chat);
    await keep(
      ...Array.from({ length: 205 }, (_, each) =>
        traceRecord({ chat, turn: each + 1, atMs: each }),
      ),
    );
    const turns = (await listTraces(store, chat)).map(({ turn }) => turn);
    expect(turns).toEqual(Array.from({ length: 200 }, (_, each) => each + 6));
    const lists = await store.redis.keys(`${tracePrefix}*`);
    expect(lists).toHaveLength(200);
  });
});

describe("the list of traces", () => {
  it("names the turns that have one, the newest last", async () => {
    const chat = newChat();
    await keep(
      traceRecord({ chat, turn: 9, atMs: 20 }),
      traceRecord({ chat, turn: 4, atMs: 10 }),
      traceRecord({ chat, turn: 5, atMs: 30 }),
    );
    // Its time is over, the index' is not.
    await store.redis.del(`${chatKeys(chat).tracePrefix}9`);
    expect(await listTraces(store, chat)).toEqual([
      { turn: 4, atMs: 10 },
      { turn: 5, atMs: 30 },
    ]);
    expect(await listTraces(store, newChat())).toEqual([]);
    expect(await readTrace(store, chat, 1)).toEqual([]);
  });

  it("of chats names each that has some", async () => {
    const chats = [newChat(), newChat({ thread: "12" })];
    await keep(...chats.map((chat) => traceRecord({ chat })));
    const listed = await listTracedChats(store);
    expect(listed.chats).toEqual(expect.arrayContaining(chats));
    expect(listed.more).toBe(false);
  });

  it("of chats ends after 1,000", async () => {
    await using other = await startTestRedis();
    const many = openStore(other.url, () => undefined);
    const adding = many.redis.pipeline();
    for (let index = 0; index < 1_100; index += 1)
      adding.zadd(chatKeys(newChat()).traces, "1", "1");
    await adding.exec();
    const { chats, more } = await listTracedChats(many);
    many.redis.disconnect();
    expect(chats).toHaveLength(1_000);
    expect(more).toBe(true);
  });
});

describe("a record that is too long", () => {
  it("has its long texts cut in the middle, saying by how much", async () => {
    const text = `begin ${"x".repeat(400_000)} end`;
    const record = askedWith([
      { role: "system", text: "You are Parley." },
      { role: "user", text },
    ]);
    await keep(record);
    const [json = ""] = await stored(record);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxRecordBytes);
    expect(Buffer.byteLength(json)).toBeGreaterThan(maxRecordBytes / 2);
    const [read] = await readTrace(store, record.chat, 1);
    const [system, user] = read?.request.messages ?? [];
    expect(system?.text).toBe("You are Parley.");
    expect(user?.text).toMatch(/^begin x+ … \[\d+ characters left out\] … x+ end$/);
    const [, amount] = /\[(\d+) characters/.exec(user?.text ?? "") ?? [];
    const kept = user?.text.replaceAll(/[^x]/g, "") ?? "";
    expect(kept.length + Number(amount)).toBe(400_000);
    expect(read?.response).toEqual(record.response);
  });

  it("loses messages of its middle where even short ones are too many, and counts them", async () => {
    const record = askedWith(
      Array.from({ length: 5_000 }, (_, index) => ({
        role: "user" as const,
        text: `message ${index} ${"y".repeat(100)}`,
      })),
    );
    await keep(record);
    const [read] = await readTrace(store, record.chat, 1);
    const messages = read?.request.messages ?? [];
    expect(messages[0]?.text).toMatch(/^message 0 /);
    expect(messages.at(-1)?.text).toMatch(/^message 4999 /);
    expect(messages.length + (read?.leftOut?.["messages"] ?? 0)).toBe(5_000);
  });

  it("fits, whatever it is made of", async () => {
    const long = fc.oneof(
      fc
        .constantFrom("\u0001", "ä", "😀", "x", "\ud800", '"')
        .chain((unit) => fc.nat(300_000).map((times) => unit.repeat(times))),
      fc.string(),
    );
    const nested = fc.nat(3_000).map((depth) => {
      let inner: Record<string, unknown> = { enum: ["a"] };
      for (let level = 0; level < depth; level += 1)
        inner = { [`${level}`.padEnd(200, "p")]: inner };
      return inner;
    });
    const wide = fc.nat(40_000).map((width) => ({ enum: Array.from({ length: width }, String) }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(long, { maxLength: 6 }),
        fc.oneof(nested, wide),
        fc.nat(20_000),
        fc.nat(3_000),
        async (texts, parameters, calls, many) => {
          const short = Array.from({ length: many }, () => "ä".repeat(190));
          const record = askedWith([...texts, ...short].map((text) => ({ role: "user", text })));
          const big: TraceRecord = {
            ...record,
            request: {
              ...record.request,
              tools: [{ name: "t", description: "", parameters }],
            },
            response: {
              ...record.response,
              calls: Array.from({ length: calls }, (_, index) => ({
                index,
                wireId: `w${index}`,
                name: "t",
                arguments: "{}",
              })),
            },
          };
          await keep(big);
          const [json = ""] = await stored(big);
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxRecordBytes);
          expect(await readTrace(store, big.chat, 1)).toHaveLength(1);
        },
      ),
      { numRuns: 12 },
    );
  });

  it("never holds a picture", async () => {
    const data = Buffer.from("a picture").toString("base64");
    const record = askedWith([
      {
        role: "user",
        text: "look",
        images: [{ mediaType: "image/png", data }],
      },
    ]);
    await keep(record);
    const [json] = await stored(record);
    expect(json).not.toContain(data);
    expect(json).toContain("image/png");
    const [read] = await readTrace(store, record.chat, 1);
    expect(read?.request.messages[0]).toMatchObject({
      images: [{ data: `[${data.length} characters of base64 left out]` }],
    });
  });
});

/** A log that remembers its warnings. */
function listening() {
  const warnings: { readonly lost?: number; readonly cause?: string }[] = [];
  return {
    warnings,
    log: { warn: (fields: object) => void warnings.push(fields) },
  };
}

describe("records of many turns", () => {
  it("are sent together, and none is missing", async () => {
    let sent = 0;
    const sentAtReply: number[] = [];
    const traces = tracesOn({
      store: {
        ...store,
        async run(...given) {
          sent += 1;
          const reply = await store.run(...given);
          sentAtReply.push(sent);
          return reply;
        },
      },
    });
    const records = Array.from({ length: 70 }, () => traceRecord({ chat: newChat() }));
    for (const record of records) traces.write(record);
    await until(async () => {
      const read = await Promise.all(records.map(({ chat }) => readTrace(store, chat, 1)));
      return read.every(([record], index) => record?.chat === records[index]?.chat);
    });
    // Within a batch no record waits for another one's reply.
    expect(Math.min(...sentAtReply)).toBe(32);
  });
});

describe("a Redis that stalls", () => {
  it("holds no one up, loses the oldest of what waits, and says so", async () => {
    const { store, resume } = await stalledStore();
    const { warnings, log } = listening();
    const traces = tracesOn({ store, log });
    const chat = newChat();
    for (let turn = 1; turn <= 300; turn += 1)
      traces.write(traceRecord({ chat, turn, atMs: turn }));
    expect(warnings).toEqual([{ lost: 1, cause: "Redis takes them too slowly" }]);
    resume();
    // 256 may wait.
    await until(async () => (await listTraces(store, chat)).some(({ turn }) => turn === 300));
    expect(await readTrace(store, chat, 44)).toEqual([]);
  });

  it("loses long records before they fill the memory", async () => {
    const { store, resume } = await stalledStore();
    const { warnings, log } = listening();
    const traces = tracesOn({ store, log });
    const chat = newChat();
    const text = "z".repeat(3_000_000);
    for (let turn = 1; turn <= 6; turn += 1)
      traces.write(askedWith([{ role: "user", text }], { chat, turn }));
    expect(warnings).toHaveLength(1);
    resume();
    await until(async () => (await listTraces(store, chat)).length === 5);
    expect(await readTrace(store, chat, 1)).toEqual([]);
  });

  it("does not hold up the end", async () => {
    const { store, resume } = await stalledStore();
    const { warnings, log } = listening();
    const traces = tracesOn({ store, log });
    for (let call = 1; call <= 10; call += 1) traces.write(traceRecord({ call }));
    await traces.flush();
    expect(warnings).toEqual([{ lost: 1, cause: "Redis did not take them before the end" }]);
    resume();
  });
});

describe("a record that cannot be kept", () => {
  it("is lost, said so, and the next one is kept", async () => {
    const { warnings, log } = listening();
    const traces = tracesOn({ log });
    const record = traceRecord();
    const list = `${chatKeys(record.chat).tracePrefix}1`;
    await store.redis.set(list, "something else");
    traces.write(record);
    traces.write({ ...record, turn: 2 });
    await traces.flush();
    expect(warnings).toEqual([{ lost: 1, cause: expect.stringContaining("WRONGTYPE") as string }]);
    expect(await readTrace(store, record.chat, 2)).toHaveLength(1);
  });

  it("does not disturb the turn either where it is no record at all", async () => {
    const { warnings, log } = listening();
    const traces = tracesOn({ log });
    traces.write({} as TraceRecord);
    await traces.flush();
    expect(warnings).toHaveLength(1);
  });
});

describe("warnings of lost traces", () => {
  it("come at once, then at most once a minute with what came together", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { warnings, log } = listening();
    const told = new TraceWarnings(log);
    for (let each = 0; each < 5; each += 1) told.lost("slow");
    expect(warnings).toEqual([{ lost: 1, cause: "slow" }]);
    vi.advanceTimersByTime(59_999);
    expect(warnings).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(warnings).toEqual([
      { lost: 1, cause: "slow" },
      { lost: 4, cause: "slow" },
    ]);
    vi.advanceTimersByTime(600_000);
    expect(warnings).toHaveLength(2);
    told.lost("slow again");
    expect(warnings).toHaveLength(3);
  });
});
