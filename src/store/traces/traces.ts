import { createHash } from "node:crypto";
import { setImmediate as othersFirst } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, gunzip, gzip, gzipSync } from "node:zlib";
import type { Logger } from "pino";
import { chatKeySchema, type ChatKey } from "../../core/chat.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import type { ToolSpec } from "../../core/model.ts";
import {
  tracedToolsSchema,
  traceRecordSchema,
  type TraceRecord,
  type TraceSink,
} from "../../core/trace.ts";
import { memoisedInPieces } from "../../util/memoised.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { parseStored } from "../stored.ts";
import { remembering } from "./remembering.ts";
import { briefRecord, toolsJson, traceJson } from "./trace-json.ts";
import { TraceQueue } from "./trace-queue.ts";
import { TraceWarnings } from "./trace-warnings.ts";

/** A turn keeps its newest records, a chat its newest turns. */
const maxRecords = 60;
const maxTurns = 200;
/** `listTracedChats` names no more than these. */
const maxChats = 1_000;

/**
 * Shorter ones are compressed in this thread: passing them to another takes longer, with twice the
 * processor time. Holds all that is kept of a long chat's request. UTF-16 units.
 */
const shortJson = 65_536;
/**
 * For these: the size into which most of them are packed, in bytes, and a small window. The default
 * buffers take longer to allocate than a short text to compress.
 */
