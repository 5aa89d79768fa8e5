import { GatewayOpcodes } from "discord-api-types/v10";
import type { RawData, WebSocket } from "ws";
import { isObject, type JsonObject } from "../json.ts";
import type { Session } from "./session.ts";

/**
 * Frames a client may send in 60 s, and bytes in one frame (docs: Gateway, Rate Limiting and
 * Sending Events).
 */
const framesPerMinute = 120;
const maxFrameBytes = 4_096;

/** What a connection asks of the gateway. */
export interface ConnectionHandlers {
  identify(connection: Connection, data: JsonObject): void;
  resume(connection: Connection, data: JsonObject): void;
  requestMembers(connection: Connection, data: JsonObject): void;
  present(connection: Connection, data: JsonObject): void;
  closed(connection: Connection, code: number): void;
}

/**
 * One socket: `hello` → `authenticated` (has a session) → `closed`. Op 9 takes the session away
 * again.
 */
export class Connection {
  readonly socket: WebSocket;
  /**
   * The path it was opened with: `/` the first time, `/resume` when `resume_gateway_url` is
   * honoured.
   */
  readonly path: string;
  session: Session | undefined;
  acknowledges = true;
  readonly #handlers: ConnectionHandlers;
  readonly #heartbeatIntervalMs: number;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #frames: number[] = [];

  constructor(init: {
    socket: WebSocket;
    path: string;
    heartbeatIntervalMs: number;
    handlers: ConnectionHandlers;
  }) {
    this.socket = init.socket;
    this.path = init.path;
    this.#handlers = init.handlers;
    this.#heartbeatIntervalMs = init.heartbeatIntervalMs;
    this.socket.on("message", (data) => {
      this.#receive(data);
    });
    this.socket.on("close", (code) => {
      clearTimeout(this.#heartbeatTimer);
      this.#handlers.closed(this, code);
    });
    this.send(GatewayOpcodes.Hello, {
      heartbeat_interval: init.heartbeatIntervalMs,
      _trace: [],
    });
    this.#expectHeartbeat();
  }

  send(op: GatewayOpcodes, d: unknown): void {
    this.socket.send(JSON.stringify({ op, d, s: null, t: null }));
  }

  /** 1006 can't be sent: it cuts the line, as a lost network does. */
  close(code: number): void {
    if (code === 1006) this.socket.terminate();
    else this.socket.close(code);
  }

  /** A client that is silent for 1.5 intervals is closed with 4009. */
  #expectHeartbeat(): void {
    clearTimeout(this.#heartbeatTimer);
    this.#heartbeatTimer = setTimeout(() => {
      this.close(4009);
    }, this.#heartbeatIntervalMs * 1.5).unref();
  }

  #receive(data: RawData): void {
    const now = Date.now();
    this.#frames = [...this.#frames.filter((atMs) => now - atMs < 60_000), now];
    if (this.#frames.length > framesPerMinute) return this.close(4008);
    const frame = decode(data);
    if (!frame) return this.close(4002);
    const payload = isObject(frame["d"]) ? frame["d"] : {};
    switch (frame["op"]) {
      case GatewayOpcodes.Heartbeat:
        this.#expectHeartbeat();
        if (this.acknowledges) this.send(GatewayOpcodes.HeartbeatAck, null);
        return;
      case GatewayOpcodes.Identify:
        return this.session ? this.close(4005) : this.#handlers.identify(this, payload);
      case GatewayOpcodes.Resume:
        return this.session ? this.close(4005) : this.#handlers.resume(this, payload);
      case GatewayOpcodes.RequestGuildMembers:
        return this.session ? this.#handlers.requestMembers(this, payload) : this.close(4003);
      case GatewayOpcodes.PresenceUpdate:
        return this.session ? this.#handlers.present(this, payload) : this.close(4003);
      case GatewayOpcodes.VoiceStateUpdate:
        if (!this.session) this.close(4003);
        return;
      default:
        this.close(4001);
    }
  }
}

function decode(data: RawData): JsonObject | undefined {
  const text = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  if (text.byteLength > maxFrameBytes) return undefined;
  try {
    const frame: unknown = JSON.parse(text.toString());
    return isObject(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}
