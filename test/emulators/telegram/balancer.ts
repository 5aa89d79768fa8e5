import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";

/** One address for several servers of this machine: each connection goes to the next of them. */
export class Balancer implements AsyncDisposable {
  readonly #server: Server;
  readonly #ports: number[] = [];
  #connections = 0;

  private constructor() {
    this.#server = createServer((incoming) => {
      this.#connections += 1;
      const port = this.#ports[this.#connections % this.#ports.length];
      if (port === undefined) {
        incoming.destroy();
        return;
      }
      const outgoing = connect(port, "127.0.0.1");
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        one.on("error", () => other.destroy());
        one.on("close", () => other.destroy());
        one.pipe(other);
      }
    });
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A server's URL. It stays among them when it is gone, as one whose probe has not failed yet. */
  add(url: string): void {
    this.#ports.push(Number(new URL(url).port));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }
}
