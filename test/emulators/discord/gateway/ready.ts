import { GatewayIntentBits } from "discord-api-types/v10";
import { arrayOf, type JsonObject } from "../json.ts";
import type { StoredGuild } from "../model.ts";
import { fullMemberPayload, userPayload } from "../payloads.ts";
import type { World } from "../world.ts";

interface ReadyInit {
  readonly guilds: readonly StoredGuild[];
  readonly sessionId: string;
  readonly shard: readonly [number, number];
  readonly resumeAddress: string;
  readonly privilegedIntents: number;
}

/** READY (docs: Gateway Events, Ready): every guild is unavailable until its GUILD_CREATE. */
export function readyPayload(world: World, init: ReadyInit) {
  const { guilds, sessionId, shard, resumeAddress, privilegedIntents } = init;
  return {
    v: 10,
    user: ownUserPayload(world),
    guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
    session_id: sessionId,
    session_type: "normal",
    resume_gateway_url: resumeAddress,
    shard,
    application: {
      id: world.applicationId,
      flags: applicationFlags(privilegedIntents),
    },
    private_channels: [],
    presences: [],
    relationships: [],
    _trace: [],
  };
}

/** The bot as it sees itself. */
export function ownUserPayload(world: World) {
  return {
    ...userPayload(world.bot),
    verified: true,
    email: null,
    mfa_enabled: false,
    flags: 0,
  };
}

/** GUILD_MEMBERS_CHUNK: those asked for by id, or by the start of their name. */
export function membersPayload(world: World, guild: StoredGuild, request: JsonObject) {
  const wanted = arrayOf(request["user_ids"]).map(String);
  const { query } = request;
  const members = [...guild.members.values()].filter(
    ({ userId }) =>
      wanted.includes(userId) ||
      (typeof query === "string" && world.user(userId).username.startsWith(query)),
  );
  return {
    guild_id: guild.id,
    members: members.map((member) => fullMemberPayload(world, member)),
    chunk_index: 0,
    chunk_count: 1,
    not_found: wanted.filter((id) => !guild.members.has(id)),
    nonce: request["nonce"],
  };
}

/**
 * The "limited" flags that an unverified application with these intents has (docs: Application,
 * Flags).
 */
export function applicationFlags(privilegedIntents: number): number {
  const has = (intent: GatewayIntentBits) => (privilegedIntents & intent) !== 0;
  return (
    (has(GatewayIntentBits.GuildPresences) ? 1 << 13 : 0) |
    (has(GatewayIntentBits.GuildMembers) ? 1 << 15 : 0) |
    (has(GatewayIntentBits.MessageContent) ? 1 << 19 : 0) |
    (1 << 23)
  );
}
