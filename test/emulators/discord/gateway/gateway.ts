import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import {
  ActivityType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
} from "discord-api-types/v10";
import { WebSocketServer, type WebSocket } from "ws";
import type { Changes } from "../changes.ts";
import { arrayOf, isObject, objectOf, type JsonObject } from "../json.ts";
import type { Options } from "../options.ts";
import { guildCreatePayload } from "../payloads.ts";
import type { Recorder } from "../recorder.ts";
import type { World } from "../world.ts";
import { Connection, type ConnectionHandlers } from "./connection.ts";
import { intentsRefusal, shardOf, type GatewayEvent } from "./event.ts";
import { membersPayload, readyPayload } from "./ready.ts";
import { Session } from "./session.ts";

/**
 * Close codes after which a session can't be resumed (docs: Opcodes and Status Codes, Gateway Close
 * Event Codes).
 */
const finalCodes = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014]);

interface GatewayDeps {
  readonly world: World;
  readonly recorder: Recorder;
  readonly changes: Changes;
  readonly options: Options;
  readonly token: string;
}

/** Discord's gateway: sessions with numbered, replayable events, filtered by shard and intents. */
export class Gateway implements ConnectionHandlers {
  /** IDENTIFYs answered with READY, and RESUMEs answered with RESUMED. */
  identifies = 0;
  resumes = 0;
  /** What the bot has shown of itself, by IDENTIFY or later, in order. */
  readonly presences: JsonObject[] = [];
  readonly #deps: GatewayDeps;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
  });
  readonly #connections = new Set<Connection>();
  readonly #sessions = new Map<string, Session>();
  readonly #lastIdentifyAtMs = new Map<number, number>();
  #toDrop = 0;
  #address = "";

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  /** Takes over the server's upgrades; `address` is `ws://127.0.0.1:port`. */
  attach(server: Server, address: string): void {
    this.#address = address;
    server.on("upgrade", (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        this.#open(webSocket, request);
      });
    });
  }

  get address(): string {
    return this.#address;
  }

  get identifiesLeft(): number {
    return Math.max(0, this.#deps.options.identifyLimit - this.identifies);
  }

  /** Sessions that have a socket now. */
  get connectedSessions(): number {
    return [...this.#sessions.values()].filter((session) => session.socket).length;
  }

  /** Those that have a socket now, as `[shard, count]`, in order. */
  get connectedShards(): readonly (readonly [number, number])[] {
    return [...this.#sessions.values()]
      .filter((session) => session.socket)
      .map(({ shard }) => shard)
      .toSorted(([one], [other]) => one - other);
  }

  /** Sessions that have no socket can't be resumed any more, as after a while. */
  expireDetached(): void {
    for (const session of this.#sessions.values()) if (!session.socket) this.#forget(session);
  }

  /** Closes every socket, or a shard's, from the server's side; 1006 cuts the lines instead. */
  disconnectAll(code: number, shard?: number): void {
    for (const connection of this.#connections) {
      if (shard !== undefined && connection.session?.shard[0] !== shard) continue;
      if (finalCodes.has(code)) this.#forget(connection.session);
      connection.close(code);
    }
  }

  /** Op 7: the client should reconnect and resume. */
  requestReconnect(): void {
    for (const connection of this.#connections) connection.send(GatewayOpcodes.Reconnect, null);
  }

  /** Op 9: `true` leaves the session resumable on the same socket, `false` ends it. */
  invalidate(resumable: boolean): void {
    for (const connection of this.#connections) this.#invalidate(connection, resumable);
  }

  /** Heartbeats of the sockets that are open now stay without op 11. */
  stopAcknowledging(): void {
    for (const connection of this.#connections) connection.acknowledges = false;
  }

  /** The next `count` events reach no session, not even by a replay. */
  dropEvents(count: number): void {
    this.#toDrop += count;
  }

  /** Sends to every session that wants it, detached ones included; returns how many those were. */
  dispatch(event: GatewayEvent): number {
    const dropped = this.#toDrop > 0;
    if (dropped) this.#toDrop -= 1;
    const sessions = [...this.#sessions.values()].filter(
      (session) => !this.#expired(session) && session.wants(event),
    );
    for (const session of sessions) {
      if (dropped) session.skip();
      else session.push(event);
    }
    this.#deps.changes.notify();
    return dropped ? 0 : sessions.length;
  }

  async close(): Promise<void> {
    const closed = [...this.#connections].map(
      (connection) => new Promise((resolve) => connection.socket.once("close", resolve)),
    );
    for (const connection of this.#connections) connection.socket.terminate();
    await Promise.all(closed);
    this.#sockets.close();
  }

  identify(connection: Connection, data: JsonObject): void {
    const { options, token, recorder } = this.#deps;
    const [id = 0, count = 1] = arrayOf(data["shard"]).map(Number);
    if (data["token"] !== token) return connection.close(4004);
    if (data["compress"] === true)
      recorder.violation("IDENTIFY asked for compression; the emulator has none");
    const refusal = intentsRefusal(data["intents"], options.privilegedIntents);
    if (refusal !== undefined) return connection.close(refusal);
    if (!(id >= 0 && id < count)) return connection.close(4010);
    if (count < options.minShards) return connection.close(4011);
    if (this.identifiesLeft === 0) {
      recorder.violation("IDENTIFY beyond the daily limit: the real service resets the token");
      return connection.close(4004);
    }
    if (this.#identifiedTooSoon(id)) return this.#invalidate(connection, false);
    if (isObject(data["presence"])) this.present(connection, data["presence"]);
    const session = new Session({
      id: randomBytes(16).toString("hex"),
      intents: data["intents"] as number,
      shard: [id, count],
      socket: connection.socket,
    });
    this.#sessions.set(session.id, session);
    connection.session = session;
    this.identifies += 1;
    this.#greet(session);
  }

  resume(connection: Connection, data: JsonObject): void {
    const { token, recorder, changes } = this.#deps;
    if (data["token"] !== token) return connection.close(4004);
    const session = this.#sessions.get(String(data["session_id"]));
    const sequence = Number(data["seq"]);
    if (!session || this.#expired(session)) return this.#invalidate(connection, false);
    if (sequence > session.sequence) {
      this.#forget(session);
      return connection.close(4007);
    }
    if (!connection.path.startsWith("/resume") && connection.socket !== session.socket)
      recorder.violation("RESUME ignored resume_gateway_url");
    session.socket?.terminate();
    if (!session.replay(sequence, connection.socket)) return this.#invalidate(connection, false);
    connection.session = session;
    this.resumes += 1;
    session.pushUnbuffered(always(GatewayDispatchEvents.Resumed, { _trace: [] }));
    changes.notify();
  }

  requestMembers(connection: Connection, data: JsonObject): void {
    const { world } = this.#deps;
    const { session } = connection;
    const guild = world.guilds.get(String(data["guild_id"]));
    if (!session || !guild) return;
    const mayListAll = (session.intents & GatewayIntentBits.GuildMembers) !== 0;
    if (data["query"] === "" && !mayListAll) return connection.close(4014);
    session.push(
      always(GatewayDispatchEvents.GuildMembersChunk, membersPayload(world, guild, data)),
    );
  }

  /** 4002 for what the real gateway cannot decode (docs: Gateway Events, Update Presence). */
  present(connection: Connection, data: JsonObject): void {
    const activities = arrayOf(data["activities"]).map(objectOf);
    const isReadable =
      Array.isArray(data["activities"]) &&
      typeof data["afk"] === "boolean" &&
      ["online", "dnd", "idle", "invisible", "offline"].includes(String(data["status"])) &&
      activities.every(({ name, type, state }) => {
        const isCustom = type === ActivityType.Custom;
        const isShown = typeof state === "string" && state !== "" && state.length <= 128;
        return typeof name === "string" && (!isCustom || isShown);
      });
    if (!isReadable) return connection.close(4002);
    this.presences.push(data);
    this.#deps.changes.notify();
  }

  closed(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    const { session } = connection;
    if (session && session.socket === connection.socket) {
      if (code === 1000 || code === 1001) this.#forget(session);
      else session.detach();
    }
    this.#deps.changes.notify();
  }

  #open(socket: WebSocket, request: IncomingMessage): void {
    const { options, recorder } = this.#deps;
    const url = new URL(request.url ?? "/", "ws://gateway");
    const connection = new Connection({
      socket,
      path: url.pathname,
      heartbeatIntervalMs: options.heartbeatIntervalMs,
      handlers: this,
    });
    this.#connections.add(connection);
    if (url.searchParams.get("v") !== "10") return connection.close(4012);
    if (url.searchParams.get("encoding") !== "json" || url.searchParams.has("compress")) {
      recorder.violation(`The emulator's gateway speaks plain JSON only, not ${url.search}`);
      connection.close(4002);
    }
  }

  #greet(session: Session): void {
    const { world, options } = this.#deps;
    const guilds = [...world.guilds.values()].filter(
      (guild) =>
        guild.members.has(world.bot.id) && shardOf(guild.id, session.shard[1]) === session.shard[0],
    );
    session.push(
      always(
        GatewayDispatchEvents.Ready,
        readyPayload(world, {
          guilds,
          sessionId: session.id,
          shard: session.shard,
          resumeAddress: `${this.#address}/resume`,
          privilegedIntents: options.privilegedIntents,
        }),
      ),
    );
    if ((session.intents & GatewayIntentBits.Guilds) !== 0)
      for (const guild of guilds)
        session.push(always(GatewayDispatchEvents.GuildCreate, guildCreatePayload(world, guild)));
    this.#deps.changes.notify();
  }

  #invalidate(connection: Connection, resumable: boolean): void {
    const { session } = connection;
    connection.session = undefined;
    session?.detach();
    if (!resumable) this.#forget(session);
    connection.send(GatewayOpcodes.InvalidSession, resumable);
  }

  #identifiedTooSoon(shard: number): boolean {
    const { identifyIntervalMs, maxConcurrency } = this.#deps.options;
    const bucket = shard % maxConcurrency;
    const last = this.#lastIdentifyAtMs.get(bucket) ?? 0;
    if (Date.now() - last < identifyIntervalMs) return true;
    this.#lastIdentifyAtMs.set(bucket, Date.now());
    return false;
  }

  #expired(session: Session): boolean {
    const { sessionLifetimeMs } = this.#deps.options;
    const expired =
      session.detachedAtMs !== undefined && Date.now() - session.detachedAtMs > sessionLifetimeMs;
    if (expired) this.#forget(session);
    return expired;
  }

  #forget(session: Session | undefined): void {
    if (session) this.#sessions.delete(session.id);
  }
}

function always(name: GatewayDispatchEvents, payload: unknown): GatewayEvent {
  return { name, guildId: undefined, intents: 0, payload: () => payload };
}
