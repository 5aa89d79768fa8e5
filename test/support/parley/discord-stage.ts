import { ApplicationCommandOptionType, ComponentType } from "discord-api-types/v10";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import type { ChannelHandle, Guild } from "../../emulators/discord/guild.ts";
import type { InteractionHandle } from "../../emulators/discord/interaction-handle.ts";
import type { MessageView } from "../../emulators/discord/message-view.ts";
import type { DiscordServerOptions } from "../../emulators/discord/options.ts";
import type { Person } from "../../emulators/discord/person.ts";
import {
  matchesShown,
  timeoutMs,
  type SayOptions,
  type Shown,
  type ShownMatch,
  type Stage,
  type TestChat,
} from "./stage.ts";

/** Mentions of commands are shown as their names. */
const shownText = (content: string): string => content.replaceAll(/<(\/[^:<>\n]+):\d+>/g, "$1");

/** The emulated Discord as the scenarios see it. */
export class DiscordStage implements Stage {
  readonly name = "discord";
  readonly server: DiscordServer;
  readonly said: string[] = [];
  readonly #people = new Map<string, Person>();
  /** By their channels' and threads' ids. */
  readonly #guilds = new Map<string, Guild>();
  #count = 0;

  private constructor(server: DiscordServer) {
    this.server = server;
  }

  static async start(options: DiscordServerOptions = {}): Promise<DiscordStage> {
    return new DiscordStage(await DiscordServer.start(options));
  }

  get environment() {
    return {
      DISCORD_TOKEN: this.server.token,
      DISCORD_API_ROOT: this.server.apiRoot,
    };
  }

  get violations() {
    return this.server.violations;
  }

  async connected(): Promise<void> {
    await this.server.waitForReady({ timeoutMs });
    await this.until(() => this.server.commands().length > 0, "registered commands");
  }

  direct(name: string): DiscordChat {
    return this.#directOf(this.#person(name));
  }

  directOf({ personId }: TestChat): DiscordChat {
    return this.#directOf(this.#known(personId));
  }

  group(...names: readonly string[]): readonly DiscordChat[] {
    return this.#groupOf(names.map((name) => this.#person(name)));
  }

  groupOf(chats: readonly TestChat[]): readonly DiscordChat[] {
    return this.#groupOf(chats.map(({ personId }) => this.#known(personId)));
  }

  topic(...names: readonly string[]) {
    const members = names.map((name) => this.#person(name));
    const [owner, ...others] = members;
    if (!owner) throw new Error("a guild has an owner");
    const guild = this.server.guild({
      name: "Friends",
      owner,
      members: others,
    });
    const channel = guild.textChannel("general");
    const thread = guild.thread(channel, "Tea");
    for (const { id } of [channel, thread]) this.#guilds.set(id, guild);
    const chatsIn = (handle: ChannelHandle) =>
      members.map((person) => new DiscordChat(this, person, handle, guild));
    return { inside: chatsIn(thread), beside: chatsIn(channel) };
  }

  guildOf({ channel }: DiscordChat): Guild {
    const guild = this.#guilds.get(channel.id);
    if (!guild) throw new Error(`${channel.name} is in no server`);
    return guild;
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    await this.server.waitFor(condition, { what, timeoutMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }

  #directOf(person: Person): DiscordChat {
    return new DiscordChat(this, person, this.server.directMessage(person));
  }

  #known(personId: string): Person {
    const person = this.#people.get(personId);
    if (!person) throw new Error(`nobody is ${personId}`);
    return person;
  }

  #person(name: string): Person {
    this.#count += 1;
    const person = this.server.user({
      username: `${name.toLowerCase()}${this.#count}`,
      globalName: name,
    });
    this.#people.set(`discord:${person.id}`, person);
    return person;
  }

  #groupOf(members: readonly Person[]): readonly DiscordChat[] {
    const [owner, ...others] = members;
    if (!owner) throw new Error("a guild has an owner");
    const guild = this.server.guild({
      name: "Friends",
      owner,
      members: others,
    });
    const channel = guild.textChannel("general");
    this.#guilds.set(channel.id, guild);
    return members.map((person) => new DiscordChat(this, person, channel, guild));
  }
}

