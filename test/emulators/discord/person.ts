import {
  ApplicationCommandType,
  ComponentType,
  InteractionType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
  PollLayoutType,
  StickerFormatType,
  type APIMessage,
} from "discord-api-types/v10";
import {
  commandData,
  menuData,
  resolveId,
  type CommandPath,
  type OptionValue,
  type OptionValues,
} from "./command-options.ts";
import { pressable } from "./components.ts";
import type { Emulation } from "./emulation.ts";
import { InteractionHandle } from "./interaction-handle.ts";
import { filledForm } from "./forms.ts";
import { everybody, findMentions } from "./mentions.ts";
import { messageView, type MessageView } from "./message-view.ts";
import type { MessageExtras, StoredChannel, StoredMessage, StoredUser } from "./model.ts";
import { Viewpoint } from "./viewpoint.ts";
import { idOf, type Reference, type World } from "./world.ts";

export interface OutgoingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string;
}

interface SentPoll {
  readonly question: string;
  readonly answers: readonly string[];
  /** Of each answer; those without any are left out by Discord. */
  readonly votes?: readonly number[];
  readonly hasEnded?: boolean;
}

export interface SendOptions {
  readonly replyTo?: Reference;
  /** A reply pings its author unless this is false. */
  readonly ping?: boolean;
  /** Puts a mention of the bot before the content. A mention inside the content counts anyway. */
  readonly mentionsBot?: boolean;
  readonly attachments?: readonly OutgoingFile[];
  /** A voice message: one sound file and nothing else. */
  readonly isVoice?: boolean;
  /** Names of stickers, at most 3. */
  readonly stickers?: readonly string[];
  /** A poll's question, or all of it; a poll comes without words. */
  readonly poll?: string | SentPoll;
  /** Discord doesn't look up what it answers, as it does now and then: `referenced_message` is absent. */
  readonly leavesOutAnswered?: boolean;
}

/**
 * Someone (or some other bot) who uses Discord's own client: it refuses what that client would
 * refuse.
 */
export class Person {
  readonly id: string;
  readonly username: string;
  readonly mention: string;
  readonly #emulation: Emulation;
  readonly #user: StoredUser;
  readonly #view: Viewpoint;

  constructor(emulation: Emulation, user: StoredUser) {
    this.#emulation = emulation;
    this.#user = user;
    this.#view = new Viewpoint(emulation.world, user);
    this.id = user.id;
    this.username = user.username;
    this.mention = `<@${user.id}>`;
  }

  send(channel: Reference, content: string, options: SendOptions = {}): MessageView {
    const { world, messages } = this.#emulation;
    const stored = this.#view.channel(channel);
    const text = options.mentionsBot ? `<@${world.bot.id}> ${content}` : content;
    const answered =
      options.replyTo === undefined ? undefined : this.#view.message(options.replyTo);
    const allowed = { ...everybody, repliedUser: options.ping ?? true };
    const extras = extrasOf(world, options);
    if (text.trim() === "" && !options.attachments?.length && Object.keys(extras).length === 0)
      throw new Error("Discord sends no empty message.");
    const message = messages.create({
      extras,
      flags: options.isVoice ? MessageFlags.IsVoiceMessage : 0,
      channelId: stored.id,
      authorId: this.id,
      content: text.trim(),
      ...findMentions(world, text, {
        allowed,
        repliedUserId: answered?.authorId,
      }),
      attachments: (options.attachments ?? []).map(({ name, ...file }) =>
        world.addFile({
          filename: name,
          contentType: "application/octet-stream",
          ...file,
          ...(options.isVoice ? { durationSeconds: 2.5 } : {}),
        }),
      ),
      ...(answered ? { type: MessageType.Reply, referenceId: answered.id } : {}),
      ...(options.leavesOutAnswered ? { leavesOutAnswered: true } : {}),
    });
    return messageView(message);
  }

  edit(message: Reference, content: string): MessageView {
    const { world, messages } = this.#emulation;
    const stored = this.#view.ownMessage(message);
    const found = findMentions(world, content, { allowed: everybody });
    return messageView(messages.edit(stored, { content: content.trim(), ...found }));
  }

