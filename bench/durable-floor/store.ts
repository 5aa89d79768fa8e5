import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { writeTogether } from "../../src/store/redis/write-together.ts";
import { scripts } from "./scripts.ts";

/** Leases of chats and outboxes, in ms: as long as Parley's. */
export const leaseMs = 6_000;
/** Ids of updates and receipts are kept this long, in ms. */
const ledgerMs = 2 * 86_400_000;
/** An idle chat is kept this long, in ms. */
const retentionMs = 90 * 86_400_000;
const mostWaiting = 20;
export const shardCount = 256;
/** Chats whose outbox holds something, for the process that sends. */
export const readyKey = "floor:{ready}";

export const wakeKey = (shard: number): string => `floor:{s${shard}}:wake`;
export const turnMember = (chat: number): string => `in:${chat}`;
export const outboxMember = (chat: number): string => `out:${chat}`;

/** All keys of a chat share a slot, and so do the chats of a shard. */
export function keysOf(chat: number) {
  const shard = chat % shardCount;
  const key = (kind: string): string => `floor:{s${shard}}:${kind}:${chat}`;
  return {
    seen: key("seen"),
    state: key("state"),
    inbox: key("inbox"),
    history: key("history"),
    outbox: key("outbox"),
    sent: key("sent"),
    wake: wakeKey(shard),
  };
}

/** Names who holds a lease; writes with an old one are refused. */
const newToken = (): string => randomBytes(12).toString("base64url");

/** What a worker knows of a history from earlier turns. */
interface KnownHistory {
  readonly position: number;
  readonly epoch: string;
}
export interface Begun {
  readonly type: "begun";
  readonly token: string;
  readonly revision: number;
  readonly epoch: string;
  /** Where `messages` begin; 0 unless the worker knew what comes before. */
  readonly position: number;
  /** The model's messages, each as JSON. */
  readonly messages: readonly string[];
}
type Later = { readonly type: "later"; readonly inMs: number };
type Nothing = { readonly type: "nothing" };
export interface Opened {
  readonly type: "opened";
  readonly token: string;
  readonly id: string;
  /** As a JSON string. */
  readonly text: string;
  /** A process ended while it sent this: no one knows whether it arrived. */
  readonly mayHaveBeenSent: boolean;
}

type Part = string | number;
type Script = (keys: readonly string[], given: readonly Part[]) => Promise<unknown>;

export type Store = ReturnType<typeof openStore>;

/** @param url of a single Redis server */
export function openStore(url: string) {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  writeTogether(redis);
  const define = (name: keyof typeof scripts): Script => {
    const command = `floor-${name}`;
    redis.defineCommand(command, scripts[name]);
    const commands = redis as unknown as Record<string, (...parts: Part[]) => Promise<unknown>>;
    return (keys, given) => commands[command]!(...keys, ...given);
  };
  const accept = define("accept");
  const begin = define("begin");
  const commit = define("commit");
  const open = define("open");
  const receipt = define("receipt");
  return {
    redis,
    async accept(chat: number, update: number, message: string): Promise<void> {
      const { seen, inbox, wake } = keysOf(chat);
      await accept([seen, inbox, wake], [update, message, turnMember(chat), mostWaiting, ledgerMs]);
    },
    async begin(chat: number, known: KnownHistory | undefined): Promise<Begun | Later | Nothing> {
      const { state, inbox, history, wake } = keysOf(chat);
      const token = newToken();
      const { position: knownPosition, epoch: knownEpoch } = known ?? { position: 0, epoch: "" };
      const result = (await begin(
        [state, inbox, history, wake],
        [token, leaseMs, turnMember(chat), knownPosition, knownEpoch],
      )) as
        | readonly ["nothing"]
        | readonly ["later", number]
        | readonly ["begun", number, string, number, readonly string[]];
      if (result[0] === "nothing") return { type: "nothing" };
      if (result[0] === "later") return { type: "later", inMs: result[1] };
      const [, revision, epoch, position, messages] = result;
      return { type: "begun", token, revision, epoch, position, messages };
    },
    /** Returns how many messages wait, or undefined where another worker has leased the chat. */
    async commit(
      chat: number,
      { token, revision }: Begun,
      done: {
        /** As they go into the history, each as JSON. */
        readonly messages: readonly string[];
        /** The answer as a JSON string. */
        readonly answer: string;
        readonly inputTokens: number;
        readonly outputTokens: number;
      },
    ): Promise<number | undefined> {
      const { state, inbox, history, outbox, wake } = keysOf(chat);
      const [type, waiting] = (await commit(
        [state, inbox, history, outbox, wake],
        [
          token,
          revision,
          turnMember(chat),
          outboxMember(chat),
          `${revision} ${done.answer}`,
          done.inputTokens,
          done.outputTokens,
          retentionMs,
          ...done.messages,
        ],
      )) as readonly ["committed", number] | readonly ["fenced", undefined];
      return type === "committed" ? waiting : undefined;
    },
    async open(chat: number): Promise<Opened | Later | Nothing> {
      const { state, outbox, wake } = keysOf(chat);
      const token = newToken();
      const result = (await open([state, outbox, wake], [token, leaseMs, outboxMember(chat)])) as
        readonly ["nothing"] | readonly ["later", number] | readonly ["opened", string, string];
      if (result[0] === "nothing") return { type: "nothing" };
      if (result[0] === "later") return { type: "later", inMs: result[1] };
      const [, entry, interrupted] = result;
      const blank = entry.indexOf(" ");
      const id = entry.slice(0, blank);
      const text = entry.slice(blank + 1);
      return { type: "opened", token, id, text, mayHaveBeenSent: interrupted === id };
    },
    /** Returns how many entries are left to send. */
    async receipt(
      chat: number,
      { token, id }: Opened,
      messageId: number | "unknown",
    ): Promise<number> {
      const { state, outbox, wake, sent } = keysOf(chat);
      return (await receipt(
        [state, outbox, wake, sent],
        [token, outboxMember(chat), id, messageId, ledgerMs],
      )) as number;
    },
    /** Wakes the process that sends. */
    async ready(chat: number): Promise<void> {
      await redis.zadd(readyKey, "NX", Date.now(), chat);
    },
  };
}
