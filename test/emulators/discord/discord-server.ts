import type { AddressInfo } from "node:net";
import { GatewayDispatchEvents, type APIEmbed, type Locale } from "discord-api-types/v10";
import { validateAppMessage, type AppMessage } from "./app-message.ts";
import { Changes, type WaitOptions } from "./changes.ts";
import { CommandRegistry, type CommandWrites } from "./commands.ts";
import type { Emulation } from "./emulation.ts";
import { shardOf, type GatewayEvent } from "./gateway/event.ts";
import { Gateway } from "./gateway/gateway.ts";
import { Guild, type ChannelHandle, type GuildOptions } from "./guild.ts";
import { Interactions } from "./interactions.ts";
import { matches, messageView, type MessageMatch, type MessageView } from "./message-view.ts";
import { Messages } from "./messages.ts";
import { withDefaults, type DiscordServerOptions } from "./options.ts";
import { Person } from "./person.ts";
import { Recorder, type Call, type Typing } from "./recorder.ts";
import { channelRoutes } from "./rest/channel-routes.ts";
import { commandRoutes } from "./rest/command-routes.ts";
import type { ActiveInjection, Injection } from "./rest/faults.ts";
import { RestServer } from "./rest/http.ts";
import { interactionRoutes } from "./rest/interaction-routes.ts";
import { messageRoutes } from "./rest/message-routes.ts";
import { serverRoutes } from "./rest/server-routes.ts";
import { webhookRoutes } from "./rest/webhook-routes.ts";
import { describeState } from "./state-dump.ts";
import { idOf, World, type Reference } from "./world.ts";

/**
 * A strict Discord on 127.0.0.1: REST v10 and the gateway, over real sockets. What the real service
 * refuses is refused with its codes; what it would suffer silently is recorded in `violations`.
 * Nothing survives it.
 */
export class DiscordServer {
  readonly #emulation: Emulation;
  readonly #rest: RestServer;
  readonly #port: number;

  private constructor(emulation: Emulation, rest: RestServer, port: number) {
    this.#emulation = emulation;
    this.#rest = rest;
    this.#port = port;
  }

  static async start(options: DiscordServerOptions = {}): Promise<DiscordServer> {
    let origin = "";
    const emulation = assemble(options, () => origin);
    const rest = new RestServer(emulation, [
      ...serverRoutes(emulation),
      ...commandRoutes(emulation),
      ...interactionRoutes(emulation),
      ...webhookRoutes(emulation),
      ...messageRoutes(emulation),
      ...channelRoutes(emulation),
    ]);
    await new Promise<void>((resolve) => rest.server.listen(0, "127.0.0.1", resolve));
    const { port } = rest.server.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    emulation.gateway.attach(rest.server, `ws://127.0.0.1:${port}`);
    return new DiscordServer(emulation, rest, port);
  }

  /** For `new Client({ rest: { api } })` and `DISCORD_API_ROOT`. */
  get apiRoot(): string {
    return `http://127.0.0.1:${this.#port}/api`;
  }

  get token(): string {
    return this.#emulation.token;
  }

  get applicationId(): string {
    return this.#emulation.world.applicationId;
  }

  get botUserId(): string {
    return this.#emulation.world.bot.id;
  }

  get botMention(): string {
    return `<@${this.botUserId}>`;
  }

  /** Disconnects, op 7, op 9, lost events, silence: see `Gateway`. */
  get gateway(): Pick<
    Gateway,
    | "connectedSessions"
    | "connectedShards"
    | "disconnectAll"
    | "expireDetached"
    | "requestReconnect"
    | "invalidate"
    | "stopAcknowledging"
    | "dropEvents"
    | "presences"
  > {
    return this.#emulation.gateway;
  }

  get identifies(): number {
    return this.#emulation.gateway.identifies;
  }

  get resumes(): number {
    return this.#emulation.gateway.resumes;
  }

  /** Every REST request, in order of arrival. */
  get calls(): readonly Call[] {
    return this.#emulation.recorder.calls;
  }

  get typing(): readonly Typing[] {
    return this.#emulation.recorder.typing;
  }

  get violations(): readonly string[] {
    return this.#emulation.recorder.violations;
  }

  get commandWrites(): Readonly<CommandWrites> {
    return this.#emulation.commands.writes;
  }

  /** Commands registered globally, or for one guild. */
  commands(guild?: Reference): ReturnType<CommandRegistry["list"]> {
    return this.#emulation.commands.list(guild === undefined ? undefined : idOf(guild));
  }

  /** Threads of a channel, with the ids of those who are in them. */
  threads(parent: Reference): readonly {
    readonly id: string;
    readonly name: string;
    readonly memberIds: readonly string[];
  }[] {
    return [...this.#emulation.world.channels.values()].flatMap(({ id, name, parentId, thread }) =>
      thread && parentId === idOf(parent) ? [{ id, name, memberIds: [...thread.memberIds] }] : [],
    );
  }

