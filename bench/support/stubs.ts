import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Order, Told } from "../stubs/orders.ts";

/** What the load found, in ms. */
type Loaded = Omit<Told & { type: "loaded" }, "type">;
type Reported = Omit<Told & { type: "reported" }, "type">;

/** Both far ends, each in a process of its own. */
export interface Stubs extends AsyncDisposable {
  readonly pids: readonly number[];
  /** The Bot API's root. */
  readonly telegramUrl: string;
  /** The model's base without `/v1`; `/plain` or `/tool/<name>/<argument>` follows. */
  readonly modelUrl: string;
  /** Fulfils when someone polls who has not since `reset`. */
  polled(): Promise<void>;
  reset(): void;
  load(order: Omit<Order & { type: "load" }, "type">): Promise<Loaded>;
  pour(chats: readonly number[]): Promise<void>;
  report(): Promise<Reported>;
  modelDelay(ms: number): Promise<void>;
  modelStats(): Promise<{
    readonly requests: number;
    readonly requestBytes: number;
    readonly open: number;
  }>;
}

const start = (file: string): ChildProcess =>
  fork(fileURLToPath(new URL(`../stubs/${file}`, import.meta.url)), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });

export async function startStubs(): Promise<Stubs> {
  const model = start("model-stub.ts");
  const telegram = start("telegram-stub.ts");
  const waiting = new Map<Told["type"], (told: Told) => void>();
  telegram.on("message", (told: Told) => waiting.get(told.type)?.(told));
  const hear = <Type extends Told["type"]>(type: Type) => {
    const { promise, resolve } = Promise.withResolvers<Told & { type: Type }>();
    waiting.set(type, resolve as (told: Told) => void);
    return promise;
  };
  const order = (given: Order): void => void telegram.send(given);
  // Both at once: neither says it a second time.
  const [modelPort, { port }] = await Promise.all([
    new Promise<number>((resolve) =>
      model.once("message", (told: { port: number }) => resolve(told.port)),
    ),
    hear("listening"),
  ]);
  let polled = hear("polled");
  const modelUrl = `http://127.0.0.1:${modelPort}`;
  return {
    pids: [model, telegram].map(({ pid }) => pid ?? 0),
    telegramUrl: `http://127.0.0.1:${port}`,
    modelUrl,
    polled: async () => void (await polled),
    reset() {
      polled = hear("polled");
      order({ type: "reset" });
    },
    async load(given) {
      const loaded = hear("loaded");
      order({ type: "load", ...given });
      return await loaded;
    },
    async pour(chats) {
      const poured = hear("poured");
      order({ type: "pour", chats });
      await poured;
    },
    async report() {
      const reported = hear("reported");
      order({ type: "report" });
      return await reported;
    },
    async modelDelay(ms) {
      await fetch(`${modelUrl}/delay/${ms}`);
    },
    async modelStats() {
      const response = await fetch(`${modelUrl}/stats`);
      return (await response.json()) as Awaited<ReturnType<Stubs["modelStats"]>>;
    },
    async [Symbol.asyncDispose]() {
      const ended = [model, telegram].map(
        (child) => new Promise((resolve) => child.once("exit", resolve)),
      );
      model.disconnect();
      telegram.disconnect();
      await Promise.all(ended);
    },
  };
}
