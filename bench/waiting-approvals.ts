/**
 * What approvals cost that wait: `npm run bench:waiting-approvals`, with `-- --count 1000` for
 * another number than 100,000 and `--per-chat 10` for several in a chat. Starts two Redises, one
 * where all chats wait and one where none does, and a deployment on each; leaves nothing behind.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ChatKey } from "../src/core/chat.ts";
import { chatKeys, shardCount, wakeKey } from "../src/store/keys.ts";
import { openStore, type Store } from "../src/store/redis/redis.ts";
import { OpenAiServer } from "../test/emulators/model/openai-server.ts";
import { ScriptedModel } from "../test/emulators/model/scripted-model.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { costByKind, passCost, usedBytes } from "./idle-chats/measure.ts";
import { leaveWaiting } from "./waiting-approvals/ask.ts";
import { Deployment } from "./waiting-approvals/deployment.ts";
import { describeReport, type Side, type WaitingReport } from "./waiting-approvals/report.ts";

const defaultCount = 100_000;
const maxCount = 1_000_000;
/** As many as one answer may ask for. */
const maxPerChat = 16;
const defaultTaps = 50;
/**
 * Before each tap: its two messages would else wait for Telegram's pace, of 30 a second, and not
 * for us. Milliseconds.
 */
const pauseMs = 100;

export interface WaitingOptions {
  readonly chats: number;
  readonly perChat: number;
  /** On each side. */
  readonly taps: number;
  readonly say: (line: string) => void;
}

export async function benchWaitingApprovals(options: WaitingOptions): Promise<WaitingReport> {
  const { chats, perChat, taps } = options;
  await using openai = await OpenAiServer.start({
    model: ScriptedModel.textDriven(),
    apiKey: "sk-bench",
  });
  await using waiting = await openSide(openai, options, perChat);
  await using idle = await openSide(openai, options, 0);
  const sides = [waiting, idle] as const;
  for (const { deployment } of sides) await deployment.start();
  const found = [];
  for (const { deployment } of sides) {
    const workerMegabytes = await deployment.workerMegabytes();
    await deployment.ask(taps);
    found.push({ workerMegabytes, jobs: await deployment.jobs() });
  }
  // What the cards have used of the pace comes back.
  await sleep(pauseMs * 10);
  const tapsMs: [number[], number[]] = [[], []];
  // By turns, so that whatever else the machine does is the same for both.
  for (let tap = 0; tap < taps; tap += 1)
    for (const index of tap % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      await sleep(pauseMs);
      tapsMs[index].push(await sides[index].deployment.tap());
    }
  const [first, second] = found;
  if (first === undefined || second === undefined) throw new TypeError("both sides were looked at");
  return {
    chats,
    perChat,
    asked: taps,
    waiting: { ...waiting.measured, ...first, tapsMs: tapsMs[0] },
    idle: { ...idle.measured, ...second, tapsMs: tapsMs[1] },
  };
}

interface OpenSide extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly measured: Pick<Side, "bytesPerChat" | "kinds" | "pass">;
}

/** @param perChat 0: no chat waits. */
async function openSide(
  openai: OpenAiServer,
  { chats, say }: WaitingOptions,
  perChat: number,
): Promise<OpenSide> {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await startTestRedis());
  const store = openStore(server.url, (error) => say(error.message));
  parts.defer(() => store.redis.disconnect());
  // Loads the scripts, whose memory is no one's.
  await leaveWaiting(store, { chats: 1, perChat, say: () => undefined });
  await store.redis.flushdb();
  const before = await usedBytes(store);
  await leaveWaiting(store, { chats, perChat, say });
  const bytesPerChat = ((await usedBytes(store)) - before) / chats;
  const kinds = [
    ...(await costByKind(store, chats, (chat) => approvalsOf(store, chat))),
    ...(await costOfWaking(store, chats)),
  ];
  const pass = await passCost(store);
  const deployment = parts.use(new Deployment(store, server.url, openai));
  const held = parts.move();
  return {
    deployment,
    measured: { bytesPerChat, kinds, pass },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The keys of what a chat waits for, and the ledgers of its cards. */
async function approvalsOf({ redis }: Store, chat: ChatKey): Promise<readonly string[]> {
  const ids = (await redis.hget(chatKeys(chat).state, "approvals")) ?? "";
  return ids
    .split(" ")
    .flatMap((id) => (id === "" ? [] : [`appr:${id}`, `sent:${chat}:card-${id}`]));
}

/** The shards' indexes; none where nothing waits. */
async function costOfWaking({ redis }: Store, chats: number) {
  let bytes = 0;
  for (let shard = 0; shard < shardCount; shard += 1) {
    const key = wakeKey(`s${shard}`);
    if ((await redis.exists(key)) === 0) continue;
    bytes += Number(await redis.call("MEMORY", "USAGE", key, "SAMPLES", "0"));
  }
  return bytes === 0
    ? []
    : [
        {
          kind: "wake",
          keysPerChat: shardCount / chats,
          bytesPerChat: bytes / chats,
        },
      ];
}

const say = (line: string): void => console.error(line);

/** Undefined where it is no whole number from 1 to this. */
function wholeNumber(text: string, max: number): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: String(defaultCount) },
      "per-chat": { type: "string", default: "1" },
    },
  });
  const count = wholeNumber(values.count, maxCount);
  const perChat = wholeNumber(values["per-chat"], maxPerChat);
  if (count === undefined || perChat === undefined || count % perChat !== 0) {
    console.error(
      `--count is ${values.count}, --per-chat ${values["per-chat"]}: expected whole numbers from 1 to ${maxCount} and to ${maxPerChat}, and the first a multiple of the second`,
    );
    process.exitCode = 2;
  } else {
    const report = await benchWaitingApprovals({
      chats: count / perChat,
      perChat,
      taps: defaultTaps,
      say,
    });
    console.log(describeReport(report));
  }
}