interface Definition {
  readonly name: string;
  readonly type?: number | undefined;
  readonly options?: readonly Definition[] | undefined;
}

/**
 * What would be typed as the options of a slash command, in their order; the last takes the rest.
 */
function optionsOf(
  { name: command, options: defined = [] }: Definition,
  argument: string,
): Record<string, string | { readonly id: string }> {
  if (command === "deny") return { reason: argument };
  const words = argument.split(" ").filter((word) => word !== "");
  const filled: [string, string | { readonly id: string }][] = [];
  for (const [index, { name, type }] of defined.entries()) {
    const [word] = words;
    if (word === undefined) break;
    const isPerson = type === ApplicationCommandOptionType.User;
    const [, id] = /^discord:(\d+)$/.exec(word) ?? [];
    // Someone is chosen, not typed.
    if (isPerson && id === undefined) continue;
    if (isPerson && id !== undefined) filled.push([name, { id }]);
    else if (index < defined.length - 1) filled.push([name, word]);
    else filled.push([name, words.join(" ")]);
    words.shift();
  }
  return Object.fromEntries(filled);
}

/**
 * Where a command that is typed elsewhere stands in Discord's menu: what is for admins is below
 * `/admin`.
 */
function placeInMenu(commands: readonly Definition[], name: string, argument: string) {
  const [action = "", ...rest] = argument.split(" ");
  const admin = commands.find((each) => each.name === "admin");
  const below = (form: string) => admin?.options?.find((each) => each.name === form);
  const top = commands.find((each) => each.name === name);
  // Without a word, the first one.
  const own = top?.options?.find(
    (each) =>
      each.type === ApplicationCommandOptionType.Subcommand &&
      (action === "" || each.name === action),
  );
  if (own) return { group: name, form: own, argument: rest.join(" ") };
  const withAction = below(`${name}-${action}`);
  if (withAction) return { form: withAction, argument: rest.join(" ") };
  const form = argument !== "" || top === undefined ? below(name) : undefined;
  return { form, top, argument };
}

export class DiscordChat implements TestChat {
  readonly platform = "discord";
  readonly channel: ChannelHandle;
  readonly #stage: DiscordStage;
  readonly #person: Person;
  readonly #guild: Guild | undefined;

  constructor(stage: DiscordStage, person: Person, channel: ChannelHandle, guild?: Guild) {
    this.#stage = stage;
    this.#guild = guild;
    this.#person = person;
    this.channel = channel;
  }

  get personId(): string {
    return `discord:${this.#person.id}`;
  }

  get personName(): string {
    const name = this.#person.username.replace(/\d+$/, "");
    return name.slice(0, 1).toUpperCase() + name.slice(1);
  }

