import { DiscordAPIError, GatewayDispatchEvents, Routes } from "discord.js";
import type { GatewayDispatchPayload, REST } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import { messageOf } from "../../../core/errors.ts";
import type { MessagePayload } from "./payloads.ts";

const roleSchema = z.object({
  id: z.string(),
  tags: z.object({ bot_id: z.string().optional() }).optional(),
});
const rolesSchema = z.array(roleSchema);
const guildSchema = z.object({ id: z.string(), roles: rolesSchema.optional() });
const changeSchema = z.object({ guild_id: z.string(), role: roleSchema });

interface OwnRolesDeps {
  readonly botId: string;
  readonly rest: Pick<REST, "get">;
  readonly log: Logger;
}

/**
 * Discord makes a role for each bot that joins a server, and its clients offer that role next to
 * the bot itself: a mention of it is a mention of the bot. A server's role is known from the
 * gateway, or asked for after a resumed session.
 */
export class OwnRoles {
  readonly #deps: OwnRolesDeps;
  /** Role id by guild id; undefined: the bot has no role there. */
  readonly #known = new Map<string, string | undefined>();

  constructor(deps: OwnRolesDeps) {
    this.#deps = deps;
  }

  /** @throws ZodError for a payload that cannot be read. */
  learn({ t: name, d: payload }: GatewayDispatchPayload): void {
    switch (name) {
      case GatewayDispatchEvents.GuildCreate: {
        const { id, roles } = guildSchema.parse(payload);
        if (roles) this.#remember(id, roles);
        return;
      }
      case GatewayDispatchEvents.GuildRoleCreate:
      case GatewayDispatchEvents.GuildRoleUpdate: {
        const { guild_id: guildId, role } = changeSchema.parse(payload);
        if (this.#isOwn(role)) this.#known.set(guildId, role.id);
        return;
      }
      default:
    }
  }

  /** The message with the bot where its role was mentioned. Undefined: `ask` has to find out. */
  resolve(message: MessagePayload): MessagePayload | undefined {
    const { guild_id: guildId, mention_roles: roles } = message;
    if (guildId === undefined || roles.length === 0) return message;
    return this.#known.has(guildId) ? this.#withBot(message, this.#known.get(guildId)) : undefined;
  }

  /**
   * The same after a request. If Discord refuses it, roles stay roles. @throws while Discord
   * doesn't answer
   */
  async ask(message: MessagePayload): Promise<MessagePayload> {
    const known = this.resolve(message);
    if (known) return known;
    const { guild_id: guildId = "" } = message;
    const { rest, log } = this.#deps;
    try {
      const roles = await rest.get(Routes.guildRoles(guildId));
      this.#remember(guildId, rolesSchema.parse(roles));
    } catch (failure) {
      if (!isFinal(failure)) throw failure;
      this.#known.set(guildId, undefined);
      log.warn({ guildId, cause: messageOf(failure) }, "the bot's role in a server is not known");
    }
    return this.resolve(message) ?? message;
  }

  #remember(guildId: string, roles: z.infer<typeof rolesSchema>): void {
    this.#known.set(guildId, roles.find((role) => this.#isOwn(role))?.id);
  }

  #isOwn({ tags }: z.infer<typeof roleSchema>): boolean {
    return tags?.bot_id === this.#deps.botId;
  }

  #withBot(message: MessagePayload, role: string | undefined): MessagePayload {
    if (role === undefined || !message.mention_roles.includes(role)) return message;
    const { botId } = this.#deps;
    const bot = { id: botId, username: "", bot: true };
    return {
      ...message,
      content: message.content.replaceAll(`<@&${role}>`, `<@${botId}>`),
      mentions: [...message.mentions.filter(({ id }) => id !== botId), bot],
    };
  }
}

const isFinal = (failure: unknown): boolean =>
  failure instanceof z.ZodError ||
  (failure instanceof DiscordAPIError && (failure.status === 403 || failure.status === 404));
