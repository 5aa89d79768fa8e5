import { ApiError } from "./api-error.ts";
import { asRefusal } from "./api-handler.ts";
import { callbackMethods } from "./callback-methods.ts";
import { chatMethods } from "./chat-methods.ts";
import { commandMethods } from "./command-methods.ts";
import { fileMethods } from "./file-methods.ts";
import { messageMethods } from "./message-methods.ts";
import { reactionMethods } from "./reaction-methods.ts";
import type { Method } from "./method-context.ts";
import { Poller } from "./poller.ts";
import { Webhook } from "./webhook.ts";
import type { ApiResponse, Call, World } from "./world.ts";

/** Finds a call's method and runs it; every outcome is a response. */
export class Dispatcher {
  readonly #world: World;
  readonly poller: Poller;
  readonly webhook: Webhook;
  /** By lower-case name: the server doesn't mind the case. */
  readonly #methods: ReadonlyMap<string, Method>;

  constructor(world: World) {
    this.#world = world;
    this.poller = new Poller(world);
    this.webhook = new Webhook(world, (method, payload) => this.#webhookReply(method, payload));
    this.#methods = new Map(
      Object.entries({
        ...messageMethods,
        ...reactionMethods,
        ...fileMethods,
        ...callbackMethods,
        ...commandMethods,
        ...chatMethods,
        ...this.webhook.methods,
      }).map(([name, method]) => [name.toLowerCase(), method]),
    );
  }

  /** `gone` aborts when the caller hung up. */
  async perform(call: Call, gone: AbortSignal): Promise<ApiResponse> {
    try {
      return { ok: true, result: await this.#run(call, gone) };
    } catch (error) {
      if (error instanceof ApiError) return asRefusal(error);
      this.#world.violate(
        "emulator-failure",
        call.method,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      return asRefusal(new ApiError(500, "Internal Server Error"));
    }
  }

  #run(call: Call, gone: AbortSignal): unknown {
    const context = { world: this.#world, call };
    const name = call.method.toLowerCase();
    if (name === "getupdates") return this.poller.getUpdates(context, this.webhook.isSet, gone);
    const method = this.#methods.get(name);
    if (method === undefined) {
      this.#world.violate("unknown-method", call.method, "");
      throw new ApiError(404, "Not Found");
    }
    if (name === "setwebhook" && call.payload["url"])
      this.poller.conflict("terminated by setWebhook request");
    return method(context);
  }

  #webhookReply(method: string, payload: Record<string, unknown>): void {
    const call: Call = {
      id: this.#world.nextCount(),
      method,
      payload,
      files: {},
      atMs: Date.now(),
      endedAtMs: Date.now(),
      response: undefined,
      // A bot that calls through a webhook's answer never sees the result.
      outcome: "dropped",
      fault: undefined,
    };
    this.#world.calls.push(call);
    void this.#performUnanswered(call);
  }

  async #performUnanswered(call: Call): Promise<void> {
    call.response = await this.perform(call, AbortSignal.abort());
    this.#world.changed();
  }
}
