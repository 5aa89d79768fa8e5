import { Writable } from "node:stream";
import type { REST } from "discord.js";
import { pino } from "pino";
import { byName } from "../../src/bots/keyed-queue/priority.ts";
import { Held } from "../../src/bots/discord/receive/held.ts";
import { KeyedQueue } from "../../src/bots/keyed-queue/keyed-queue.ts";
import { OwnRoles } from "../../src/bots/discord/receive/own-roles.ts";
import { OwnWords } from "../../src/bots/discord/receive/own-words.ts";
import { interactionSchema, messageSchema } from "../../src/bots/discord/receive/payloads.ts";
import { Places } from "../../src/bots/discord/receive/places.ts";
import { References } from "../../src/bots/discord/receive/references.ts";
import { interactionReceiver } from "../../src/bots/discord/receive/receive-interaction.ts";
import { messageReceiver } from "../../src/bots/discord/receive/receive-message.ts";
import type { Accept } from "../../src/core/inbound.ts";
import { actorIds, botId, IngressWorld } from "./ingress-world.ts";
import { channelId, makeEvent } from "./discord-events.ts";
import { must, type Fuzzer, type FuzzResult } from "./fuzzer.ts";
import { asText, type Json } from "./mutate.ts";
import { wordsOf } from "./words.ts";

const bot = String(botId);

/** What may stand in the log: an input that was put aside, with the place that was odd. */
const putAside =
  /^(?:a message could not be read|an interaction could not be read|an interaction without id or token was left unanswered)$/;
// An id that Discord never gives makes no address, or no key.
const oddId = /cannot be part of a chat's key/;

interface Event {
  readonly t: "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "INTERACTION_CREATE";
  readonly d: Json;
}

/** Discord's messages and interactions, from the gateway's payload to what stands in Redis. */
export async function discordFuzzer(): Promise<Fuzzer> {
  const world = await IngressWorld.open("discord");
  const words = wordsOf(world);
  const stop = new AbortController();
  let trouble: string | undefined;
  const log = pino(
    { level: "warn" },
    new Writable({
      write(line: Buffer, _, done) {
        const { msg = "", cause = "" } = JSON.parse(line.toString()) as Record<string, string>;
        if (!putAside.test(msg) && !oddId.test(cause) && cause !== "URI malformed")
          trouble = `${msg}: ${cause}`;
        done();
      },
    }),
  );
  let people: readonly number[] = [];
  const accept: Accept = (inbound) => world.acceptFor(people)(inbound);
  const queue = new KeyedQueue();
  const receiving = {
    botId: bot,
    accept,
    now: Date.now,
    queue,
    log,
    signal: stop.signal,
    say: () => Promise.resolve(),
    commands: byName(world.commands.map(({ spec }) => spec)),
    fetchFile: () => Promise.resolve(Buffer.from("bytes")),
    held: new Held(log),
    handled: () => undefined,
  };
  const places = new Places({ known: () => undefined, rest: quietRest });
  const { fetchFile } = receiving;
  const references = new References({ rest: quietRest, places, botId: bot, fetchFile, log });
  const messages = messageReceiver({
    ...receiving,
    places,
    references,
    threads: undefined,
    ownWords: new OwnWords(),
    mark: () => Promise.resolve(),
    ownRoles: new OwnRoles({
      botId: bot,
      rest: { get: () => Promise.resolve([]) },
      log,
    }),
    chatter: new Held(log),
    before: () => undefined,
  });
  const receiveInteraction = interactionReceiver({
    ...receiving,
    rest: quietRest,
    references,
    completion: { complete: () => Promise.resolve(["one", "two"]) },
    hasOlder: (channel) => messages.hasOlder(channel),
    userInstalls: {
      begin: () => Promise.resolve(),
      remember: () => Promise.resolve(),
    },
  });
  const handle = ({ t, d }: Event): Promise<boolean> | undefined => {
    switch (t) {
      case "MESSAGE_CREATE":
        return messages.take(d);
      case "MESSAGE_UPDATE":
        return messages.takeEdit(d);
      default:
        return receiveInteraction(d);
    }
  };
  return {
    name: "discord",
    covers:
      "gateway payload → schema → translation → queue → ingress → Redis; nobody talks, decides or administers who may not",
    mustReach: ["queued", "decided", "refused", "answered", "nothing"],
    make: (random) => asText(makeEvent(random, words), random),
    async run(input): Promise<FuzzResult> {
      const event = parsed(input);
      if (event === undefined) return { passed: false, outcome: "no JSON" };
      people = speakersOf(event);
      trouble = undefined;
      await handle(event);
      await queue.idle();
      must(trouble === undefined, trouble ?? "");
      const outcome = await world.judge(people);
      const schema = event.t === "INTERACTION_CREATE" ? interactionSchema : messageSchema;
      return { passed: schema.safeParse(event.d).success, outcome };
    },
    check: () => world.check(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Answers whatever the bot says to Discord. */
const quietRest = {
  post: () => Promise.resolve({ resource: { message: { id: "9001" } } }),
  patch: () => Promise.resolve({ id: "9001" }),
  get: () => Promise.resolve({ id: channelId, type: 0, parent_id: null, flags: 0 }),
  delete: () => Promise.resolve(undefined),
} as unknown as Pick<REST, "post" | "patch" | "get" | "delete">;

function parsed(input: string): Event | undefined {
  try {
    const { t, d } = JSON.parse(input) as Event;
    return t === "MESSAGE_CREATE" || t === "MESSAGE_UPDATE" || t === "INTERACTION_CREATE"
      ? { t, d }
      : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The author of an event, by Discord's own documentation. */
function speakersOf({ t, d }: Event): number[] {
  const all = fieldsOf(d);
  const { user } = fieldsOf(all["member"]);
  const speaker = fieldsOf(t === "INTERACTION_CREATE" ? (user ?? all["user"]) : all["author"]);
  const isPerson = all["webhook_id"] === undefined && speaker["bot"] !== true;
  return actorIds.filter((id) => isPerson && String(id) === speaker["id"]);
}
