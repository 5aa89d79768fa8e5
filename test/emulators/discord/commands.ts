import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  type LocalizationMap,
} from "discord-api-types/v10";
import type { Changes } from "./changes.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { World } from "./world.ts";

/** Writes to the command routes, global and per guild together; a PUT replaces a whole list. */
export interface CommandWrites {
  put: number;
  post: number;
  patch: number;
  delete: number;
}

/** The registered commands: one global list and one for each guild. */
export class CommandRegistry {
  readonly writes: CommandWrites = { put: 0, post: 0, patch: 0, delete: 0 };
  readonly #world: World;
  readonly #changes: Changes;
  readonly #lists = new Map<string, APIApplicationCommand[]>();

  constructor(world: World, changes: Changes) {
    this.#world = world;
    this.#changes = changes;
  }

  list(guildId: string | undefined): readonly APIApplicationCommand[] {
    return this.#lists.get(guildId ?? "global") ?? [];
  }

  get(guildId: string | undefined, id: string): APIApplicationCommand | undefined {
    return this.list(guildId).find((command) => command.id === id);
  }

  /**
   * A command as a person in `guildId` (or in a direct message) finds it; a guild's own comes
   * first.
   */
  find(
    type: ApplicationCommandType,
    name: string,
    {
      guildId,
      isOwn = false,
    }: {
      readonly guildId: string | undefined;
      /** As an app of the person's own, where the bot is not. */
      readonly isOwn?: boolean;
    },
  ): APIApplicationCommand | undefined {
    const lists = guildId === undefined || isOwn ? [] : [...this.list(guildId)];
    return [...lists, ...this.list(undefined)].find(
      (command) =>
        command.type === type &&
        command.name === name &&
        command.integration_types?.includes(
          isOwn ? ApplicationIntegrationType.UserInstall : ApplicationIntegrationType.GuildInstall,
        ) &&
        usableIn(command, guildId),
    );
  }

  replaceAll(guildId: string | undefined, bodies: readonly JsonObject[]): void {
    const list = bodies.map((body) => this.#command(guildId, body));
    this.#lists.set(guildId ?? "global", list);
    this.writes.put += 1;
    this.#changes.notify();
  }

  /** Creates, or overwrites the one with the same type and name, as POST does. */
  upsert(
    guildId: string | undefined,
    body: JsonObject,
  ): { command: APIApplicationCommand; created: boolean } {
    const command = this.#command(guildId, body);
    const others = this.list(guildId).filter((other) => other.id !== command.id);
    const created = others.length === this.list(guildId).length;
    this.#lists.set(guildId ?? "global", [...others, command]);
    this.writes.post += 1;
    this.#changes.notify();
    return { command, created };
  }

  update(
    guildId: string | undefined,
    existing: APIApplicationCommand,
    body: JsonObject,
  ): APIApplicationCommand {
    const command = {
      ...this.#command(guildId, { ...existing, ...body }),
      id: existing.id,
    };
    const list = this.list(guildId).map((other) => (other.id === existing.id ? command : other));
    this.#lists.set(guildId ?? "global", list);
    this.writes.patch += 1;
    this.#changes.notify();
    return command;
  }

  remove(guildId: string | undefined, id: string): void {
    this.#lists.set(
      guildId ?? "global",
      this.list(guildId).filter((command) => command.id !== id),
    );
    this.writes.delete += 1;
    this.#changes.notify();
  }

  /** The id stays when a command of that type and name is there already; the version is new. */
  #command(guildId: string | undefined, body: JsonObject): APIApplicationCommand {
    const type = (body["type"] ?? ApplicationCommandType.ChatInput) as ApplicationCommandType;
    const name = String(body["name"]);
    const before = this.list(guildId).find((other) => other.type === type && other.name === name);
    return {
      id: before?.id ?? this.#world.snowflakes.next(),
      application_id: this.#world.applicationId,
      version: this.#world.snowflakes.next(),
      type,
      name,
      name_localizations: localizations(body["name_localizations"]),
      description: typeof body["description"] === "string" ? body["description"] : "",
      description_localizations: localizations(body["description_localizations"]),
      default_member_permissions: (body["default_member_permissions"] ?? null) as string | null,
      dm_permission: body["dm_permission"] !== false,
      nsfw: body["nsfw"] === true,
      integration_types: (body["integration_types"] ?? [
        ApplicationIntegrationType.GuildInstall,
      ]) as ApplicationIntegrationType[],
      contexts: (body["contexts"] ?? null) as InteractionContextType[] | null,
      ...(Array.isArray(body["options"])
        ? { options: body["options"] as APIApplicationCommandOption[] }
        : {}),
      ...(guildId === undefined ? {} : { guild_id: guildId }),
    };
  }
}

/** `contexts` decide (0 guild, 1 the bot's direct messages); without them `dm_permission` does. */
function usableIn(command: APIApplicationCommand, guildId: string | undefined): boolean {
  if (command.contexts)
    return command.contexts.includes(
      guildId === undefined ? InteractionContextType.BotDM : InteractionContextType.Guild,
    );
  return guildId !== undefined || command.dm_permission !== false;
}

function localizations(value: unknown): LocalizationMap | null {
  return isObject(value) ? value : null;
}
