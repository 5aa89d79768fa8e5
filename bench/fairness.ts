/**
 * Whether somebody's flood is anybody else's trouble: `npm run bench:fairness`, with `-- --messages 1000` for a smaller
 * flood than 10,000. One Parley, one Redis, an emulated Telegram and model; each abuse beside the same quiet people, whose
 * waiting is measured before it and while it lasts. Leaves nothing behind.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { OpenAiServer } from "../test/support/models/openai-server.ts";
import { ScriptedModel } from "../test/support/models/scripted-model.ts";
import { ParleyProcess } from "../test/support/parley/parley-process.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import type { ChatHandle } from "../test/support/telegram/chats.ts";
import type { Person } from "../test/support/telegram/person.ts";
import { TelegramServer } from "../test/support/telegram/telegram-server.ts";
import { abuses, type Abuse, type Scene } from "./fairness/abuses.ts";
import { usedBy } from "./support/process-tree.ts";

const apiKey = "sk-bench-0123456789abcdef";
const quietPeople = 10;
/** What each quiet person asks, and how long they wait between two questions. */
const questionsEach = 6;
const questionEveryMs = 1_000;
const patienceMs = 120_000;

export interface FairnessFigure {
  readonly abuse: string;
  /** Messages of the flood. */
  readonly messages: number;
  /** What quiet people waited, before the flood and while it lasted. Milliseconds. */
  readonly calm: Waits;
  readonly flooded: Waits;
  /** What the bot has said to those who flood, beside answers, and how many model calls they have cost. */
  readonly noticesPerPerson: number;
  readonly modelCalls: number;
  /** Of Parley's process, before and behind it. */
  readonly rssMegabytes: readonly [before: number, after: number];
}

export interface Waits {
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** @param messages of each flood. */
export async function benchFairness(options: {
  readonly messages: number;
  readonly only?: readonly string[];
  readonly say: (line: string) => void;
}): Promise<readonly FairnessFigure[]> {
  const figures: FairnessFigure[] = [];
  for (const abuse of abuses) {
    if (options.only?.includes(abuse.name) === false) continue;
    options.say(`${abuse.name} …`);
    figures.push(await underAbuse(abuse, options.messages));
  }
  return figures;
}

async function underAbuse(
  abuse: Abuse,
  messages: number,
): Promise<FairnessFigure> {
  await using redis = await startTestRedis();
  await using telegram = await TelegramServer.start();
  const model = ScriptedModel.textDriven();
  await using openai = await OpenAiServer.start({ model, apiKey });
  const quiet = Array.from({ length: quietPeople }, (_, index) =>
    telegram.person({ firstName: `Quiet ${index}` }),
  );
  const flooder = telegram.person({ firstName: "Flood" });
  const members = [...quiet, flooder].map(({ id }) => `"telegram:${id}"`);
  await using parley = new ParleyProcess({
    environment: {
      REDIS_URL: redis.url,
      OPENAI_BASE_URL: openai.baseUrl,
      OPENAI_API_KEY: apiKey,
      OPENAI_MODEL: "gpt-4o-mini",
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      LOG_LEVEL: "error",
    },
    config: `access: { mode: allowlist, allow: [${members.join(", ")}] }\nlimits: { person: { messages: 60/min } }\n`,
  });
  await telegram.waitFor(() => telegram.isPolled, {
    what: "a poll",
    timeoutMs: patienceMs,
  });
  const scene: Scene = { telegram, flooder, messages };
  await waitsOf(scene, quiet);
  const calm = await waitsOf(scene, quiet);
  const before = usedBy([parley.pid]).rssMegabytes;
  const callsBefore = model.requests.length;
  const flood = abuse.begin(scene);
  const flooded = await waitsOf(scene, quiet, flood.done);
  await flood.done;
  await telegram.waitFor(() => telegram.pendingUpdates.length === 0, {
    what: "every update to be taken",
    timeoutMs: patienceMs,
  });
  await settled(flood.chats, telegram);
  const said = flood.chats.flatMap((chat) =>
    telegram.botMessages(chat).map(({ text }) => text),
  );
  return {
    abuse: abuse.name,
    messages,
    calm,
    flooded,
    noticesPerPerson:
      said.filter((text) => !text.startsWith("flood")).length / flood.people,
    modelCalls: model.requests
      .slice(callsBefore)
      .filter(({ lastUserText }) => lastUserText.includes("flood")).length,
    rssMegabytes: [before, usedBy([parley.pid]).rssMegabytes],
  };
}

/** Nothing more is said there. */
async function settled(
  chats: readonly ChatHandle[],
  telegram: TelegramServer,
): Promise<void> {
  const count = (): number =>
    chats.reduce((sum, chat) => sum + telegram.botMessages(chat).length, 0);
  for (let last = -1; last !== count();) {
    last = count();
    await sleep(3_000);
  }
}

/** Everybody asks in their own time, until they have asked enough and `until` is over. */
async function waitsOf(
  { telegram }: Scene,
  people: readonly Person[],
  until: Promise<void> = Promise.resolve(),
): Promise<Waits> {
  const flood = { isOver: false };
  const over = async (): Promise<void> => {
    await until;
    flood.isOver = true;
  };
  const waits: number[] = [];
  await Promise.all([
    over(),
    ...people.map(async (person, index) => {
      const chat = telegram.privateChat(person);
      await sleep((index * questionEveryMs) / people.length);
      for (let asked = 0; asked < questionsEach || !flood.isOver; asked += 1) {
        const known = telegram.botMessages(chat).length;
        const word = `hello ${person.id} ${known}`;
        const atMs = performance.now();
        person.send(chat, `say ${word}`);
        await telegram.waitFor(
          () => telegram.botMessages(chat).at(-1)?.text === word,
          { what: `an answer to ${word}`, timeoutMs: patienceMs },
        );
        waits.push(performance.now() - atMs);
        await sleep(questionEveryMs);
      }
    }),
  ]);
  waits.sort((one, other) => one - other);
  const at = (share: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}

const row = (cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padEnd(index === 0 ? 34 : 16)).join("");
const ratio = (one: number, other: number): string =>
  `${one.toFixed(0)} → ${other.toFixed(0)} ms`;

/** The report for people. */
export function describeFairness(figures: readonly FairnessFigure[]): string {
  return [
    row([
      "abuse",
      "messages",
      "median",
      "p95",
      "ratio (median)",
      "notices each",
      "model calls",
      "memory",
    ]),
    ...figures.map(
      ({ calm, flooded, rssMegabytes: [before, after], ...each }) =>
        row([
          each.abuse,
          String(each.messages),
          ratio(calm.medianMs, flooded.medianMs),
          ratio(calm.p95Ms, flooded.p95Ms),
          (flooded.medianMs / calm.medianMs).toFixed(2),
          each.noticesPerPerson.toFixed(2),
          String(each.modelCalls),
          `${before.toFixed(0)} → ${after.toFixed(0)} MB`,
        ]),
    ),
  ].join("\n");
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      messages: { type: "string", default: "10000" },
      only: { type: "string" },
    },
  });
  const messages = Number(values.messages);
  if (!Number.isInteger(messages) || messages < 100) {
    console.error(
      `--messages is ${values.messages}: expected a whole number from 100 on`,
    );
    process.exitCode = 2;
  } else {
    const figures = await benchFairness({
      messages,
      ...(values.only === undefined ? {} : { only: values.only.split(",") }),
      say: (line) => console.error(line),
    });
    console.log(describeFairness(figures));
  }
}
