import { createServer } from "node:net";
import { freePort } from "../../../src/store/embedded/free-port.ts";
import { askServer, untilServers } from "./ask-server.ts";
import { startTestRedis, type TestRedis, type TestRedisOptions } from "./start-test-redis.ts";

/**
 * All of it together is killed, restarted, paused and resumed; `port` and `pid` are the first
 * master's.
 */
export type TestCluster = TestRedis & {
  readonly masters: readonly TestRedis[];
};

const slotCount = 16_384;
/** The servers speak to each other on their port and this. */
const busOffset = 10_000;

/**
 * Masters (three, if nothing else is asked for) without replicas, from plain servers; fulfils when
 * all of them serve.
 */
export async function startTestCluster(
  options: TestRedisOptions & { readonly masterCount?: number } = {},
): Promise<TestCluster> {
  const { masterCount = 3, ...each } = options;
  await using parts = new AsyncDisposableStack();
  const masters: TestRedis[] = [];
  // One after another: with the first that fails the others end.
  for (let index = 0; index < masterCount; index += 1)
    masters.push(parts.use(await startMaster(each)));
  const [first, ...others] = masters;
  if (!first) throw new Error("a cluster has a master");
  await Promise.all(masters.map((master, index) => takeSlots(master, index, masterCount)));
  await askServer(first, (client) =>
    Promise.all(others.map(({ port }) => client.cluster("MEET", "127.0.0.1", port))),
  );
  await serving(masters);
  const all = async (act: (master: TestRedis) => Promise<void>) => {
    await Promise.all(masters.map(act));
  };
  const held = parts.move();
  return {
    masters,
    url: [first.url, ...others.map(({ port }) => `127.0.0.1:${port}`)].join(),
    port: first.port,
    folders: masters.flatMap(({ folders }) => folders),
    get pid() {
      return first.pid;
    },
    kill: () => all((master) => master.kill()),
    async restart() {
      await all((master) => master.restart());
      await serving(masters);
    },
    pause: () => masters.forEach((master) => master.pause()),
    resume: () => masters.forEach((master) => master.resume()),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Another process may take a port between the look at it and the server's start. */
async function startMaster(options: TestRedisOptions): Promise<TestRedis> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await startMasterAt(await clusterPort(), options);
    } catch (error) {
      if (attempt === 5 || !/already in use/.test(String(error))) throw error;
    }
}

const startMasterAt = async (port: number, options: TestRedisOptions): Promise<TestRedis> =>
  await startTestRedis({
    ...options,
    port,
    args: [
      "--cluster-enabled",
      "yes",
      // One that is alone has no one to learn its address from.
      "--cluster-announce-ip",
      "127.0.0.1",
      // No one could take over; a busy machine must not look like a dead one.
      "--cluster-node-timeout",
      "5000",
      ...(options.args ?? []),
    ],
  });

async function takeSlots(master: TestRedis, index: number, masterCount: number): Promise<void> {
  const from = Math.floor((index * slotCount) / masterCount);
  const end = Math.floor(((index + 1) * slotCount) / masterCount);
  const slots = Array.from({ length: end - from }, (_, at) => from + at);
  await askServer(master, async (client) => {
    await client.cluster("ADDSLOTS", ...slots);
    await client.call("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
  });
}

const serving = (masters: readonly TestRedis[]): Promise<void> =>
  untilServers("a cluster that serves", async () => {
    const told = await Promise.all(
      masters.map((master) => askServer(master, (client) => client.cluster("INFO"))),
    );
    return told.every(
      (info) =>
        info.includes("cluster_state:ok") &&
        info.includes(`cluster_known_nodes:${masters.length}`) &&
        info.includes(`cluster_slots_ok:${slotCount}`),
    );
  });

/** A free port whose second one is free as well. */
export async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + busOffset < 65_536 && (await isFree(port + busOffset))) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
