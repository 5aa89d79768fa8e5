import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "./api-error.ts";
import type { Fault } from "./faults.ts";
import { parseBody, readBytes, type RequestBody } from "./request-body.ts";
import type { ApiResponse, Call, World } from "./world.ts";

export interface ApiHandlerDependencies {
  readonly world: World;
  readonly faults: readonly Fault[];
  /** Carries a call out. `gone` aborts when its caller hung up. */
  readonly perform: (call: Call, gone: AbortSignal) => Promise<ApiResponse>;
}

interface Exchange {
  readonly call: Call;
  readonly response: ServerResponse;
  readonly endEdit: () => void;
  /** Aborts when the caller hung up, and when the answer has left. */
  readonly gone: AbortSignal;
}

/** Reads one HTTP request, applies faults, carries it out and answers. */
export class ApiHandler {
  readonly #deps: ApiHandlerDependencies;
  readonly #editsInFlight = new Set<string>();

  constructor(deps: ApiHandlerDependencies) {
    this.#deps = deps;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const route = /^\/(file\/)?bot([^/]*)\/(.*)$/.exec(url.pathname);
    const token = decodeURIComponent(route?.[2] ?? "");
    if (route === null || !/^\d+:[\w-]+$/.test(token))
      return respond(response, refusal(404, "Not Found"));
    if (token !== this.#deps.world.options.token)
      return respond(response, refusal(401, "Unauthorized"));
    const rest = decodeURIComponent(route[3] ?? "");
    if (route[1] !== undefined) return await this.#serveFile(rest, response);
    let bytes: Buffer;
    try {
      bytes = await readBytes(request);
    } catch {
      return; // The caller hung up before the end of its request.
    }
    const contentType = request.headers["content-type"] ?? "";
    let body: RequestBody;
    try {
      body = parseBody(contentType, bytes, url.searchParams);
    } catch (error) {
      return respond(response, asRefusal(error));
    }
    await this.#answer(this.#open(rest, body), response);
  }

  #open(method: string, body: RequestBody): Call {
    const { world } = this.#deps;
    const call: Call = {
      id: world.nextCount(),
      method,
      ...body,
      atMs: Date.now(),
      endedAtMs: undefined,
      response: undefined,
      outcome: "open",
      fault: undefined,
    };
    world.calls.push(call);
    world.changed();
    return call;
  }

  async #answer(call: Call, response: ServerResponse): Promise<void> {
    const { world } = this.#deps;
    const gone = new AbortController();
    const endEdit = this.#beginEdit(call);
    response.on("close", () => {
      endEdit();
      call.outcome = response.writableFinished ? "answered" : "dropped";
      call.endedAtMs = Date.now();
      gone.abort();
      world.changed();
    });
    if (world.options.latencyMs > 0 && !/^getUpdates$/i.test(call.method))
      await sleep(world.options.latencyMs, undefined, { ref: false });
    const fault = this.#deps.faults.find((candidate) => candidate.takes(call));
    const exchange = { call, response, endEdit, gone: gone.signal };
    if (fault === undefined) return this.#carryOut(exchange);
    await this.#misbehave(fault, exchange);
  }

  async #carryOut(exchange: Exchange): Promise<void> {
    const { call, response, endEdit, gone } = exchange;
    call.response = await this.#deps.perform(call, gone);
    // Before the answer leaves: its reader may send the next edit at once.
    endEdit();
    respond(response, call.response);
  }

  async #misbehave(fault: Fault, exchange: Exchange): Promise<void> {
    const { call, response, gone } = exchange;
    const { kind } = fault.rule;
    switch (kind.type) {
      case "status": {
        const { code, description, retryAfterSeconds } = kind;
        call.response = refusal(code, description, retryAfterSeconds);
        if (kind.body === "html") respondHtml(response, code, description);
        else respond(response, call.response);
        return;
      }
      case "hang":
        await Promise.race([fault.released, aborted(gone)]);
        if (!gone.aborted) await this.#carryOut(exchange);
        return;
      case "hang-up-before":
        response.socket?.destroy();
        return;
      case "hang-up-after":
        call.response = await this.#deps.perform(call, gone);
        response.socket?.destroy();
        return;
      case "delay":
        await Promise.race([sleep(kind.ms, undefined, { ref: false }), aborted(gone)]);
        // A request that arrived whole is carried out even if its caller is gone.
        await this.#carryOut(exchange);
        return;
      case "garbage":
        response.writeHead(200, { "content-type": "application/json" });
        response.end('{"ok":true,"result":');
        return;
      default:
        kind satisfies never;
    }
  }

  /**
   * Two edits of one message may arrive in either order, so only one may be open at a time.
   */
  #beginEdit(call: Call): () => void {
    if (!/^editMessage/i.test(call.method)) return () => undefined;
    const key = `${String(call.payload["chat_id"])}/${String(call.payload["message_id"])}`;
    if (this.#editsInFlight.has(key)) {
      this.#deps.world.violate("edits-in-flight", call.method, `message ${key}`);
      return () => undefined;
    }
    this.#editsInFlight.add(key);
    return () => this.#editsInFlight.delete(key);
  }

  /** A download is kept among the calls as `downloadFile`, so that faults can hit it. */
  async #serveFile(path: string, response: ServerResponse): Promise<void> {
    const call = this.#open("downloadFile", { payload: { path }, files: {} });
    const gone = new AbortController();
    response.on("close", () => {
      call.outcome = response.writableFinished ? "answered" : "dropped";
      call.endedAtMs = Date.now();
      gone.abort();
      this.#deps.world.changed();
    });
    const fault = this.#deps.faults.find((candidate) => candidate.takes(call));
    const files = this.#deps.world.files.values();
    const file = files.find((candidate) => candidate.path === path);
    const kind = fault?.rule.kind;
    if (kind?.type === "status") return respond(response, refusal(kind.code, kind.description));
    if (kind?.type === "hang") await Promise.race([fault?.released, aborted(gone.signal)]);
    else if (kind !== undefined) {
      // The connection breaks in the middle.
      response.writeHead(200, { "content-length": 1_000_000 });
      response.write(Buffer.alloc(1_000));
      response.socket?.end();
      return;
    }
    if (gone.signal.aborted) return;
    if (file === undefined) return respond(response, refusal(404, "Not Found"));
    response.writeHead(200, {
      "content-type": "application/octet-stream",
      "content-length": file.bytes.length,
    });
    response.end(file.bytes);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

function refusal(code: number, description: string, retryAfterSeconds?: number): ApiResponse {
  return {
    ok: false,
    error_code: code,
    description,
    ...(retryAfterSeconds === undefined ? {} : { parameters: { retry_after: retryAfterSeconds } }),
  };
}

/** What the server answers for a refused call; anything but an `ApiError` is thrown on. */
export function asRefusal(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) throw error;
  const { code, message, parameters } = error;
  return {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters === undefined ? {} : { parameters }),
  };
}

function respond(response: ServerResponse, body: ApiResponse): void {
  if (response.destroyed) return;
  const status = body.ok ? 200 : body.error_code;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function respondHtml(response: ServerResponse, code: number, description: string): void {
  response.writeHead(code, { "content-type": "text/html" });
  response.end(
    `<html>\r\n<head><title>${code} ${description}</title></head>\r\n<body><center><h1>${code} ${description}</h1></center><hr><center>nginx/1.18.0</center></body>\r\n</html>\r\n`,
  );
}
