import { byName } from "../../src/bots/keyed-queue/priority.ts";
import { Writable } from "node:stream";
import { pino } from "pino";
import { NoticeThrottle } from "../../src/bots/telegram/receive/notice-throttle.ts";
import { Receiver } from "../../src/bots/telegram/receive/receiver.ts";
import { Taps } from "../../src/bots/telegram/receive/taps.ts";
import { updateSchema } from "../../src/bots/telegram/receive/update.ts";
import type { Sender } from "../../src/core/ports.ts";
import type { Random } from "../chaos/storm/random.ts";
import { contents } from "../bots/telegram/payloads/contents.ts";
import { updates } from "../bots/telegram/payloads/updates.ts";
import { actorIds, actors, botId, cardId, IngressWorld, groupId } from "./ingress-world.ts";
import { must, PropertyBroken, type Fuzzer, type FuzzResult } from "./fuzzer.ts";
import { asText, mutated, type Json } from "./mutate.ts";
import { wordsOf } from "./words.ts";

/** Updates that are left out with a line in the log, for these reasons only. */
const skipped = /^(?:unexpected shape at|".*" cannot be part of a chat's key)/s;

/** Telegram's updates, from the bytes that arrive to what stands in Redis. */
export async function telegramFuzzer(): Promise<Fuzzer> {
  const world = await IngressWorld.open("telegram");
  const words = wordsOf(world);
  const stop = new AbortController();
  let trouble: string | undefined;
  const log = pino(
    { level: "warn" },
    new Writable({
      write(line: Buffer, _, done) {
        const { msg, cause } = JSON.parse(line.toString()) as Record<string, string>;
        if (!skipped.test(cause ?? "")) trouble = `${msg}: ${cause}`;
        done();
      },
    }),
  );
  let people: readonly number[] = [];
  const accept = (inbound: Parameters<ReturnType<IngressWorld["acceptFor"]>>[0]) =>
    world.acceptFor(people)(inbound);
  const api = {
    answerCallbackQuery: () => Promise.resolve(true as const),
    editMessageReplyMarkup: () => Promise.resolve(true as const),
    leaveChat: () => Promise.resolve(true as const),
    setMessageReaction: () => Promise.resolve(true as const),
  };
  const sender = {
    plain: () => [],
    send: () => Promise.reject(new PropertyBroken("nothing is sent")),
  } as unknown as Sender;
  const receiver = new Receiver({
    context: {
      bot: {
        id: botId,
        username: "parley_bot",
        hasCommand: (name) => world.commands.some(({ spec }) => spec.name === name),
      },
      files: { fetcher: () => () => Promise.resolve(Buffer.from("bytes")) },
    },
    accept,
    now: Date.now,
    commandsByName: byName(world.commands.map(({ spec }) => spec)),
    taps: new Taps({
      api,
      moves: { idOf: (chat) => Promise.resolve(chat) },
      accept,
      now: Date.now,
      log,
      sleep,
      signal: stop.signal,
    }),
    api,
    moves: {
      record: () => Promise.resolve(),
      idOf: (chat) => Promise.resolve(chat),
      nameOf: (id) => Promise.resolve(id),
    },
    noteReach: () => Promise.resolve(),
    noticeThrottle: new NoticeThrottle(),
    sender,
    log,
    signal: stop.signal,
    sleep,
    random: () => 0.5,
  });
  return {
    name: "telegram",
    covers:
      "update → schema → translation → queue → ingress → Redis; nobody talks, decides or administers who may not",
    mustReach: ["queued", "decided", "refused", "answered", "nothing"],
    make: (random) => asText(makeUpdate(random, words), random),
    async run(input): Promise<FuzzResult> {
      const update = parsed(input);
      if (update === undefined) return { passed: false, outcome: "no JSON" };
      people = speakersOf(update);
      trouble = undefined;
      await receiver.take(update as { readonly update_id: number });
      must(trouble === undefined, trouble ?? "");
      const outcome = await world.judge(people);
      return { passed: updateSchema.safeParse(update).success, outcome };
    },
    check: () => world.check(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Until the end: nothing here has a time limit. */
const sleep = (_: number, signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("over")), {
      once: true,
    });
  });

/** Undefined where the webhook would have refused it: no JSON, or no update. */
function parsed(input: string): Json | undefined {
  try {
    const value = JSON.parse(input) as Json;
    const isUpdate =
      typeof value === "object" &&
      value !== null &&
      "update_id" in value &&
      Number.isSafeInteger(value.update_id);
    return isUpdate ? value : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/**
 * The author of an update, by Telegram's own documentation: only what the server itself fills in
 * counts.
 */
function speakersOf(update: unknown): number[] {
  const all = fieldsOf(update);
  const writers = [all["message"], all["edited_message"]].map((each) => {
    const { sender_chat: chat, from } = fieldsOf(each);
    return chat === undefined ? fieldsOf(from) : {};
  });
  const { chat } = fieldsOf(all["stopped_message_generation"]);
  const tapper = fieldsOf(fieldsOf(all["callback_query"])["from"]);
  return [...writers.filter(({ is_bot }) => is_bot !== true), tapper, fieldsOf(chat)]
    .map(({ id }) => id)
    .filter((id) => typeof id === "number");
}

const person = (id: number): Json => ({
  id,
  is_bot: false,
  first_name: `Person ${id}`,
  username: `user${id}`,
  language_code: "en",
});

/** An update that one of the actors could cause, changed in some places. */
function makeUpdate(random: Random, words: readonly string[]): Json {
  const actor = random.pick(actorIds);
  const isPrivate = random.chance(0.4);
  const chat: Json = isPrivate
    ? { id: actor, type: "private", first_name: "Somebody" }
    : {
        id: groupId,
        type: "supergroup",
        title: "Team",
        ...(random.chance(0.2) ? { is_forum: true } : {}),
      };
  const from = person(actor);
  const given = { random, words };
  const update_id = random.whole(1, 2 ** 31);
  const message = {
    message_id: random.whole(1, 2 ** 31),
    date: 1_700_000_000,
    chat,
    from,
  };
  const dice = random.next();
  if (dice < 0.35) {
    const text =
      isPrivate || random.chance(0.3) ? random.pick(words) : `@parley_bot ${random.pick(words)}`;
    const entities = text.startsWith("@parley_bot")
      ? { entities: [{ type: "mention", offset: 0, length: 11 }] }
      : {};
    return mutated(
      {
        update_id,
        message: { ...message, text, ...entities, ...answering(random) },
      },
      given,
    );
  }
  if (dice < 0.6)
    return mutated({ update_id, callback_query: tap(random, { chat, from, words }) }, given, 2);
  if (dice < 0.85) {
    const content = random.pick(Object.values(contents)) as unknown as {
      readonly [key: string]: Json;
    };
    const field = random.chance(0.8) ? "message" : "edited_message";
    return mutated({ update_id, [field]: { ...message, ...content, ...answering(random) } }, given);
  }
  const [kind, update] = random.pick(Object.entries(updates));
  return mutated({ update_id, [kind]: update as unknown as Json }, given);
}

/** Often in answer to someone who may more, or to the bot. */
function answering(random: Random): { readonly [key: string]: Json } {
  if (random.chance(0.5)) return {};
  const from = person(random.pick([botId, actors.owner, actors.admin]));
  return {
    reply_to_message: {
      message_id: random.chance(0.5) ? cardId : 12,
      date: 1_700_000_000,
      chat: { id: groupId, type: "supergroup" },
      from,
      text: "Allow?",
    },
  };
}

function tap(
  random: Random,
  { chat, from, words }: { chat: Json; from: Json; words: readonly string[] },
): Json {
  const buttons = words.filter((word) => /^[a-z]{1,2}:/.test(word));
  const data = random.pick(buttons);
  return {
    id: String(random.whole(1, 2 ** 31)),
    from,
    chat_instance: "1",
    data,
    message: {
      message_id: random.chance(0.7) ? cardId : 5,
      date: 1_700_000_000,
      chat,
      from: person(botId),
      text: "Allow?",
      reply_markup: {
        inline_keyboard: [[{ text: "Yes", callback_data: data }]],
      },
    },
  };
}
