/**
 * Whether someone's flood is anybody else's trouble: `npm run bench:fairness`. One Parley, one
 * Redis, an emulated Telegram and model; each abuse beside the same quiet people, whose waiting is
 * measured for as long before it as while it lasts. Prints the rows of docs/security.md. Leaves
 * nothing behind.
 *
 * `-- --messages 1000` a smaller flood than 10,000 · `--only "one person in one chat,1000
 * strangers"` · `--allowance 600` so many messages of a person are answered in a minute, not 60 ·
 * `--limit 120` seconds after which a flood is given up.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { messageOf } from "../src/core/errors.ts";
import { OpenAiServer } from "../test/emulators/model/openai-server.ts";
import { ScriptedModel } from "../test/emulators/model/scripted-model.ts";
import { ParleyProcess } from "../test/support/parley/parley-process.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import type { ChatHandle } from "../test/emulators/telegram/chats.ts";
import { TelegramServer } from "../test/emulators/telegram/telegram-server.ts";
import { abuses, messagesPerSecond, type Abuse, type Scene } from "./fairness/abuses.ts";
import { askUntil, waitsOf } from "./fairness/quiet-people.ts";
import { describeCircumstances, describeFairness, type FairnessFigure } from "./fairness/report.ts";
import { usedBy } from "./support/process-tree.ts";

const apiKey = "sk-bench-0123456789abcdef";
const quietPeople = 10;
/** What is compiled on first use is compiled then. */
const warmUpMs = 3_000;

export interface FairnessOptions {
  /** Of each flood. */
  readonly messages: number;
  /** Of one person that are answered, in a minute. */
  readonly allowance: number;
  /** For one flood and what is measured before it. Milliseconds. */
  readonly limitMs: number;
}

/** @throws where a flood was not over in time. */
async function underAbuse(
  abuse: Abuse,
  { messages, allowance, limitMs }: FairnessOptions,
): Promise<FairnessFigure> {
  const endsAtMs = performance.now() + limitMs;
  const leftMs = () => Math.max(1, endsAtMs - performance.now());
  const signal = AbortSignal.timeout(limitMs);
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
    config: `access: { mode: allowlist, allow: [${members.join(", ")}] }\nlimits: { person: { messages: ${allowance}/min } }\n`,
  });
  await telegram.waitFor(() => telegram.isPolled, {
    what: "a poll",
    timeoutMs: leftMs(),
  });
  const scene: Scene = { telegram, flooder, messages, signal };
  const askFor = (until: Promise<unknown>) => askUntil(telegram, quiet, { until, leftMs });
  await askFor(sleep(warmUpMs));
  const calm = await askFor(sleep((messages / messagesPerSecond) * 1_000));
  const before = usedBy([parley.pid]).rssMegabytes;
  const callsBefore = model.requests.length;
  const flood = abuse.begin(scene);
  const taken = flood.done.then(() =>
    telegram.waitFor(() => telegram.pendingUpdates.length === 0, {
      what: "every update to be taken",
      timeoutMs: leftMs(),
    }),
  );
  const flooded = await askFor(taken);
  await settled(flood.chats, scene);
  const said = flood.chats.flatMap((chat) => telegram.botMessages(chat).map(({ text }) => text));
  return {
    abuse: abuse.name,
    messages,
    calm: waitsOf(calm),
    flooded: waitsOf(flooded),
    noticesPerPerson: said.filter((text) => !text.startsWith("flood")).length / flood.people,
    modelCalls: model.requests
      .slice(callsBefore)
      .filter(({ lastUserText }) => lastUserText.includes("flood")).length,
    rssMegabytes: [before, usedBy([parley.pid]).rssMegabytes],
  };
}

/** Nothing more is said there. */
async function settled(chats: readonly ChatHandle[], { telegram, signal }: Scene): Promise<void> {
  const count = (): number =>
    chats.reduce((sum, chat) => sum + telegram.botMessages(chat).length, 0);
  for (let last = -1; last !== count(); signal.throwIfAborted()) {
    last = count();
    await sleep(3_000);
  }
}

/** One abuse after another; one that is not over in time leaves the others alone. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      messages: { type: "string", default: "10000" },
      allowance: { type: "string", default: "60" },
      limit: { type: "string", default: "180" },
      only: { type: "string" },
    },
  });
  const numbers = {
    messages: Number(values.messages),
    allowance: Number(values.allowance),
    limit: Number(values.limit),
  };
  for (const [name, value] of Object.entries(numbers))
    if (!Number.isInteger(value) || value < 1)
      throw new TypeError(`--${name}: expected a whole number from 1 on`);
  const names = abuses.map(({ name }) => name);
  const chosen = values.only?.split(",") ?? names;
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`--only: there is no "${unknown}" among ${names.join(", ")}`);
  const { messages, allowance, limit } = numbers;
  const figures: FairnessFigure[] = [];
  for (const abuse of abuses.filter(({ name }) => chosen.includes(name))) {
    console.error(`${abuse.name} …`);
    const options = { messages, allowance, limitMs: limit * 1_000 };
    try {
      const figure = await underAbuse(abuse, options);
      figures.push(figure);
      console.error(describeCircumstances([figure]));
    } catch (error) {
      console.error(`given up: ${messageOf(error)}`);
      process.exitCode = 1;
    }
  }
  if (figures.length > 0) console.log(describeFairness(figures));
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 2;
  }
}
