import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { collectDefaultMetrics, type Registry } from "prom-client";
import type { Webhook } from "../core/ports.ts";
import { addGauges, type GaugeSource } from "./gauges.ts";
import { createListener, listening } from "./listener.ts";

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
  const server = createListener({ maxConnections });
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
  const url = await listening(server.listen({ host, port }), {
    host,
    port,
    setting: "PARLEY_HTTP",
  });
  deps.log.info({ url }, "http listens");
  return {
    url,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
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
