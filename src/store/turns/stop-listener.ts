import { Cluster, type Redis } from "ioredis";
import { messageOf } from "../../core/errors.ts";
import type { Connection } from "../redis/connection.ts";
import { stopChannel } from "./inbox.ts";

/**
 * Receives a signal when a chat is stopped or a message arrives that its
 * running turn may need at once. Only a shortcut for what the next heartbeat
 * reports anyway: a lost signal costs nothing more.
 */
export interface StopListener extends Disposable {
  readonly onStop: (chat: string, listener: () => void) => Disposable;
}

type OnError = (cause: string) => void;

/**
 * A subscribed connection takes no other commands, so this opens a separate one
 * to the same server as `redis`.
 */
export async function listenForStops(
  redis: Connection,
  onError: OnError = () => undefined,
): Promise<StopListener> {
  const listeners = new Map<string, () => void>();
  const hear = (chat: string) => listeners.get(chat)?.();
  const subscription = await (redis instanceof Cluster
    ? subscribeToAny(redis, hear, onError)
    : subscribeTo(redis, hear, onError));
  return {
    onStop(chat, listener) {
      listeners.set(chat, listener);
      return {
        [Symbol.dispose]: () => {
          if (listeners.get(chat) === listener) listeners.delete(chat);
        },
      };
    },
    [Symbol.dispose]() {
      listeners.clear();
      subscription[Symbol.dispose]();
    },
  };
}

async function subscribeTo(
  redis: Redis,
  hear: (chat: string) => void,
  onError: OnError,
): Promise<Disposable> {
  const subscriber = redis.duplicate();
  subscriber.on("error", (error) => onError(error.message));
  subscriber.on("message", (_channel, chat: string) => hear(chat));
  await subscriber.subscribe(stopChannel);
  return { [Symbol.dispose]: () => subscriber.disconnect() };
}

/** Between one server of a cluster that is lost and the next one that is asked. */
const nextServerMs = 500;

/**
 * Every server of a cluster passes on what is published at any. ioredis' own subscriptions to a
 * cluster try hundreds of servers in a second while none is there.
 */
async function subscribeToAny(
  cluster: Cluster,
  hear: (chat: string) => void,
  onError: OnError,
): Promise<Disposable> {
  const over = new AbortController();
  let subscriber: Redis | undefined;
  const subscribed = Promise.withResolvers<void>();
  const next = () => {
    if (over.signal.aborted) return;
    const nodes = cluster.nodes("master");
    subscriber = nodes[Math.floor(Math.random() * nodes.length)]?.duplicate({
      retryStrategy: () => null,
    });
    if (subscriber === undefined) {
      later();
      return;
    }
    subscriber.on("error", (error) => onError(error.message));
    subscriber.on("message", (_channel, chat: string) => hear(chat));
    subscriber.once("end", later);
    subscriber.subscribe(stopChannel).then(
      () => subscribed.resolve(),
      (error: unknown) => onError(messageOf(error)),
    );
  };
  const later = () => {
    setTimeout(next, nextServerMs).unref();
  };
  // A server that hangs would keep the connection; the cluster goes on without it.
  const leave = ({ options }: Redis) => {
    const { host, port } = subscriber?.options ?? {};
    if (options.host === host && options.port === port) subscriber?.disconnect();
  };
  cluster.on("-node", leave);
  next();
  await subscribed.promise;
  return {
    [Symbol.dispose]() {
      over.abort();
      cluster.off("-node", leave);
      subscriber?.disconnect();
    },
  };
}
