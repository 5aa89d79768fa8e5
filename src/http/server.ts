import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { collectDefaultMetrics, type Registry } from "prom-client";
import { PermanentError } from "../core/errors.ts";
import type { Webhook } from "../core/ports.ts";
import { addGauges, type GaugeSource } from "./gauges.ts";

export interface HttpDeps {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Undefined when everything is up; else a sentence about the problem. */
  readonly unready: () => Promise<string | undefined>;
  /** The active pause, e.g. `all`; only queried when everything is up. Never rejects. */
  readonly paused: () => Promise<readonly string[]>;
  /** Where a platform may post to; a process that has only begun has none yet. */
  readonly webhook: (path: string) => Webhook | undefined;
  /** The process's own metrics. */
  readonly registry: Registry;
  /** In addition to them. */
  readonly gauges: readonly GaugeSource[];
  readonly log: Logger;
}

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
}

/** Bytes; several times what the longest message makes with all that it quotes. */
const maxBodyBytes = 4 * 1_048_576;

/**
 * Milliseconds. A client that sends its request or its headers more slowly is answered 408 and cut
 * off; Node looks every `checkMs`.
 */
const slowest = { headersMs: 10_000, requestMs: 30_000, checkMs: 5_000 };
/** Connections open at the same time; more are closed as they come. Telegram opens at most 100. */
const maxConnections = 1_000;

/**
 * Probes, metrics, and what platforms post to us. @throws PermanentError that names the setting
 * when the port cannot be had.
 */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const { registry } = deps;
  collectDefaultMetrics({ register: registry });
  addGauges(registry, deps.gauges);
  const server = fastify({
    logger: false,
    forceCloseConnections: true,
    requestTimeout: slowest.requestMs,
    http: {
      headersTimeout: slowest.headersMs,
      connectionsCheckingInterval: slowest.checkMs,
    },
  });
  server.server.maxConnections = maxConnections;
  closeUnread(server);
  server.get("/healthz", () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    const reason = await deps.unready();
    if (reason === undefined) {
      // A deployment that an admin has paused is still ready.
      const paused = await deps.paused();
      return { status: "ready", ...(paused.length > 0 ? { paused } : {}) };
    }
    return await reply.code(503).send({ status: "not ready", reason });
  });
  server.get("/metrics", async (_request, reply) => {
    return await reply.type(registry.contentType).send(await registry.metrics());
  });
  addWebhooks(server, deps.webhook);
  server.setErrorHandler(async (error, _request, reply) => {
    const { statusCode = 500 } = error as { readonly statusCode?: number };
    const isOurs = statusCode < 400 || statusCode >= 500;
    if (isOurs) deps.log.error({ error }, "a request failed");
    else deps.log.warn({ error }, "refused a request");
    return await reply.code(isOurs ? 500 : statusCode).send({ status: "error" });
  });
  const { host, port } = deps;
  const url = await listening(server.listen({ host, port }), deps);
  deps.log.info({ url }, "http listens");
  return {
    url,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
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

/** The body is only read for authorised senders, and parsed by the platform's handler. */
function addWebhooks(server: FastifyInstance, webhookAt: HttpDeps["webhook"]): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  server.post("/*", {
    bodyLimit: maxBodyBytes,
    async onRequest(request, reply) {
      const webhook = webhookAt(pathOf(request.url));
      if (webhook === undefined) await reply.code(404).send();
      else if (!webhook.allows(request.headers)) await reply.code(401).send();
    },
    async handler(request, reply) {
      const { body, url } = request;
      const answer = await webhookAt(pathOf(url))?.handle(typeof body === "string" ? body : "");
      if (answer?.retryAfterSeconds !== undefined)
        reply.header("retry-after", answer.retryAfterSeconds);
      return await reply.code(answer?.status ?? 404).send();
    },
  });
}

const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

async function listening(
  url: Promise<string>,
  { host, port }: Pick<HttpDeps, "host" | "port">,
): Promise<string> {
  try {
    return await url;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const problem = listenProblems[code];
    if (problem === undefined) throw error;
    throw new PermanentError(problem(host, port), { cause: error });
  }
}

const listenProblems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `PARLEY_HTTP_PORT: port ${port} of ${host} is in use already; choose another one, 0 for any free one, or off.`,
  EACCES: (_host, port) =>
    `PARLEY_HTTP_PORT: port ${port} may not be opened by this user; choose one above 1023.`,
  EADDRNOTAVAIL: (host) => `PARLEY_HTTP_HOST: ${host} is no address of this machine.`,
  ENOTFOUND: (host) => `PARLEY_HTTP_HOST: ${host} can't be found.`,
};
