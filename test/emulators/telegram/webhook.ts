import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Update } from "@grammyjs/types";
import { badRequest } from "./api-error.ts";
import type { Method } from "./method-context.ts";
import { booleanField, integerField, isRecord, jsonField, textField } from "./parameters.ts";
import { unixSeconds, type World } from "./world.ts";

/**
 * Pause before a failed delivery is repeated. The real server starts at 1 s and goes up to minutes.
 */
const firstRetryMs = 100;
const lastRetryMs = 2_000;

interface Target {
  readonly url: URL;
  readonly secretToken: string;
  readonly maxConnections: number;
  readonly stop: AbortController;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Delivers pending updates by POST while a webhook is set: in order within a chat, chats in
 * parallel, each repeated until a 2xx answer. An answer that names a `method` is carried out as a
 * call.
 */
export class Webhook {
  readonly #world: World;
  readonly #perform: (method: string, payload: Record<string, unknown>) => void;
  #target: Target | undefined;
  readonly #chains = new Map<string, Promise<void>>();
  readonly #queued = new Set<Update>();
  #lastError: { date: number; message: string } | undefined;
  /** HTTP status of every delivery attempt (0: no answer), in order. */
  readonly attempts: { readonly updateId: number; readonly status: number }[] = [];

  constructor(world: World, perform: (method: string, payload: Record<string, unknown>) => void) {
    this.#world = world;
    this.#perform = perform;
    world.changes.on("update", () => this.#pump());
  }

  get isSet(): boolean {
    return this.#target !== undefined;
  }

  readonly methods: Readonly<Record<string, Method>> = {
    setWebhook: ({ call: { payload } }) => {
      const address = textField(payload, "url");
      if (booleanField(payload, "drop_pending_updates")) this.#world.queue.clear();
      this.#unset();
      if (address !== "") {
        const secretToken = textField(payload, "secret_token");
        if (secretToken.length > 256) throw badRequest("secret token is too long");
        if (!/^[A-Za-z0-9_-]*$/.test(secretToken))
          throw badRequest("secret token contains unallowed characters");
        this.#target = {
          url: checkUrl(address),
          secretToken,
          maxConnections: integerField(payload, "max_connections") ?? 40,
          stop: new AbortController(),
        };
        this.#world.queue.allow(jsonField(payload, "allowed_updates", "allowed_updates"));
        this.#pump();
      }
      this.#world.changed();
      return true;
    },
    deleteWebhook: ({ call: { payload } }) => {
      if (booleanField(payload, "drop_pending_updates")) this.#world.queue.clear();
      this.#unset();
      this.#world.changed();
      return true;
    },
    getWebhookInfo: () => ({
      url: this.#target?.url.href ?? "",
      has_custom_certificate: false,
      pending_update_count: this.#world.queue.pending.length,
      ...(this.#target && { max_connections: this.#target.maxConnections }),
      ...(this.#world.queue.allowed && {
        allowed_updates: this.#world.queue.allowed,
      }),
      ...(this.#lastError && {
        last_error_date: this.#lastError.date,
        last_error_message: this.#lastError.message,
      }),
    }),
  };

  /** Stops deliveries and waits for their end. */
  async dispose(): Promise<void> {
    this.#unset();
    await Promise.all(this.#chains.values());
  }

  #unset(): void {
    this.#target?.stop.abort();
    this.#target = undefined;
    this.#lastError = undefined;
    this.#queued.clear();
  }

  #pump(): void {
    const target = this.#target;
    if (target === undefined) return;
    for (const update of this.#world.queue.pending) {
      if (this.#queued.has(update)) continue;
      this.#queued.add(update);
      const key = chatKey(update);
      const before = this.#chains.get(key) ?? Promise.resolve();
      this.#chains.set(
        key,
        before.then(() => this.#deliver(target, update)),
      );
    }
  }

  async #deliver(target: Target, update: Update): Promise<void> {
    const { signal } = target.stop;
    for (let pauseMs = firstRetryMs; !signal.aborted; pauseMs *= 2) {
      const answer = await post(target, update);
      if (signal.aborted) return;
      this.attempts.push({ updateId: update.update_id, status: answer.status });
      if (answer.status >= 200 && answer.status < 300) {
        this.#queued.delete(update);
        this.#world.queue.confirm(update);
        this.#world.changed();
        this.#carryOut(answer.body);
        // The same update may be pending once more: a redelivery.
        this.#pump();
        return;
      }
      this.#lastError = {
        date: unixSeconds(),
        message:
          answer.status === 0
            ? answer.body
            : `Wrong response from the webhook: ${answer.status} ${answer.body.slice(0, 40)}`,
      };
      this.#world.changed();
      await sleep(Math.min(pauseMs, lastRetryMs), undefined, { signal }).catch(() => undefined);
    }
  }

  #carryOut(body: string): void {
    if (!body.startsWith("{")) return;
    const { method, ...payload } = JSON.parse(body) as Record<string, unknown>;
    if (typeof method === "string") this.#perform(method, payload);
  }
}

/** The real server takes https only; http is taken here on the loopback. */
function checkUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw badRequest("invalid webhook URL specified");
  const loopback = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url.protocol !== "http:" || !loopback)
    throw badRequest("bad webhook: this emulator delivers over http on the loopback only");
  return url;
}

/** Updates with one key keep their order, like the server's webhook queue ids. */
function chatKey(update: Update): string {
  for (const content of Object.values(update) as unknown[]) {
    if (!isRecord(content)) continue;
    if (isRecord(content["chat"])) return `chat:${String(content["chat"]["id"])}`;
    if (isRecord(content["from"])) return `user:${String(content["from"]["id"])}`;
  }
  return "other";
}

/** Status 0 with a reason when no answer came. */
function post(target: Target, update: Update): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const body = JSON.stringify(update);
  const outgoing = request(target.url, {
    method: "POST",
    agent: false,
    signal: target.stop.signal,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...(target.secretToken === ""
        ? {}
        : { "x-telegram-bot-api-secret-token": target.secretToken }),
    },
  });
  outgoing.on("error", (error) => resolve({ status: 0, body: error.message }));
  outgoing.on("response", (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", (error) => resolve({ status: 0, body: error.message }));
    incoming.on("end", () =>
      resolve({
        status: incoming.statusCode ?? 0,
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });
  outgoing.end(body);
  return promise;
}
