import { InteractionResponseType } from "discord-api-types/v10";
import type { Emulation } from "./emulation.ts";
import { arrayOf, objectOf, type JsonObject } from "./json.ts";
import { matches, messageView, type MessageMatch, type MessageView } from "./message-view.ts";
import type { Acknowledgement, StoredInteraction } from "./model.ts";

/** What a person's command, press or autocomplete led to. */
export class InteractionHandle {
  readonly #emulation: Emulation;
  readonly #interaction: StoredInteraction;

  constructor(emulation: Emulation, interaction: StoredInteraction) {
    this.#emulation = emulation;
    this.#interaction = interaction;
  }

  get id(): string {
    return this.#interaction.id;
  }

  /** The message whose button was pressed. */
  get sourceMessageId(): string | undefined {
    return this.#interaction.sourceMessageId;
  }

  get token(): string {
    return this.#interaction.token;
  }

  get state(): StoredInteraction["state"] {
    return this.#interaction.state;
  }

  /** The first callback's type and data; rejects when the deadline passes without one. */
  acknowledged(): Promise<Acknowledgement> {
    return this.#emulation.changes.waitFor(
      () => {
        if (this.#interaction.state === "missed")
          throw new Error(`Interaction ${this.id} was never acknowledged.`);
        return this.#interaction.acknowledgement;
      },
      {
        what: `acknowledgement of interaction ${this.id} (${this.#interaction.name})`,
      },
    );
  }

  /** The form that it was answered with. */
  form(): JsonObject {
    const { acknowledgement } = this.#interaction;
    if (acknowledgement?.type !== InteractionResponseType.Modal)
      throw new Error(`Interaction ${this.id} was not answered with a form.`);
    return objectOf(acknowledgement.data);
  }

  /** What was suggested, for an autocomplete. */
  async suggestions(): Promise<readonly unknown[]> {
    const { data } = await this.acknowledged();
    return arrayOf(objectOf(data)["choices"]).map((choice) => objectOf(choice)["value"]);
  }

  /**
   * Its first answer and its followups that are there now, in order; after an update, the updated
   * message first.
   */
  responses(): MessageView[] {
    const { world } = this.#emulation;
    const { originalId } = this.#interaction;
    return world
      .messagesOf(this.#interaction.channelId)
      .filter((message) => message.interactionId === this.id || message.id === originalId)
      .map(messageView);
  }

  /** The first response that is filled and matches. */
  response(match: MessageMatch = "", options: { timeoutMs?: number } = {}): Promise<MessageView> {
    return this.#emulation.changes.waitFor(
      () => this.responses().find((message) => !message.loading && matches(message, match)),
      {
        what: `response to ${this.#interaction.name} that matches ${String(match)}`,
        ...options,
      },
    );
  }
}