  /** Forwards a message that this person sees; it comes as a copy, without words of their own. */
  forward(channel: Reference, original: Reference): MessageView {
    const { world, messages } = this.#emulation;
    const stored = this.#view.channel(channel);
    const source = this.#view.message(original);
    const { guildId } = world.channel(source.channelId);
    const copied = messages.payload(source, true);
    // Docs: Message Types; Message Reference.
    if (!isForwardable(copied)) throw new Error("Discord forwards no such message.");
    const snapshot = {
      attachments: copied.attachments,
      components: copied.components ?? [],
      content: copied.content,
      edited_timestamp: copied.edited_timestamp,
      embeds: copied.embeds,
      flags: copied.flags ?? 0,
      mention_roles: copied.mention_roles,
      mentions: copied.mentions,
      sticker_items: copied.sticker_items ?? [],
      timestamp: copied.timestamp,
      type: copied.type,
    };
    return messageView(
      messages.create({
        channelId: stored.id,
        authorId: this.id,
        flags: MessageFlags.HasSnapshot,
        extras: {
          message_reference: {
            type: MessageReferenceType.Forward,
            message_id: source.id,
            channel_id: source.channelId,
            ...(guildId === undefined ? {} : { guild_id: guildId }),
          },
          // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- copied from what was sent
          message_snapshots: [{ message: snapshot }],
        },
      }),
    );
  }

  delete(message: Reference): void {
    this.#emulation.messages.remove(this.#view.ownMessage(message));
  }

  react(message: Reference, emoji: string): void {
    this.#emulation.messages.react(this.#view.message(message), emoji, this.id);
  }

