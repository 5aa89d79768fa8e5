import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { Redis } from "ioredis";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  checkRedisServer,
  isTooOld,
  UnsuitableRedisError,
} from "../../../src/store/redis/check-server.ts";
import { connectStore } from "../../../src/store/redis/connect.ts";
import { connectOnce } from "../../../src/store/redis/connect-once.ts";
import { describeConnectionError } from "../../../src/store/redis/connection-errors.ts";
import { freePort } from "../../../src/store/embedded/free-port.ts";
import { openProbe } from "../../../src/store/embedded/probe.ts";
import { startTestRedis, type TestRedisOptions } from "../../support/redis/test-redis.ts";
import { connect } from "./support.ts";

async function serve(options: TestRedisOptions): Promise<Redis> {
  const server = await startTestRedis(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return connect(server.url);
}

/** What a server that we can't have here would say. */
function pretend(info: string, config: () => Promise<unknown>): Redis {
  return { info: async () => info, config } as unknown as Redis;
}

test.each([
  ["6.0.16", true],
  ["5.0", true],
  ["6.1.99", true],
  ["6.2.0", false],
  ["7.0.15", false],
  ["10.0.0", false],
])("version %s is too old: %s", (version, expected) => {
  expect(isTooOld(version)).toBe(expected);
});

describe("a server that may hold conversations", () => {
  test("append-only with fsync always passes without a word", async () => {
    const client = await serve({ appendOnly: "always" });
    expect(await checkRedisServer(client)).toEqual({ warnings: [] });
  });

  test.each<[string, TestRedisOptions, string]>([
    ["no append-only file", { appendOnly: "off" }, "Set appendonly yes and appendfsync always"],
    ["fsync every second", { appendOnly: "everysec" }, "appendfsync everysec: a power cut"],
  ])("%s warns", async (_, options, warning) => {
    const { warnings } = await checkRedisServer(await serve(options));
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  test("one that forbids CONFIG warns about what it does not say", async () => {
    const client = await serve({
      appendOnly: "always",
      args: ["--rename-command", "CONFIG", ""],
    });
    expect((await checkRedisServer(client)).warnings).toEqual([
      expect.stringContaining("does not say its appendfsync"),
    ]);
    const hosted = pretend("redis_version:7.2.4\r\nrole:master\r\naof_enabled:1\r\n", () =>
      Promise.reject(new Error("ERR unknown command 'CONFIG'")),
    );
    const { warnings } = await checkRedisServer(hosted);
    expect(warnings).toEqual([
      expect.stringContaining("maxmemory-policy"),
      expect.stringContaining("appendfsync"),
    ]);
  });

  test("one whose user may not use CONFIG warns about fsync alone", async () => {
    const client = await serve({ appendOnly: "always" });
    await client.acl("SETUSER", "guest", "on", "nopass", "~*", "+@all", "-config");
    await client.auth("guest", "");
    const { warnings } = await checkRedisServer(client);
    expect(warnings).toEqual([expect.stringContaining("does not say its appendfsync")]);
  });

  test("Valkey is taken by the Redis version that it names", async () => {
    const info =
      "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\nrole:master\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n";
    const client = pretend(info, async () => ["appendfsync", "always"]);
    expect(await checkRedisServer(client)).toEqual({ warnings: [] });
  });
});

describe("a server that is refused", () => {
  test.each([
    [
      "an old one",
      "redis_version:6.0.16\r\nrole:master\r\n",
      "version 6.0.16, but Parley needs Redis 6.2",
    ],
    ["one without a version", "role:master\r\n", "version unknown"],
  ])("%s", async (_, info, message) => {
    const check = checkRedisServer(pretend(info, async () => []));
    await expect(check).rejects.toThrow(UnsuitableRedisError);
    await expect(check).rejects.toThrow(message);
  });

  test("one that evicts", async () => {
    const client = await serve({ args: ["--maxmemory-policy", "allkeys-lru"] });
    await expect(checkRedisServer(client)).rejects.toThrow("maxmemory-policy is allkeys-lru");
  });

  test.each<[string, readonly string[], number, string]>([
    ["without the database of the URL", [], 16, "database 16 doesn't exist; expected 0 to 15"],
    ["with fewer databases", ["--databases", "4"], 4, "expected 0 to 3"],
    ["with a number that is none", [], 99_999_999_999, "expected 0 to 15"],
    ["that forbids CONFIG", ["--rename-command", "CONFIG", ""], 99, "expected a lower number"],
  ])("one %s", async (_, args, database, message) => {
    await using server = await startTestRedis({ args });
    const url = `${server.url}/${database}`;
    const { signal } = new AbortController();
    const connected = connectStore(url, pino({ enabled: false }), signal);
    await expect(connected).rejects.toThrow(UnsuitableRedisError);
    await expect(connected).rejects.toThrow(message);
    await expect(connectOnce(url)).rejects.toThrow(message);
  });

  test("a read-only replica", async () => {
    const port = await freePort();
    const client = await serve({
      args: ["--replicaof", "127.0.0.1", String(port)],
    });
    await expect(checkRedisServer(client)).rejects.toThrow("point REDIS_URL at its primary");
  });
});

async function failure(url: string): Promise<string> {
  const client = openProbe(url);
  const errors: unknown[] = [];
  client.on("error", (error) => errors.push(error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    return describeConnectionError(errors[0] ?? error, url);
  } finally {
    client.disconnect();
  }
  throw new Error(`${url} can be reached`);
}

function at(user: string, { port }: { readonly port: number }): string {
  return `redis://${user}127.0.0.1:${port}`;
}

describe("a server that can't be reached", () => {
  test("no one listens", async () => {
    const port = await freePort();
    const said = await failure(`redis://:hush@127.0.0.1:${port}`);
    expect(said).toContain(
      `Can't use Redis at redis://127.0.0.1:${port}: nothing is listening there`,
    );
    expect(said).not.toContain("hush");
  });

  test("the name is unknown", async () => {
    expect(await failure("redis://nowhere.invalid")).toContain("the host's name can't be found");
  });

  test("a password is missing, or wrong, or not wanted", async () => {
    const closed = await startTestRedis({ password: "right" });
    const open = await startTestRedis();
    onTestFinished(async () => {
      await closed[Symbol.asyncDispose]();
      await open[Symbol.asyncDispose]();
    });
    expect(await failure(at("", closed))).toContain("it needs a password");
    const wrong = await failure(at(":hush@", closed));
    expect(wrong).toContain("doesn't accept this user and password");
    expect(wrong).not.toContain("hush");
    expect(await failure(at("somebody:hush@", open))).toContain(
      "doesn't accept this user and password",
    );
  });

  test("TLS where there is none", async () => {
    const server = await startTestRedis();
    onTestFinished(() => server[Symbol.asyncDispose]());
    expect(await failure(`rediss://127.0.0.1:${server.port}`)).toContain(
      "if it doesn't speak TLS, use redis://",
    );
  });

  test("someone answers who is no Redis, or not at all", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await failure(`redis://:hush@127.0.0.1:${port}`)).not.toContain("hush");
  });

  test("that says nothing is named on the screen before anyone gives up", async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const ending = new AbortController();
    const said: string[] = [];
    const log = pino({ level: "silent" });
    const connected = connectStore(`redis://:hush@127.0.0.1:${port}`, log, ending.signal, (line) =>
      said.push(line),
    );
    await expect.poll(() => said).toEqual([`Connecting to Redis at redis://127.0.0.1:${port} …`]);
    ending.abort();
    for (const socket of sockets) socket.destroy();
    server.close();
    await expect(connected).rejects.toThrow("abort");
  });

  test.each([
    [Object.assign(new Error("x"), { code: "ETIMEDOUT" }), "doesn't answer in time"],
    [
      new AggregateError([Object.assign(new Error("y"), { code: "ECONNREFUSED" })]),
      "nothing is listening there",
    ],
    [
      new Error("wrapped", {
        cause: new Error("NOAUTH Authentication required."),
      }),
      "it needs a password",
    ],
    [
      Object.assign(new Error("z"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
      "certificate is not trusted",
    ],
    [new Error("odd thing at redis://:hush@h"), "odd thing at redis://h"],
    ["thrown text", "thrown text"],
  ])("%o", (error, expected) => {
    const said = describeConnectionError(error, "redis://:hush@h");
    expect(said).toContain(expected);
    expect(said).not.toContain("hush");
  });
});

test("a test server keeps its address over a restart, and can be paused", async () => {
  const server = await startTestRedis({ appendOnly: "always" });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = connect(server.url);
  await client.set("greeting", "hello");
  const { pid } = server;
  await server.restart();
  expect(server.pid).not.toBe(pid);
  expect(await client.get("greeting")).toBe("hello");
  server.pause();
  const answered = vi.fn<(answer: string) => void>();
  const answer = client.ping().then(answered);
  await expect(openProbe(server.url).ping()).rejects.toThrow();
  expect(answered).not.toHaveBeenCalled();
  server.resume();
  await answer;
  expect(answered).toHaveBeenCalledWith("PONG");
});
