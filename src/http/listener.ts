import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { PermanentError } from "../core/errors.ts";

/**
 * Milliseconds. A client that sends its request or its headers more slowly is answered 408 and cut
 * off; Node looks every `checkMs`.
 */
const slowest = { headersMs: 10_000, requestMs: 30_000, checkMs: 5_000 };

/** @param options.maxConnections open at the same time; more are closed as they come. */
export function createListener({
  maxConnections,
  ...options
}: FastifyServerOptions & { readonly maxConnections: number }): FastifyInstance {
  const server = fastify({
    logger: false,
    forceCloseConnections: true,
    requestTimeout: slowest.requestMs,
    http: {
      headersTimeout: slowest.headersMs,
      connectionsCheckingInterval: slowest.checkMs,
    },
    ...options,
  });
  server.server.maxConnections = maxConnections;
  closeUnread(server);
  return server;
}

/**
 * Closes the connection if it is answered before the body was read: otherwise Node reads the whole
 * body to reuse the connection.
 */
function closeUnread(server: FastifyInstance): void {
  server.addHook("onSend", async (request, reply) => {
    const { raw } = request;
    if (raw.complete || !hasBody(raw.headers)) return;
    reply.header("connection", "close");
    reply.raw.once("finish", () => closeSoon(raw.socket));
  });
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Milliseconds for the answer to arrive: a socket that is destroyed with unread bytes takes its
 * answer along.
 */
const lingerMs = 200;

function closeSoon(socket: Socket): void {
  socket.pause();
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs);
}

interface Address {
  readonly host: string;
  readonly port: number;
  /** What its settings begin with: `_PORT` and `_HOST` follow. */
  readonly setting: "PARLEY_HTTP" | "PARLEY_PAGE";
}

/** @throws PermanentError that names the setting when the port cannot be had. */
export async function listening(url: Promise<string>, address: Address): Promise<string> {
  try {
    return await url;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const problem = problems[code];
    if (problem === undefined) throw error;
    throw new PermanentError(`${address.setting}_${problem(address)}`, { cause: error });
  }
}

const problems: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT: port ${port} of ${host} is in use already; choose another one, 0 for any free one, or off.`,
  EACCES: ({ port }) => `PORT: port ${port} may not be opened by this user; choose one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST: ${host} can't be found.`,
};