const shortOptions = { chunkSize: 4_096, windowBits: 14 } as const;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface TraceOptions {
  readonly store: Store;
  /** Of a turn's trace, from its last record on. */
  readonly ttlMs: number;
  /** Takes the secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Stores the requests and answers of models. `flush` fulfils when all are written, or dropped after
 * a second.
 */
export function createTraces(options: TraceOptions): TraceSink & { flush(): Promise<void> } {
  const warnings = new TraceWarnings(options.log);
  // Most of a request was in the one before.
  const redact = remembering(options.redact);
  const toolsOf = memoisedInPieces((tools: readonly ToolSpec[]): StoredTools => {
    const json = toolsJson(tools, redact);
    return { json, digest: createHash("sha256").update(json).digest("base64url").slice(0, 22) };
  });
  const queue = new TraceQueue({
    async pack(record): Promise<Packed> {
      await othersFirst();
      const { request } = record;
      const [tools, more] = toolsOf(request.tools);
      // Others are rare: above some 8,000 tokens tools are searched for.
      if (tools === undefined || more !== undefined || tools.json.length > shortJson)
        return { record, bytes: await compressed(traceJson(record, redact)) };
      const without = { ...record, request: { ...request, tools: [] }, toolsDigest: tools.digest };
      return { record, bytes: await compressed(traceJson(without, redact)), tools };
    },
    write: (packed) => put(options, packed),
    warnings,
  });
  return {
    write(record) {
      try {
        queue.add(briefRecord(record));
      } catch (error) {
        warnings.lost(messageOf(error));
      }
    },
    flush: () => queue.flush(),
  };
}

/** The tools of a request: most requests have the same, and they are most of a short one. */
interface StoredTools {
  readonly json: string;
  readonly digest: string;
}

interface Packed {
  readonly record: TraceRecord;
  readonly bytes: Buffer;
  /** Stored once in a shard, as long as a trace needs them. */
  readonly tools?: StoredTools;
}

/**
 * Waits while the server refuses writes, as every script does; the queue bounds
 * the backlog.
 */
async function put({ store, ttlMs }: TraceOptions, packed: Packed): Promise<void> {
  const { record, bytes, tools } = packed;
  const { traces, tracePrefix, state, toolsPrefix } = chatKeys(record.chat);
  const keys = [`${tracePrefix}${record.turn}`, traces, state];
  if (tools !== undefined) keys.push(`${toolsPrefix}${tools.digest}`);
  const values = [bytes, record.turn, record.atMs, ttlMs, maxRecords, maxTurns, tracePrefix];
  const write = (toolBytes: Buffer | "") => store.run("trace", keys, [...values, toolBytes]);
  if ((await write("")) === toolsMissing && tools !== undefined)
    await write(await compressed(tools.json));
}

/** What the script returns where it needs the tools. */
const toolsMissing = 2;

/** Every call of every turn is written, and hardly one ever read. */
async function compressed(json: string): Promise<Buffer> {
  const level = constants.Z_BEST_SPEED;
  return json.length <= shortJson
    ? gzipSync(json, { level, ...shortOptions })
    : await compress(json, { level });
}

export interface TracedTurn {
  readonly turn: number;
  /** Of the newest record, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** The turns of a chat that have a trace, the newest last. */
export async function listTraces({ redis }: Store, chat: ChatKey): Promise<readonly TracedTurn[]> {
  const { traces, tracePrefix } = chatKeys(chat);
  const flat = await redis.zrange(traces, "0", "-1", "WITHSCORES");
  const listed: TracedTurn[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    listed.push({ turn: Number(flat[index]), atMs: Number(flat[index + 1]) });
  // The index lives as long as its newest turn.
  const exist = await Promise.all(listed.map(({ turn }) => redis.exists(`${tracePrefix}${turn}`)));
  return listed.filter((_each, index) => exist[index] === 1);
}

/**
 * The requests and answers of a turn's models, in order; empty if none are stored. @throws what
 * `parseStored` throws.
 */
export async function readTrace(
  { redis }: Store,
  chat: ChatKey,
  turn: number,
): Promise<readonly TraceRecord[]> {
  const { tracePrefix, toolsPrefix } = chatKeys(chat);
  const key = `${tracePrefix}${turn}`;
  const stored = await redis.lrangeBuffer(key, 0, -1);
  // A write whose reply was lost is sent again.
  const unique = new Map(stored.map((bytes) => [bytes.toString("base64"), bytes]));
  const records = [];
  const known = new Map<string, readonly ToolSpec[] | undefined>();
  for (const bytes of unique.values()) {
    const { toolsDigest, ...record } = parseStored(
      traceRecordSchema,
      key,
      await decompressed(key, bytes),
    );
    if (toolsDigest !== undefined && !known.has(toolsDigest))
      known.set(toolsDigest, await readTools(redis, `${toolsPrefix}${toolsDigest}`));
    records.push(toolsDigest === undefined ? record : withTools(record, known.get(toolsDigest)));
  }
  return records.sort((one, other) => one.call - other.call || one.atMs - other.atMs);
}

async function decompressed(key: string, bytes: Buffer): Promise<string> {
  const json = await decompress(bytes).catch((cause: unknown) => {
    throw new PermanentError(`the value at ${key} is not compressed`, { cause });
  });
  return json.toString();
}

/** Undefined: they are gone, which no one but an operator can have done. */
async function readTools(
  redis: Store["redis"],
  key: string,
): Promise<readonly ToolSpec[] | undefined> {
  const bytes = await redis.getBuffer(key);
  return bytes === null
    ? undefined
    : parseStored(tracedToolsSchema, key, await decompressed(key, bytes));
}

/** The record as it was before its tools were stored apart. */
const withTools = (record: TraceRecord, tools: readonly ToolSpec[] | undefined): TraceRecord =>
  tools === undefined
    ? {
        ...record,
        diagnostics: [...record.diagnostics, "the tools that were offered are no longer stored"],
      }
    : { ...record, request: { ...record.request, tools } };

/** The chats that have traces, by name; `more` when there are too many to name them all. */
export async function listTracedChats(store: Store): Promise<{
  readonly chats: readonly ChatKey[];
  readonly more: boolean;
}> {
  const prefix = /^parley:\{s\d+\}:traces:/;
  const found = new Set<ChatKey>();
  for await (const key of scanKeys(store, "parley:{s*}:traces:*")) {
    found.add(chatKeySchema.parse(key.replace(prefix, "")));
    if (found.size > maxChats) break;
  }
  const chats = [...found].sort();
  return { chats: chats.slice(0, maxChats), more: chats.length > maxChats };
}
