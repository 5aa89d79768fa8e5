import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import type { Call } from "../recorder.ts";
import { readBody } from "./body.ts";
import { Faults, type Fault } from "./faults.ts";
import { RateLimits, refusalBody, refusalHeaders } from "./rate-limits.ts";
import { matchRoute, restRequest, type RawRequest, type RestReply, type Route } from "./route.ts";

interface Answer extends RestReply {
  readonly headers: Record<string, string>;
  /** Sent as it is, and called JSON. */
  readonly text?: string;
}

/**
 * Discord's REST side over HTTP: reads, checks the credential, counts, misbehaves on command, and
 * logs every call.
 */
export class RestServer {
  readonly faults = new Faults();
  readonly server: Server;
  readonly #emulation: Emulation;
  readonly #routes: readonly Route[];
  readonly #rateLimits: RateLimits;
  readonly #closing = new AbortController();

  constructor(emulation: Emulation, routes: readonly Route[]) {
    this.#emulation = emulation;
    this.#routes = routes;
    this.#rateLimits = new RateLimits(emulation.options);
    this.server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (this.#closing.signal.aborted || request.destroyed) return;
        this.#emulation.recorder.violation(`the emulator itself failed: ${describe(error)}`);
        response.destroy();
      });
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://discord");
    if (url.pathname.startsWith("/attachments/")) return this.#serveFile(url, response);
    const method = request.method ?? "GET";
    const path = url.pathname
      .replace(/^\/api(?:\/v\d+)?/, "")
      .split("/")
      .map(decodeURIComponent)
      .join("/");
    const read = await readBody(request);
    const raw: RawRequest = { method, path, query: url.searchParams, ...read };
    const call: Call = {
      method,
      path,
      query: url.search,
      body: read.body,
      files: [...read.files.values()].map((file) => file.filename),
      atMs: Date.now(),
      status: undefined,
    };
    this.#emulation.recorder.call(call);
    const fault = this.faults.take(method, path, read.body);
    if (fault) call.fault = fault.type;
    const answer = await this.#misbehave(fault, response, () =>
      this.#answer(request, raw, url.pathname),
    );
    this.#emulation.recorder.finish(call, answer?.status ?? 0);
    if (answer) send(response, answer);
  }

  /** The answer, or undefined when there will be none. */
  async #misbehave(
    fault: Fault | undefined,
    response: ServerResponse,
    carryOut: () => Answer,
  ): Promise<Answer | undefined> {
    switch (fault?.type) {
      case undefined:
        return carryOut();
      case "status":
        return faultAnswer(fault);
      case "delay":
        await delay(fault.ms, undefined, { signal: this.#closing.signal });
        return carryOut();
      case "garbage":
        return { status: 200, headers: {}, text: '{"id": "12' };
      case "hang":
        return undefined;
      case "hang-up-before":
        response.destroy();
        return undefined;
      case "hang-up-after":
        carryOut();
        response.destroy();
        return undefined;
      default:
        throw new Error(`No such fault: ${JSON.stringify(fault satisfies never)}`);
    }
  }

  #answer(request: IncomingMessage, raw: RawRequest, fullPath: string): Answer {
    const { recorder } = this.#emulation;
    let headers: Record<string, string> = {};
    try {
      if (!request.headers["user-agent"]) {
        recorder.violation(`${raw.method} ${raw.path} had no User-Agent`);
        throw new ApiError(403, {
          code: 0,
          message: "A User-Agent is required",
        });
      }
      if (!fullPath.startsWith("/api/v10/")) {
        recorder.violation(`${fullPath} is not a path of API v10`);
        throw ApiError.of("invalidApiVersion");
      }
      const { route, parameters } = this.#match(raw);
      this.#authorise(route, request.headers.authorization);
      const verdict = this.#rateLimits.count(route, raw.path);
      headers = verdict.headers;
      if (verdict.refusal) {
        const { retryAfterSeconds, global } = verdict.refusal;
        return {
          status: 429,
          headers,
          body: refusalBody(retryAfterSeconds, global),
        };
      }
      if (
        raw.body === undefined &&
        raw.method !== "GET" &&
        Number(request.headers["content-length"] ?? 0) > 0
      )
        throw ApiError.of("invalidJson");
      return { ...route.handle(restRequest(raw, parameters)), headers };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, headers, body: error.body };
      throw error;
    }
  }

  #match(raw: RawRequest): ReturnType<typeof matchRoute> {
    try {
      return matchRoute(this.#routes, raw.method, raw.path);
    } catch (error) {
      this.#emulation.recorder.violation(`${raw.method} ${raw.path} is no route of the emulator`);
      throw error;
    }
  }

  /** A wrong bot token is refused on routes with a credential in their path, too. */
  #authorise(route: Route, authorization: string | undefined): void {
    if (route.credential === "token" && authorization === undefined) return;
    if (authorization !== `Bot ${this.#emulation.token}`) throw ApiError.of("unauthorized");
  }

  /** The CDN: anybody may fetch whose address is signed. */
  async #serveFile(url: URL, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(url.pathname);
    const call: Call = {
      method: "GET",
      path,
      query: url.search,
      body: undefined,
      files: [],
      atMs: Date.now(),
      status: undefined,
    };
    this.#emulation.recorder.call(call);
    const fault = this.faults.take("GET", path);
    if (fault) call.fault = fault.type;
    const isSigned = ["ex", "is", "hm"].every((key) => url.searchParams.has(key));
    const file = isSigned
      ? this.#emulation.world.attachments.get(path.split("/")[3] ?? "")
      : undefined;
    const answer = await this.#misbehave(fault, response, () => ({
      status: file ? 200 : 404,
      headers: {},
    }));
    this.#emulation.recorder.finish(call, answer?.status ?? 0);
    if (answer?.status === 200 && file) {
      response.writeHead(200, {
        "content-type": file.contentType,
        "content-length": file.bytes.byteLength,
      });
      response.end(file.bytes);
    } else if (answer)
      response.writeHead(answer.status).end("This content is no longer available.");
  }
}

function faultAnswer(fault: Fault & { type: "status" }): Answer {
  const { code, body, retryAfterSeconds, global = false } = fault;
  const limited = code === 429 || retryAfterSeconds !== undefined;
  const seconds = retryAfterSeconds ?? 1;
  return {
    status: code,
    headers: limited ? refusalHeaders(seconds, global) : {},
    body:
      body ??
      (code === 429 ? refusalBody(seconds, global) : { code: 0, message: `${code}: injected` }),
  };
}

function send(response: ServerResponse, answer: Answer): void {
  const { status, headers, body, text } = answer;
  if (text === undefined && body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const type = typeof body === "string" ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(text ?? (typeof body === "string" ? body : JSON.stringify(body)));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
