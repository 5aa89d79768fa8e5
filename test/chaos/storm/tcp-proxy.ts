import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * The network between Parley and its Redis: passing everything on, until it is told to misbehave.
 */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Every connection ends, and new ones end at once, until `heal`. */
  cut(): void;
  /** Nothing flows, in either direction, until `heal`; then all of it does. */
  stall(): void;
  /** A part of the replies is cut in the middle by a reset of its connection. */
  reset(share: number): void;
  /** Added in each direction. */
  delay(latencyMs: number): void;
  heal(): void;
  /** Connections that were reset. */
  readonly resets: number;
}

interface Weather {
  isCut: boolean;
  isStalled: boolean;
  resetShare: number;
  latencyMs: number;
}

const calm: Weather = {
  isCut: false,
  isStalled: false,
  resetShare: 0,
  latencyMs: 0,
};

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const weather: Weather = { ...calm };
  const ways = new Set<OneWay>();
  const sockets = new Set<Socket>();
  const draw = sequence();
  let resets = 0;
  const server = createServer((client) => {
    if (weather.isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    const request = new OneWay(upstream, weather);
    const reply = new OneWay(client, weather);
    ways.add(request).add(reply);
    client.once("close", () => {
      request.end();
      reply.end();
      ways.delete(request);
      ways.delete(reply);
    });
    client.on("data", (bytes: Buffer) => request.pass(bytes));
    upstream.on("data", (bytes: Buffer) => {
      if (draw() >= weather.resetShare) {
        reply.pass(bytes);
        return;
      }
      resets += 1;
      client.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
        client.resetAndDestroy();
      });
      upstream.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      weather.isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    stall() {
      weather.isStalled = true;
    },
    reset(share) {
      weather.resetShare = share;
    },
    delay(latencyMs) {
      weather.latencyMs = latencyMs;
    },
    heal() {
      Object.assign(weather, calm);
      for (const way of ways) way.flush();
    },
    get resets() {
      return resets;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** One direction of one connection; what is held back keeps its order. */
class OneWay {
  readonly #target: Socket;
  readonly #weather: Readonly<Weather>;
  #held: { readonly bytes: Buffer; readonly dueMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(target: Socket, weather: Readonly<Weather>) {
    this.#target = target;
    this.#weather = weather;
  }

  pass(bytes: Buffer): void {
    const { isStalled, latencyMs } = this.#weather;
    if (!isStalled && latencyMs === 0 && this.#held.length === 0) {
      this.#target.write(bytes);
      return;
    }
    this.#held.push({ bytes, dueMs: Date.now() + latencyMs });
    if (!isStalled && this.#timer === undefined) this.#arm();
  }

  /** The weather has changed. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { bytes } of this.#held.splice(0)) this.#target.write(bytes);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#held = [];
  }

  #arm(): void {
    const [next] = this.#held;
    if (next === undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#weather.isStalled) return;
        const nowMs = Date.now();
        while (this.#held[0] !== undefined && this.#held[0].dueMs <= nowMs)
          this.#target.write(this.#held.shift()?.bytes ?? "");
        this.#arm();
      },
      Math.max(0, next.dueMs - Date.now()),
    );
  }
}

/** Evenly spread numbers below 1, the same in every run: which reply they meet is chance enough. */
function sequence(): () => number {
  let at = 0;
  return () => {
    at = (at + 0.618_033_988_75) % 1;
    return at;
  };
}
