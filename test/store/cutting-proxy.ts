import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * Stands between a client and its Redis and, when asked, carries a command out but cuts the
 * connection before its reply.
 */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** The next reply is lost together with its connection. */
  loseNextReply(): void;
  /** Replies lost so far. */
  readonly lost: number;
}

/** @param url where it listens, if that matters: one of an earlier proxy. */
export async function cuttingProxy(
  port: number,
  url = "redis://127.0.0.1:0",
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let armed = false;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
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
    client.pipe(upstream);
    upstream.on("data", (reply) => {
      if (!armed) {
        client.write(reply);
        return;
      }
      armed = false;
      lost += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(Number(new URL(url).port), "127.0.0.1", resolve);
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNextReply() {
      armed = true;
    },
    get lost() {
      return lost;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
