import { messageView, type MessageView } from "./message-view.ts";
import type { StoredChannel, StoredMessage, StoredUser } from "./model.ts";
import { idOf, type Reference, type World } from "./world.ts";

/**
 * What one person can reach: the channels they are in, and the messages there that are not for
 * someone else.
 */
export class Viewpoint {
  readonly #world: World;
  readonly #user: StoredUser;

  constructor(world: World, user: StoredUser) {
    this.#world = world;
    this.#user = user;
  }

  channel(reference: Reference): StoredChannel {
    const channel = this.#world.channel(reference);
    const guild = this.#world.guildOf(channel);
    const isIn = channel.recipientId === this.#user.id || guild?.members.has(this.#user.id);
    if (!isIn) throw new Error(`${this.#user.username} is not in channel ${channel.id}.`);
    return channel;
  }

  message(reference: Reference): StoredMessage {
    const message = this.#world.message(idOf(reference));
    if (!message || !this.#sees(message))
      throw new Error(`${this.#user.username} sees no message ${idOf(reference)}.`);
    this.channel(message.channelId);
    return message;
  }

  ownMessage(reference: Reference): StoredMessage {
    const message = this.message(reference);
    if (message.authorId !== this.#user.id)
      throw new Error(`Message ${message.id} is not ${this.#user.username}'s.`);
    return message;
  }

  messages(reference: Reference): MessageView[] {
    return this.#world
      .messagesOf(this.channel(reference).id)
      .filter((message) => this.#sees(message))
      .map(messageView);
  }

  #sees({ ephemeralFor }: StoredMessage): boolean {
    return ephemeralFor === undefined || ephemeralFor === this.#user.id;
  }
}
