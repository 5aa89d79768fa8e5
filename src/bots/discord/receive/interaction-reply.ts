import {
  DiscordAPIError,
  InteractionResponseType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
} from "discord.js";
import type { APIModalInteractionResponseCallbackData, REST } from "discord.js";
import { z } from "zod";
import type { Button } from "../../../core/outbox.ts";
import { retried } from "../retry.ts";
import { editedMessage } from "../send/message-body.ts";

export interface InteractionHandle {
  readonly id: string;
  readonly application_id: string;
  readonly token: string;
}

/** Discord's deadline for the first answer. */
const acknowledgeWithinMs = 3_000;
/** A first answer that fails quickly is tried again while that can help. */
const acknowledgeRetryMs = 2_000;

const messageSchema = z.object({
  id: z.string(),
  flags: z.number().int().optional(),
});
const callbackSchema = z.object({
  resource: z.object({ message: messageSchema.optional() }).nullish(),
});

const nobody = { parse: [], replied_user: false } as const;

interface ReplyDeps {
  readonly rest: Pick<REST, "post" | "patch" | "get" | "delete">;
  readonly signal: AbortSignal;
}

/**
 * Answers one interaction: `open → acknowledged`, then edits and follow-ups for 15 minutes. Its
 * requests carry the interaction's own token and not the bot's.
 */
export class InteractionReply {
  readonly #handle: InteractionHandle;
  readonly #deps: ReplyDeps;

  constructor(handle: InteractionHandle, deps: ReplyDeps) {
    this.#handle = handle;
    this.#deps = deps;
  }

  /**
   * Shows "thinking …". @returns the id of the message that will be the answer. @throws what REST
   * throws.
   */
  defer({ isPrivate }: { readonly isPrivate: boolean }): Promise<string | undefined> {
    const data = isPrivate ? { flags: MessageFlags.Ephemeral } : {};
    return this.#acknowledge({
      type: InteractionResponseType.DeferredChannelMessageWithSource,
      data,
    });
  }

  /** A tap: nothing is shown. */
  async deferUpdate(): Promise<void> {
    await this.#acknowledge({
      type: InteractionResponseType.DeferredMessageUpdate,
    });
  }

  /** The whole answer at once, for the person alone. */
  async say(content: string): Promise<void> {
    const data = {
      content,
      flags: MessageFlags.Ephemeral,
      allowed_mentions: nobody,
    };
    await this.#acknowledge({
      type: InteractionResponseType.ChannelMessageWithSource,
      data,
    });
  }

  /** At most 25, each of 1 to 100 characters. */
  async suggest(values: readonly string[]): Promise<void> {
    const choices = values.map((value) => ({ name: value, value }));
    await this.#acknowledge({
      type: InteractionResponseType.ApplicationCommandAutocompleteResult,
      data: { choices },
    });
  }

  /** The filled-in form arrives as a separate interaction. */
  async showForm(data: APIModalInteractionResponseCallbackData): Promise<void> {
    await this.#acknowledge({ type: InteractionResponseType.Modal, data });
  }

  /** Whether "thinking …" is still all that there is. @throws what REST throws. */
  async isThinking(): Promise<boolean> {
    const original = await this.#deps.rest.get(this.#webhook("@original"), {
      auth: false,
    });
    const flags = messageSchema.safeParse(original).data?.flags ?? 0;
    return (flags & MessageFlags.Loading) !== 0;
  }

  /** Replaces "thinking …", or its replacement. */
  async edit(content: string, buttons: readonly Button[] = []): Promise<void> {
    const body = editedMessage({ text: content }, { buttons });
    await this.#persist(() =>
      this.#deps.rest.patch(this.#webhook("@original"), { auth: false, body }),
    );
  }

  /** Removes "thinking …", or its replacement. */
  async withdraw(): Promise<void> {
    try {
      await this.#persist(() =>
        this.#deps.rest.delete(this.#webhook("@original"), { auth: false }),
      );
    } catch (failure) {
      if (!isGone(failure)) throw failure;
    }
  }

  /** One more message, for the person alone. A lost reply may double it. */
  async followUp(content: string, buttons: readonly Button[] = []): Promise<void> {
    const { application_id, token } = this.#handle;
    const body = {
      ...editedMessage({ text: content }, { buttons }),
      flags: MessageFlags.Ephemeral,
    };
    await this.#persist(() =>
      this.#deps.rest.post(Routes.webhook(application_id, token), {
        auth: false,
        body,
      }),
    );
  }

  async #acknowledge(body: unknown): Promise<string | undefined> {
    const { id, token } = this.#handle;
    const startedAtMs = performance.now();
    const signal = AbortSignal.timeout(acknowledgeWithinMs);
    const send = () =>
      this.#deps.rest.post(Routes.interactionCallback(id, token), {
        auth: false,
        body,
        query: new URLSearchParams({ with_response: "true" }),
        signal,
      });
    try {
      const response = await retried(send, {
        signal,
        firstDelayMs: 100,
        maxDelayMs: 1_000,
        again: (failure) =>
          isPassing(failure) && performance.now() - startedAtMs < acknowledgeRetryMs,
      });
      return callbackSchema.safeParse(response).data?.resource?.message?.id;
    } catch (failure) {
      if (!isRepeated(failure)) throw failure;
      return this.#originalId();
    }
  }

  /**
   * It was acknowledged before: the request's reply was lost, or the interaction was delivered
   * again.
   */
  async #originalId(): Promise<string | undefined> {
    const original = await this.#deps.rest
      .get(this.#webhook("@original"), { auth: false })
      .catch(() => undefined);
    return messageSchema.safeParse(original).data?.id;
  }

  #webhook(message: string) {
    const { application_id, token } = this.#handle;
    return Routes.webhookMessage(application_id, token, message);
  }

  async #persist(request: () => Promise<unknown>): Promise<void> {
    await retried(request, {
      signal: this.#deps.signal,
      firstDelayMs: 500,
      maxDelayMs: 10_000,
      again: (failure, attempts) => isPassing(failure) && attempts < 8,
    });
  }
}

const overCodes: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownWebhook,
]);

/** Whether a failure means that the interaction's token is good for nothing any more. */
export const isOver = (failure: unknown): boolean =>
  failure instanceof DiscordAPIError && overCodes.has(failure.code);

/** Anything but Discord's own refusal may pass: rate limits, 5xx, the network. */
const isPassing = (failure: unknown): boolean => !(failure instanceof DiscordAPIError);

/** Also where the first request's reply was lost. */
const isGone = (failure: unknown): boolean =>
  failure instanceof DiscordAPIError && failure.code === RESTJSONErrorCodes.UnknownMessage;

const isRepeated = (failure: unknown): boolean =>
  failure instanceof DiscordAPIError &&
  failure.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