  user(user: { username: string; globalName?: string; locale?: Locale; bot?: boolean }): Person {
    const { world } = this.#emulation;
    return new Person(this.#emulation, world.addUser(user));
  }

  directMessage(person: Reference): ChannelHandle {
    return this.#emulation.world.directChannel(idOf(person));
  }

  /** From now on so many shards may IDENTIFY at the same time. */
  allowIdentifies(concurrency: number): void {
    this.#emulation.options.maxConcurrency = concurrency;
  }

  /** The shard that gets a channel's events when there are so many. */
  shardOf(channel: Reference, count: number): number {
    return shardOf(this.#emulation.world.channel(channel).guildId, count);
  }

  guild(options: GuildOptions): Guild {
    return new Guild(this.#emulation, options);
  }

  /**
   * Posts as an incoming webhook of another application: `author.bot` and `webhook_id`, and no
   * member.
   */
  sendAsWebhook(
    channel: Reference,
    name: string,
    content: string,
    more: AppMessage = {},
  ): MessageView {
    const { world, messages } = this.#emulation;
    validateAppMessage(content, more);
    const { embeds = [], flags = 0, components, poll } = more;
    const author = world.addUser({ username: name, bot: true, webhook: true });
    return messageView(
      messages.create({
        channelId: idOf(channel),
        authorId: author.id,
        webhookId: author.id,
        content,
        embeds,
        flags,
        extras: { ...(components ? { components } : {}), ...(poll ? { poll } : {}) },
      }),
    );
  }

  /**
   * All that is there now, oldest first, everybody's ephemeral messages included (`ephemeralFor`
   * says whose).
   */
  messages(channel: Reference): MessageView[] {
    return this.#emulation.world.messagesOf(idOf(channel)).map(messageView);
  }

  /** The same MESSAGE_CREATE or INTERACTION_CREATE once more, as a gateway may do it. */
  redeliver(id: string): void {
    const { world, messages, interactions } = this.#emulation;
    const message = world.message(id);
    const interaction = interactions.get(id);
    if (message) messages.redeliver(message);
    else if (interaction) interactions.redeliver(interaction);
    else throw new Error(`The emulated Discord has neither a message nor an interaction ${id}.`);
  }

  /** Adds an embed to a message as a link's preview does: MESSAGE_UPDATE without an edit. */
  unfurl(message: Reference, embed: APIEmbed): void {
    const stored = this.#emulation.world.message(idOf(message));
    if (!stored) throw new Error(`The emulated Discord has no message ${idOf(message)}.`);
    this.#emulation.messages.unfurl(stored, embed);
  }

  /** Ends an interaction's token now, as 15 minutes do. */
  expireInteraction(interaction: Reference): void {
    this.#emulation.interactions.expire(idOf(interaction));
  }

  /**
   * The next `times` requests that match go wrong; injections apply in the order in which they were
   * made.
   */
  inject(injection: Injection): Readonly<ActiveInjection> {
    return this.#rest.faults.inject(injection);
  }

  clearInjections(): void {
    this.#rest.faults.clear();
  }

  /**
   * Resolves with the first truthy value of `predicate`, looking again at each change; 20 s at
   * most.
   */
  waitFor<T>(predicate: () => T | undefined | null | false, options: WaitOptions): Promise<T> {
    return this.#emulation.changes.waitFor(predicate, options);
  }

  /**
   * A message of the bot, filled (not "thinking"), that contains the text or meets the condition.
   */
  waitForMessage(
    channel: Reference,
    match: MessageMatch,
    options: { timeoutMs?: number } = {},
  ): Promise<MessageView> {
    return this.waitFor(
      () =>
        this.messages(channel).find(
          (message) =>
            message.authorId === this.botUserId && !message.loading && matches(message, match),
        ),
      { what: `message of the bot that matches ${String(match)}`, ...options },
    );
  }

  /** A session that is connected and has had READY. */
  waitForReady(options: { timeoutMs?: number } = {}): Promise<true> {
    return this.waitFor(() => this.gateway.connectedSessions > 0 || undefined, {
      what: "ready session",
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { changes, interactions, gateway } = this.#emulation;
    changes.close();
    interactions.close();
    await gateway.close();
    await this.#rest.close();
  }
}

function assemble(given: DiscordServerOptions, origin: () => string): Emulation {
  const options = withDefaults(given);
  const world = new World(options.clockOffMs);
  const changes: Changes = new Changes(() => describeState(emulation));
  const recorder = new Recorder(changes);
  const encodedId = Buffer.from(world.bot.id).toString("base64url");
  const token = given.token ?? `${encodedId}.GemuLt.${"x".repeat(38)}`;
  const gateway = new Gateway({ world, recorder, changes, options, token });
  // Of places where the bot is not it hears of interactions only.
  const dispatch = (event: GatewayEvent): number =>
    event.guildId === undefined ||
    event.name === GatewayDispatchEvents.InteractionCreate ||
    world.guilds.get(event.guildId)?.members.has(world.bot.id) === true
      ? gateway.dispatch(event)
      : 0;
  const { privilegedIntents } = options;
  const messages = new Messages({
    world,
    changes,
    dispatch,
    origin,
    privilegedIntents,
  });
  const interactions = new Interactions({
    world,
    messages,
    recorder,
    changes,
    options,
    dispatch,
  });
  const commands = new CommandRegistry(world, changes);
  const emulation = {
    options,
    token,
    world,
    messages,
    interactions,
    commands,
    gateway,
    recorder,
    changes,
  };
  return emulation;
}