  say(text: string, { mention, replyTo }: SayOptions = {}): string {
    this.#stage.said.push(text);
    const message = this.#person.send(this.channel, text, {
      ...(mention ? { mentionsBot: true } : {}),
      ...(replyTo === undefined ? {} : { replyTo: replyTo.id }),
    });
    return message.id;
  }

  /** The app sends the comment behind them. */
  forward(texts: readonly string[], comment?: string): void {
    this.#stage.said.push(...texts);
    const guild = this.#stage.server.guild({ name: "News", owner: this.#person });
    const news = guild.textChannel("news");
    for (const text of texts) this.#person.forward(this.channel, this.#person.send(news, text));
    if (comment !== undefined) this.say(comment);
  }

  poll(question: string, answers: readonly string[]): void {
    this.#stage.said.push(question);
    this.#person.send(this.channel, "", { poll: { question, answers } });
  }

  redeliver(message: string): void {
    this.#stage.server.redeliver(message);
  }

  edit(message: string, text: string): void {
    this.#stage.said.push(text);
    this.#person.edit({ id: message }, text);
  }

  async command(name: string, argument?: string): Promise<string> {
    const commands = this.#stage.server.commands();
    const place = placeInMenu(commands, name, argument ?? "");
    const { group = "admin", form, top = { name } } = place;
    const handle = this.#person.slash(
      this.channel,
      form === undefined ? name : group,
      optionsOf(form ?? top, place.argument),
      form === undefined ? {} : { subcommand: form.name },
    );
    return shownText((await handle.response("", { timeoutMs })).content);
  }

  /** `/ask`, whose answer is an ordinary message. */
  ask(question: string): InteractionHandle {
    this.#stage.said.push(question);
    return this.#person.slash(this.channel, "ask", { question });
  }

  shown(): readonly Shown[] {
    const { server } = this.#stage;
    return server
      .messages(this.channel)
      .filter(
        ({ authorId, ephemeralFor, loading }) =>
          authorId === server.botUserId && ephemeralFor === undefined && !loading,
      )
      .map(shownOf);
  }

  async wait(match: ShownMatch): Promise<Shown> {
    const what = typeof match === "string" ? JSON.stringify(match) : String(match);
    return await this.#stage.server.waitFor(
      () => this.shown().find((message) => matchesShown(message, match)),
      { what: `message with ${what}`, timeoutMs },
    );
  }

  async tap(message: Shown, label: string): Promise<string> {
    const told = this.#told(message);
    return await told(
      this.#person.press(this.channel, message.id, label),
      !label.startsWith("Allow"),
    );
  }

  /**
   * Presses a button that opens a form, fills it in and sends it; fulfils with what the sender
   * alone is told.
   */
  async fill(
    message: Shown,
    label: string,
    values: Readonly<Record<string, string>>,
  ): Promise<string> {
    const told = this.#told(message);
    const opened = this.#person.press(this.channel, message.id, label);
    await opened.acknowledged();
    return await told(this.#person.fillIn(this.channel, opened, values));
  }

  /** The form that a button opens. */
  async form(message: Shown, label: string): Promise<unknown> {
    const { data } = await this.#person.press(this.channel, message.id, label).acknowledged();
    return data;
  }

  setBotIn(isIn: boolean): void {
    if (isIn) this.#guild?.addBot();
    else this.#guild?.removeBot();
  }

  deleteTopic(): void {
    this.#guild?.removeChannel(this.channel);
  }

  block(): void {
    this.#person.block();
  }

  unblock(): void {
    this.#person.unblock();
  }

  refuseFormatting(): never {
    throw new Error("formatting is part of the words");
  }

  async forge(message: Pick<Shown, "id">, data: string): Promise<string> {
    const told = this.#told(message);
    return await told(this.#person.pressForged(this.channel, message.id, data));
  }

  /**
   * The message that only this person sees or, of what they decide, the pressed message as it is
   * then.
   */
  #told({ id }: Pick<Shown, "id">) {
    const pressed = () => this.#person.messages(this.channel).find((each) => each.id === id);
    const before = pressed()?.content;
    const decides = new RegExp(`by [^\\n]*${this.personName}`);
    return async (handle: InteractionHandle, isOnCard = true): Promise<string> => {
      const told = await this.#stage.server.waitFor(
        () => {
          const own = this.#person
            .messages(this.channel)
            .find(
              ({ interactionId, ephemeralFor, loading }) =>
                interactionId === handle.id && ephemeralFor === this.#person.id && !loading,
            );
          const now = pressed();
          const isDecided = now?.content !== before && decides.test(now?.content ?? "");
          return own ?? (isOnCard && isDecided ? now : undefined);
        },
        { what: `answer to the press ${handle.id}`, timeoutMs },
      );
      return shownText(told.content);
    };
  }
}

const shownOf = (message: MessageView): Shown => {
  const buttons = message.components
    .flatMap(({ components }) => components)
    .filter((each) => each.type === ComponentType.Button)
    .filter(({ disabled }) => !disabled);
  return {
    id: message.id,
    text: shownText(message.content),
    buttons: buttons.map((each) => ("label" in each ? (each.label ?? "") : "")),
    data: buttons.map((each) => ("custom_id" in each ? each.custom_id : "")),
    history: message.history.map(({ content }) => shownText(content)),
  };
};
