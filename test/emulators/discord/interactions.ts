import { randomBytes } from "node:crypto";
import {
  ChannelType,
  GatewayDispatchEvents,
  InteractionResponseType,
  InteractionType,
  PermissionFlagsBits,
  type APIMessageInteractionMetadata,
} from "discord-api-types/v10";
import { ApiError } from "./api-error.ts";
import type { Changes } from "./changes.ts";
import type { GatewayEvent } from "./gateway/event.ts";
import type { Messages } from "./messages.ts";
import type { StoredChannel, StoredInteraction, StoredMessage, StoredUser } from "./model.ts";
import type { Options } from "./options.ts";
import { channelPayload, fullMemberPayload, userPayload } from "./payloads.ts";
import type { Recorder } from "./recorder.ts";
import type { World } from "./world.ts";

/**
 * Default upload limit of a person without Nitro, as interactions state it (docs: Interaction
 * Object).
 */
const attachmentSizeLimitBytes = 10 * 1024 * 1024;

/**
 * What interactions say that the bot may do in a direct message with it; to write is not among it
 * (docs: Interaction Structure).
 */
const directPermissions =
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.MentionEveryone |
  PermissionFlagsBits.UseExternalEmojis;

export interface NewInteraction {
  readonly type: InteractionType;
  /** For people: the command's name or the component's custom id. */
  readonly name: string;
  readonly user: StoredUser;
  readonly channel: StoredChannel;
  readonly data: unknown;
  readonly message?: StoredMessage;
  /** The id of the interaction whose form is sent. */
  readonly formOf?: string;
}

interface InteractionsDeps {
  readonly world: World;
  readonly messages: Messages;
  readonly recorder: Recorder;
  readonly changes: Changes;
  readonly options: Options;
  /** Returns how many sessions the event was sent to. */
  readonly dispatch: (event: GatewayEvent) => number;
}

/** Which callbacks may answer which interaction (docs: Interaction Callback Type). */
const {
  ChannelMessageWithSource,
  DeferredChannelMessageWithSource,
  DeferredMessageUpdate,
  UpdateMessage,
  ApplicationCommandAutocompleteResult,
  Modal,
} = InteractionResponseType;
const answers = [ChannelMessageWithSource, DeferredChannelMessageWithSource, Modal];
const allowedCallbacks: Partial<Record<InteractionType, readonly InteractionResponseType[]>> = {
  [InteractionType.ApplicationCommand]: answers,
  [InteractionType.MessageComponent]: [...answers, DeferredMessageUpdate, UpdateMessage],
  [InteractionType.ApplicationCommandAutocomplete]: [ApplicationCommandAutocompleteResult],
  // A form is not answered with another one.
  [InteractionType.ModalSubmit]: [ChannelMessageWithSource, DeferredChannelMessageWithSource],
};

