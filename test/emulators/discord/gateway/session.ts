import { GatewayOpcodes } from "discord-api-types/v10";
import type { WebSocket } from "ws";
import { shardOf, type GatewayEvent } from "./event.ts";

/** Events kept for a replay; the real figure is not published. */
const bufferLimit = 5_000;

/**
 * `connected` (has a socket) → `detached` (socket lost; events pile up) → `connected` by RESUME, or
 * gone: closed by the client with 1000 or 1001, invalidated, or detached for longer than the
 * session's lifetime.
 */
export class Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  socket: WebSocket | undefined;
  detachedAtMs: number | undefined;
  #sequence = 0;
  #buffer: { sequence: number; frame: string }[] = [];

  constructor(session: {
    id: string;
    intents: number;
    shard: readonly [number, number];
    socket: WebSocket;
  }) {
    this.id = session.id;
    this.intents = session.intents;
    this.shard = session.shard;
    this.socket = session.socket;
  }

  get sequence(): number {
    return this.#sequence;
  }

  wants(event: GatewayEvent): boolean {
    if (shardOf(event.guildId, this.shard[1]) !== this.shard[0]) return false;
    return event.intents === 0 || (event.intents & this.intents) !== 0;
  }

  push(event: GatewayEvent): void {
    const frame = this.#number(event);
    this.#buffer.push({ sequence: this.#sequence, frame });
    if (this.#buffer.length > bufferLimit) this.#buffer.shift();
    this.socket?.send(frame);
  }

  /** For RESUMED: numbered, but no part of a later replay. */
  pushUnbuffered(event: GatewayEvent): void {
    this.socket?.send(this.#number(event));
  }

  /** The event gets its number and is never sent, now or in a replay. */
  skip(): void {
    this.#sequence += 1;
  }

  /** Sends everything after `sequence` again; false when some of it is no longer known. */
  replay(sequence: number, socket: WebSocket): boolean {
    const first = this.#buffer[0]?.sequence ?? 0;
    if (sequence > this.#sequence || sequence + 1 < first) return false;
    this.socket = socket;
    this.detachedAtMs = undefined;
    for (const entry of this.#buffer) if (entry.sequence > sequence) socket.send(entry.frame);
    return true;
  }

  #number(event: GatewayEvent): string {
    this.#sequence += 1;
    return JSON.stringify({
      op: GatewayOpcodes.Dispatch,
      t: event.name,
      s: this.#sequence,
      d: event.payload(this.intents),
    });
  }

  detach(): void {
    this.socket = undefined;
    this.detachedAtMs = Date.now();
  }
}
