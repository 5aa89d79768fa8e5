import { once } from "node:events";
import { WebSocket } from "ws";
import { objectOf, type JsonObject } from "./json.ts";

/** A gateway client without any manners, for what discord.js would never do. */
export class RawGateway {
  readonly frames: JsonObject[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      this.frames.push(objectOf(JSON.parse(data.toString())));
    });
  }

  static async open(address: string): Promise<RawGateway> {
    const socket = new WebSocket(address);
    const raw = new RawGateway(socket);
    await once(socket, "open");
    return raw;
  }

  send(op: number, d: unknown): void {
    this.#socket.send(JSON.stringify({ op, d }));
  }

  /** The first frame that matches, seen already or still to come. */
  async frame(wanted: { op: number; t?: string }): Promise<JsonObject> {
    const find = () =>
      this.frames.find(
        ({ op, t }) => op === wanted.op && (wanted.t === undefined || t === wanted.t),
      );
    let found = find();
    while (!found) {
      await once(this.#socket, "message");
      found = find();
    }
    return found;
  }

  /** The code with which the server closes. */
  async closed(): Promise<number> {
    const [code] = (await once(this.#socket, "close")) as [number];
    return code;
  }

  async close(code: number): Promise<void> {
    const closed = once(this.#socket, "close");
    this.#socket.close(code);
    await closed;
  }
}
