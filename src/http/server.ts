import fastify from "fastify";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { PermanentError } from "../core/errors.ts";

export interface HttpDeps {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Undefined when everything is up; else a sentence about what is not. */
  readonly unready: () => Promise<string | undefined>;
  readonly log: Logger;
}

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
}

/** Probes and metrics. @throws PermanentError that names the setting when the port cannot be had. */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = fastify({ logger: false, forceCloseConnections: true });
  server.get("/healthz", () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    const trouble = await deps.unready();
    if (trouble === undefined) return { status: "ready" };
    return await reply.code(503).send({ status: "not ready", reason: trouble });
  });
  server.get("/metrics", async (_request, reply) => {
    return await reply
      .type(registry.contentType)
      .send(await registry.metrics());
  });
  server.setErrorHandler(async (error, _request, reply) => {
    deps.log.error({ error }, "a request failed");
    return await reply.code(500).send({ status: "error" });
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

const listenProblems: Readonly<
  Record<string, (host: string, port: number) => string>
> = {
  EADDRINUSE: (host, port) =>
    `PARLEY_HTTP_PORT: port ${port} of ${host} is in use already; choose another one, 0 for any free one, or off.`,
  EACCES: (_host, port) =>
    `PARLEY_HTTP_PORT: port ${port} may not be opened by this user; choose one above 1023.`,
  EADDRNOTAVAIL: (host) =>
    `PARLEY_HTTP_HOST: ${host} is no address of this machine.`,
  ENOTFOUND: (host) => `PARLEY_HTTP_HOST: ${host} can't be found.`,
};