/** Interactions with their deadlines and tokens. */
export class Interactions {
  readonly #deps: InteractionsDeps;
  readonly #byId = new Map<string, StoredInteraction>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(deps: InteractionsDeps) {
    this.#deps = deps;
  }

  create(created: NewInteraction): StoredInteraction {
    const { world, options } = this.#deps;
    const id = world.snowflakes.next();
    const random = randomBytes(48).toString("base64url");
    const token = Buffer.from(`interaction:${id}:${random}`).toString("base64url");
    const now = Date.now();
    const stored: StoredInteraction = {
      id,
      token,
      type: created.type,
      name: created.name,
      userId: created.user.id,
      channelId: created.channel.id,
      createdAtMs: now,
      payload: this.#payload(created, { id, token }),
      state: "open",
      tokenEndsAtMs: now + options.interactionTokenMs,
      ...(world.isBotIn(created.channel) ? {} : { visiting: { followUps: 0 } }),
      ...(created.message ? { sourceMessageId: created.message.id } : {}),
      ...(created.formOf === undefined ? {} : { formOf: created.formOf }),
    };
    this.#byId.set(id, stored);
    this.#watch(stored, this.redeliver(stored));
    return stored;
  }

  /** Sends the same INTERACTION_CREATE (again); returns how many sessions got it. */
  redeliver(interaction: StoredInteraction): number {
    return this.#deps.dispatch({
      name: GatewayDispatchEvents.InteractionCreate,
      guildId: this.#deps.world.channel(interaction.channelId).guildId,
      intents: 0,
      payload: () => interaction.payload,
    });
  }

  get(id: string): StoredInteraction | undefined {
    return this.#byId.get(id);
  }

  /** Throws 10062 for an unknown, late or foreign one, 40060 for one that was acknowledged. */
  open(id: string, token: string): StoredInteraction {
    const interaction = this.#byId.get(id);
    if (!interaction || interaction.token !== token || interaction.state === "missed")
      throw ApiError.of("unknownInteraction");
    if (interaction.state === "acknowledged") throw ApiError.of("alreadyAcknowledged");
    return interaction;
  }

  allows(interaction: StoredInteraction, type: InteractionResponseType): boolean {
    // A form that a message's button has opened may be answered as the button itself may.
    const ofMessage =
      interaction.type === InteractionType.ModalSubmit &&
      interaction.sourceMessageId !== undefined &&
      (type === DeferredMessageUpdate || type === UpdateMessage);
    return ofMessage || (allowedCallbacks[interaction.type]?.includes(type) ?? false);
  }

  acknowledge(interaction: StoredInteraction, type: InteractionResponseType, data: unknown): void {
    interaction.state = "acknowledged";
    interaction.acknowledgement = { type, data, atMs: Date.now() };
    this.#deps.changes.notify();
  }

  /** For the webhook routes: 50027 once the token has run out, 10015 before the acknowledgement. */
  byToken(applicationId: string, token: string): StoredInteraction {
    const interaction = [...this.#byId.values()].find((stored) => stored.token === token);
    if (applicationId !== this.#deps.world.applicationId) throw ApiError.of("unknownWebhook");
    if (!interaction || Date.now() >= interaction.tokenEndsAtMs)
      throw ApiError.of("invalidWebhookToken");
    if (interaction.state !== "acknowledged") throw ApiError.of("unknownWebhook");
    return interaction;
  }

  /** The token ends now, as it does after 15 minutes. */
  expire(id: string): void {
    const interaction = this.#byId.get(id);
    if (!interaction) throw new Error(`The emulated Discord has no interaction ${id}.`);
    interaction.tokenEndsAtMs = Date.now();
  }

  /** What a message that answers this interaction says about it. */
  metadata(interaction: StoredInteraction): APIMessageInteractionMetadata & { name?: string } {
    const { world } = this.#deps;
    const { guildId } = world.channel(interaction.channelId);
    const base = {
      id: interaction.id,
      user: userPayload(world.user(interaction.userId)),
      authorizing_integration_owners:
        interaction.visiting === undefined ? { 0: guildId ?? "0" } : { 1: interaction.userId },
    };
    const opener = this.#byId.get(interaction.formOf ?? "");
    if (interaction.type === InteractionType.ModalSubmit)
      return {
        ...base,
        type: InteractionType.ModalSubmit,
        triggering_interaction_metadata:
          opener?.sourceMessageId === undefined
            ? {
                ...base,
                id: opener?.id ?? interaction.id,
                type: InteractionType.ApplicationCommand,
              }
            : {
                ...base,
                id: opener.id,
                type: InteractionType.MessageComponent,
                interacted_message_id: opener.sourceMessageId,
              },
      };
    return interaction.sourceMessageId === undefined
      ? {
          ...base,
          type: InteractionType.ApplicationCommand,
          name: interaction.name,
        }
      : {
          ...base,
          type: InteractionType.MessageComponent,
          interacted_message_id: interaction.sourceMessageId,
        };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #watch(interaction: StoredInteraction, sessions: number): void {
    const { options, recorder, changes } = this.#deps;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (interaction.state !== "open") return;
      interaction.state = "missed";
      const audience = sessions === 0 ? " (no gateway session was there to take it)" : "";
      recorder.violation(
        `interaction ${interaction.id} (${interaction.name}) not acknowledged within ${options.interactionDeadlineMs} ms${audience}`,
      );
      changes.notify();
    }, options.interactionDeadlineMs);
    this.#timers.add(timer);
  }

  #payload(
    { type, user, channel, data, message }: NewInteraction,
    ids: { id: string; token: string },
  ) {
    const { world, messages } = this.#deps;
    const guild = world.guildOf(channel);
    const member = guild?.members.get(user.id);
    return {
      ...ids,
      application_id: world.applicationId,
      type,
      version: 1,
      data,
      channel_id: channel.id,
      channel: {
        ...channelPayload(world, channel),
        ...(guild ? { permissions: world.permissions(guild, user.id).toString() } : {}),
      },
      locale: user.locale,
      app_permissions: (guild && world.isBotIn(channel)
        ? world.botPermissions(channel)
        : directPermissions
      ).toString(),
      entitlements: [],
      authorizing_integration_owners: world.isBotIn(channel)
        ? { 0: guild?.id ?? "0" }
        : { 1: user.id },
      context: channel.type === ChannelType.DM ? 1 : 0,
      attachment_size_limit: attachmentSizeLimitBytes,
      ...(message ? { message: messages.payload(message, true) } : {}),
      ...(guild && member
        ? {
            guild_id: guild.id,
            guild_locale: "en-US",
            guild: { id: guild.id, locale: "en-US", features: [] },
            member: {
              ...fullMemberPayload(world, member),
              permissions: world.permissions(guild, user.id).toString(),
            },
          }
        : { user: userPayload(user) }),
    };
  }
}
