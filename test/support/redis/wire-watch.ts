import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { RespReader } from "./resp.ts";

/** A command as it stood on the wire. */
export interface WireCommand {
  /** In lower case. */
  readonly name: string;
  readonly parts: readonly string[];
  /** Bytes. */
  readonly size: number;
  /** Of the reply, in bytes; absent: it has not come. */
  readonly replySize?: number;
}

/** What processes and one Redis say to each other: all of it, in the order in which it was said. */
export class Wire implements AsyncDisposable {
  /** Of connections that subscribe only what came before. */
  readonly commands: readonly WireCommand[] = [];
  readonly #parts = new AsyncDisposableStack();

  /** Another way to the server at this port; everything that goes it is kept count of. */
  async to(port: number): Promise<string> {
    const proxy = this.#parts.use(await carry(port, () => this.#watch()));
    return proxy.url;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }

  /** One connection. */
  #watch(): Listener {
    type Open = { -readonly [Key in keyof WireCommand]: WireCommand[Key] };
    const commands = this.commands as Open[];
    const open: Open[] = [];
    let isSubscribed = false;
    const asked = new RespReader();
    const replied = new RespReader();
    return {
      onAsked: (chunk) => {
        for (const { texts, size } of asked.read(chunk)) {
          const name = (texts[0] ?? "").toLowerCase();
          isSubscribed ||= subscribing.has(name);
          if (isSubscribed) continue;
          const command = { name, parts: texts, size };
          commands.push(command);
          open.push(command);
        }
      },
      onReplied: (chunk) => {
        for (const { type, size, texts } of replied.read(chunk)) {
          if (type === ">" || isSubscribed) continue;
          const command = open.shift();
          if (command === undefined)
            throw new Error(`a reply to nothing: ${type} ${texts.join(" ")}`);
          command.replySize = size;
        }
      },
    };
  }
}

/** Those after which more comes than is asked for. */
const subscribing: ReadonlySet<string> = new Set(["subscribe", "psubscribe"]);

interface Listener {
  readonly onAsked: (chunk: Buffer) => void;
  readonly onReplied: (chunk: Buffer) => void;
}

async function carry(port: number, listen: () => Listener) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const { onAsked, onReplied } = listen();
    // Counted before it is carried on: nothing that follows from it comes sooner.
    client.on("data", (chunk: Buffer) => {
      onAsked(chunk);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      onReplied(chunk);
      client.write(chunk);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
