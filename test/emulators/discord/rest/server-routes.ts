import { GatewayDispatchEvents, GatewayIntentBits } from "discord-api-types/v10";
import { ApiError } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { applicationFlags, ownUserPayload } from "../gateway/ready.ts";
import { objectOf } from "../json.ts";
import {
  channelPayload,
  fullMemberPayload,
  guildPayload,
  rolePayload,
  userPayload,
} from "../payloads.ts";
import { accessibleGuild } from "./access.ts";
import { noContent, ok, type RestRequest, type Route } from "./route.ts";

/** The gateway's address, the bot itself, its application, people and guilds. */
export function serverRoutes(emulation: Emulation): Route[] {
  return [...ownRoutes(emulation), ...guildRoutes(emulation)];
}

function ownRoutes({ world, gateway, options }: Emulation): Route[] {
  const application = () =>
    ok({
      id: world.applicationId,
      name: world.bot.username,
      icon: null,
      description: "",
      bot_public: true,
      bot_require_code_grant: false,
      bot: userPayload(world.bot),
      verify_key: "0".repeat(64),
      flags: applicationFlags(options.privilegedIntents),
      integration_types_config: { 0: {}, 1: {} },
    });
  const self = () => ok(ownUserPayload(world));
  return [
    {
      method: "GET",
      pattern: "/gateway",
      credential: "token",
      handle: () => ok({ url: gateway.address }),
    },
    {
      method: "GET",
      pattern: "/gateway/bot",
      credential: "bot",
      handle: () =>
        ok({
          url: gateway.address,
          shards: options.shards,
          session_start_limit: {
            total: options.identifyLimit,
            remaining: gateway.identifiesLeft,
            reset_after: 14_400_000,
            max_concurrency: options.maxConcurrency,
          },
        }),
    },
    { method: "GET", pattern: "/users/@me", credential: "bot", handle: self },
    {
      method: "GET",
      pattern: "/applications/@me",
      credential: "bot",
      handle: application,
    },
    {
      method: "GET",
      pattern: "/oauth2/applications/@me",
      credential: "bot",
      handle: application,
    },
    {
      method: "GET",
      pattern: "/users/@me/guilds",
      credential: "bot",
      handle: () =>
        ok(
          [...world.guilds.values()]
            .filter(({ members }) => members.has(world.bot.id))
            .map((guild) => ({
              id: guild.id,
              name: guild.name,
              icon: null,
              owner: false,
              permissions: world.permissions(guild, world.bot.id).toString(),
              features: [],
            })),
        ),
    },
    {
      method: "POST",
      pattern: "/users/@me/channels",
      credential: "bot",
      handle(request) {
        const { recipient_id: id } = objectOf(request.body);
        const user = world.users.get(String(id));
        if (!user || user.bot) throw ApiError.of("unknownUser");
        return ok(channelPayload(world, world.directChannel(user.id)));
      },
    },
    {
      method: "GET",
      pattern: "/users/:userId",
      credential: "bot",
      handle(request) {
        const user = world.users.get(request.parameter("userId"));
        if (!user) throw ApiError.of("unknownUser");
        return ok(userPayload(user));
      },
    },
  ];
}

function guildRoutes(emulation: Emulation): Route[] {
  const { world } = emulation;
  const guild = (request: RestRequest) => accessibleGuild(emulation, request);
  const channels = (request: RestRequest) => {
    const { id } = guild(request);
    return [...world.channels.values()].filter(
      (channel) => channel.guildId === id && world.botPermissions(channel) !== 0n,
    );
  };
  return [
    {
      method: "DELETE",
      pattern: "/users/@me/guilds/:guildId",
      credential: "bot",
      handle(request) {
        const left = guild(request);
        emulation.gateway.dispatch({
          name: GatewayDispatchEvents.GuildDelete,
          guildId: left.id,
          intents: GatewayIntentBits.Guilds,
          payload: () => ({ id: left.id }),
        });
        left.members.delete(world.bot.id);
        return noContent;
      },
    },
    {
      method: "GET",
      pattern: "/guilds/:guildId",
      credential: "bot",
      handle: (request) => ok(guildPayload(guild(request))),
    },
    {
      method: "GET",
      pattern: "/guilds/:guildId/channels",
      credential: "bot",
      handle: (request) =>
        ok(
          channels(request)
            .filter((channel) => !channel.thread)
            .map((channel) => channelPayload(world, channel)),
        ),
    },
    {
      method: "GET",
      pattern: "/guilds/:guildId/threads/active",
      credential: "bot",
      handle(request) {
        const active = channels(request).filter((channel) => channel.thread?.archived === false);
        return ok({
          threads: active.map((channel) => channelPayload(world, channel)),
          members: [],
        });
      },
    },
    {
      method: "GET",
      pattern: "/guilds/:guildId/roles",
      credential: "bot",
      handle: (request) => ok([...guild(request).roles.values()].map(rolePayload)),
    },
    {
      method: "GET",
      pattern: "/guilds/:guildId/members/:userId",
      credential: "bot",
      handle(request) {
        const member = guild(request).members.get(request.parameter("userId"));
        if (!member) throw ApiError.of("unknownMember");
        return ok(fullMemberPayload(world, member));
      },
    },
  ];
}
