import { Cluster, type Redis } from "ioredis";
import type { Connection } from "./connection.ts";

/**
 * Combines everything sent within one round of the event loop into one write: many concurrent turns
 * cost one system call and one wake-up of the server instead of one per command. The order is kept,
 * and no command waits for input that hasn't arrived yet.
 */
export function writeTogether(connection: Connection): void {
  if (connection instanceof Cluster) {
    for (const node of connection.nodes()) ofServer(node);
    connection.on("+node", ofServer);
  } else ofServer(connection);
}

/**
 * One answer for all who ask within one step of the event loop: the command leaves at its end, so
 * that no one gets an older answer than their own would be.
 */
export function askTogether<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    if (asked === undefined) {
      process.nextTick(() => {
        asked = undefined;
      });
      asked = ask();
    }
    return asked;
  };
}

function ofServer(redis: Redis): void {
  redis.on("connect", () => {
    // Each connection has a separate stream.
    const { stream } = redis;
    const write = stream.write.bind(stream) as (...parts: unknown[]) => boolean;
    let isHeld = false;
    const release = (): void => {
      isHeld = false;
      stream.uncork();
    };
    stream.write = (...parts: unknown[]): boolean => {
      if (!isHeld) {
        isHeld = true;
        stream.cork();
        // After everything that has come in is handled, and before the process waits for more.
        setImmediate(release);
      }
      return write(...parts);
    };
  });
}