  /** Runs a registered slash command; throws when no such command is registered here. */
  slash(
    channel: Reference,
    name: string,
    options: OptionValues = {},
    path: CommandPath = {},
  ): InteractionHandle {
    const stored = this.#view.channel(channel);
    const command = this.#command(ApplicationCommandType.ChatInput, name, stored);
    const data = commandData(this.#emulation, command, {
      channel: stored,
      path,
      values: options,
    });
    return this.#interact(stored, {
      type: InteractionType.ApplicationCommand,
      name,
      data,
    });
  }

  /** Types `value` into the option `focused`, which must be registered with `autocomplete`. */
  autocomplete(
    channel: Reference,
    name: string,
    typing: CommandPath & {
      focused: string;
      value: OptionValue;
      options?: OptionValues;
    },
  ): InteractionHandle {
    const stored = this.#view.channel(channel);
    const command = this.#command(ApplicationCommandType.ChatInput, name, stored);
    const { focused, value, options, ...path } = typing;
    const values = { ...options, [focused]: value };
    const data = commandData(this.#emulation, command, {
      channel: stored,
      path,
      values,
      focused,
    });
    return this.#interact(stored, {
      type: InteractionType.ApplicationCommandAutocomplete,
      name,
      data,
    });
  }

  /** Chooses a registered message menu ("Apps → …") on a message. */
  menu(channel: Reference, name: string, message: Reference): InteractionHandle {
    const stored = this.#view.channel(channel);
    const target = this.#view.message(message);
    const command = this.#command(ApplicationCommandType.Message, name, stored);
    const resolved = {
      messages: { [target.id]: this.#emulation.messages.payload(target, true) },
    };
    const data = menuData(command, target.id, resolved);
    return this.#interact(stored, {
      type: InteractionType.ApplicationCommand,
      name,
      data,
    });
  }

  /**
   * Fills in the form that an interaction was answered with; throws what Discord's client would not
   * send.
   */
  fillIn(
    channel: Reference,
    form: InteractionHandle,
    values: Readonly<Record<string, string>>,
  ): InteractionHandle {
    const stored = this.#view.channel(channel);
    const { name, data } = filledForm(form.form(), values);
    const { sourceMessageId } = form;
    return this.#interact(stored, {
      type: InteractionType.ModalSubmit,
      name,
      data,
      formOf: form.id,
      ...(sourceMessageId === undefined ? {} : { message: this.#view.message(sourceMessageId) }),
    });
  }

  /** What a modified client can send: a form that no one has shown. */
  fillInForged(channel: Reference, customId: string, value: string): InteractionHandle {
    const component = {
      type: ComponentType.TextInput,
      id: 2,
      custom_id: "question",
      value,
    };
    return this.#interact(this.#view.channel(channel), {
      type: InteractionType.ModalSubmit,
      name: customId,
      data: {
        custom_id: customId,
        components: [{ type: ComponentType.Label, id: 1, component }],
      },
    });
  }

  /** Chooses a registered user menu on a person. */
  userMenu(channel: Reference, name: string, person: Reference): InteractionHandle {
    const { world } = this.#emulation;
    const stored = this.#view.channel(channel);
    const command = this.#command(ApplicationCommandType.User, name, stored);
    const target = world.user(idOf(person));
    const resolved = resolveId(this.#emulation, stored, target.id);
    const data = menuData(command, target.id, resolved);
    return this.#interact(stored, {
      type: InteractionType.ApplicationCommand,
      name,
      data,
    });
  }

  /** Presses a button that is there now and enabled, by its label or custom id. */
  press(channel: Reference, message: Reference, labelOrCustomId: string): InteractionHandle {
    const stored = this.#view.message(message);
    const customId = pressable(stored.components, labelOrCustomId);
    return this.pressForged(channel, message, customId);
  }

  /** What a modified client can send: any custom id, on any message that the person can see. */
  pressForged(channel: Reference, message: Reference, customId: string): InteractionHandle {
    const data = {
      custom_id: customId,
      component_type: ComponentType.Button,
      id: 1,
    };
    return this.#component(channel, message, data);
  }

  /** Chooses values of a select menu. */
  select(
    channel: Reference,
    message: Reference,
    choice: { customId: string; values: readonly string[] },
  ): InteractionHandle {
    const { customId, values } = choice;
    const data = {
      custom_id: customId,
      component_type: ComponentType.StringSelect,
      id: 1,
      values,
    };
    return this.#component(channel, message, data);
  }

  /** From now on the bot is an app of this person's own, too. */
  install(): void {
    this.#user.hasInstalled = true;
  }

  /** From now on the bot's direct messages to this person end in 50007. */
  block(): void {
    this.#user.blocksBot = true;
  }

  unblock(): void {
    this.#user.blocksBot = false;
  }

  /** The channel as this person sees it: with their own ephemeral messages and no one else's. */
  messages(channel: Reference): MessageView[] {
    return this.#view.messages(channel);
  }

  #component(
    channel: Reference,
    message: Reference,
    data: { custom_id: string },
  ): InteractionHandle {
    const stored = this.#view.channel(channel);
    const target = this.#view.message(message);
    if (target.channelId !== stored.id)
      throw new Error(`Message ${target.id} is in another channel.`);
    const name = data.custom_id;
    return this.#interact(stored, {
      type: InteractionType.MessageComponent,
      name,
      data,
      message: target,
    });
  }

  #interact(
    channel: StoredChannel,
    interaction: {
      type: InteractionType;
      name: string;
      data: unknown;
      message?: StoredMessage;
      formOf?: string;
    },
  ): InteractionHandle {
    const { interactions } = this.#emulation;
    return new InteractionHandle(
      this.#emulation,
      interactions.create({ ...interaction, user: this.#user, channel }),
    );
  }

  #command(type: ApplicationCommandType, name: string, channel: StoredChannel) {
    const { commands, world } = this.#emulation;
    const isOwn = !world.isBotIn(channel);
    if (isOwn && this.#user.hasInstalled !== true)
      throw new Error(`${this.username} has not installed the bot.`);
    const command = commands.find(type, name, {
      guildId: channel.guildId,
      isOwn,
    });
    if (!command)
      throw new Error(`No command ${name} of type ${type} is registered for this channel.`);
    return command;
  }
}

function extrasOf(
  world: World,
  { stickers = [], poll, isVoice, attachments = [] }: SendOptions,
): MessageExtras {
  if (stickers.length > 3) throw new Error("A message has up to 3 stickers.");
  if (isVoice && attachments.length !== 1) throw new Error("A voice message is one file.");
  return {
    ...(stickers.length === 0
      ? {}
      : {
          sticker_items: stickers.map((name) => ({
            id: world.snowflakes.next(),
            name,
            format_type: StickerFormatType.PNG,
          })),
        }),
    ...(poll === undefined ? {} : { poll: pollOf(poll) }),
  };
}

function pollOf(poll: string | SentPoll): NonNullable<MessageExtras["poll"]> {
  const given: SentPoll =
    typeof poll === "string" ? { question: poll, answers: ["Yes", "No"] } : poll;
  const { question, answers, votes, hasEnded = false } = given;
  if (answers.length < 1 || answers.length > 10) throw new Error("A poll has 1 to 10 answers.");
  const counts = (votes ?? []).map((count, index) => ({ id: index + 1, count, me_voted: false }));
  return {
    question: { text: question },
    answers: answers.map((text, index) => ({ answer_id: index + 1, poll_media: { text } })),
    expiry: new Date(Date.now() + 86_400_000).toISOString(),
    allow_multiselect: false,
    layout_type: PollLayoutType.Default,
    ...(votes === undefined
      ? {}
      : {
          results: {
            is_finalized: hasEnded,
            answer_counts: counts.filter(({ count }) => count > 0),
          },
        }),
  };
}

const forwardable: ReadonlySet<MessageType> = new Set([
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
]);

const isForwardable = ({ type, poll, call, activity }: APIMessage): boolean =>
  forwardable.has(type) && !poll && !call && !activity;
