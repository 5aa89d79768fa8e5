import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { PermanentError } from "../../src/core/errors.ts";
import type { Webhook } from "../../src/core/ports.ts";
import type { GaugeSource } from "../../src/http/gauges.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { startHttp, type HttpDeps } from "../../src/http/server.ts";

interface LogLine {
  readonly level: number;
  readonly msg: string;
}

async function openServer(changes: Partial<HttpDeps> = {}) {
  const log: LogLine[] = [];
  const server = await startHttp({
    host: "127.0.0.1",
    port: 0,
    unready: () => Promise.resolve(undefined),
    paused: () => Promise.resolve([]),
    webhook: () => undefined,
    registry: createMetrics().registry,
    gauges: [],
    log: pino(
      { level: "debug" },
      { write: (line: string) => void log.push(JSON.parse(line) as LogLine) },
    ),
    ...changes,
  });
  return {
    log,
    url: server.url,
    get: (path: string) => fetch(`${server.url}${path}`),
    post: (path: string, body: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, { method: "POST", body, headers }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Takes what has the header, and remembers it. */
function recordingWebhook(): Webhook & { readonly bodies: string[] } {
  const bodies: string[] = [];
  return {
    path: "/here",
    bodies,
    allows: (headers) => headers["x-key"] === "sesame",
    handle: (body) => {
      bodies.push(body);
      return Promise.resolve(
        body === "later" ? { status: 503, retryAfterSeconds: 2 } : { status: 200 },
      );
    },
  };
}

const allowed = { "x-key": "sesame", "content-type": "application/json" };

async function openWebhook() {
  const webhook = recordingWebhook();
  const server = await openServer({
    webhook: (path) => (path === webhook.path ? webhook : undefined),
  });
  return { ...server, webhook };
}

describe("probes", () => {
  it("say whether it lives, and whether it is ready", async () => {
    let trouble: string | undefined = "still starting";
    let paused: readonly string[] = [];
    await using server = await openServer({
      unready: () => Promise.resolve(trouble),
      paused: () => Promise.resolve(paused),
    });
    expect((await server.get("/healthz")).status).toBe(200);
    const early = await server.get("/readyz");
    expect(early.status).toBe(503);
    expect(await early.json()).toMatchObject({ reason: "still starting" });
    trouble = undefined;
    const ready = await server.get("/readyz");
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: "ready" });
    paused = ["all"];
    const asleep = await server.get("/readyz");
    expect(asleep.status).toBe(200);
    expect(await asleep.json()).toEqual({ status: "ready", paused: ["all"] });
    expect(await (await server.get("/metrics")).text()).toContain("process_");
    expect((await server.get("/elsewhere")).status).toBe(404);
  });

  it("answer 500 and log it when the answer cannot be had", async () => {
    await using server = await openServer({
      unready: () => Promise.reject(new Error("nobody knows")),
    });
    expect((await server.get("/readyz")).status).toBe(500);
    expect(server.log.at(-1)).toMatchObject({ msg: "a request failed" });
  });
});

describe("posts", () => {
  it("reach their webhook as they are, whatever they call themselves", async () => {
    await using server = await openWebhook();
    for (const type of ["application/json", "text/plain", "x/y; charset=utf-8"])
      expect(
        (
          await server.post("/here?a=b", `{"ä": 1`, {
            ...allowed,
            "content-type": type,
          })
        ).status,
      ).toBe(200);
    expect(server.webhook.bodies).toEqual([`{"ä": 1`, `{"ä": 1`, `{"ä": 1`]);
  });

  it("are answered with the webhook's word", async () => {
    await using server = await openWebhook();
    const answer = await server.post("/here", "later", allowed);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(await answer.text()).toBe("");
  });

  it("by others are refused before they are read, and empty-handed", async () => {
    await using server = await openWebhook();
    const answer = await server.post("/here", "x".repeat(6_000_000), {
      "content-type": "application/json",
    });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe("");
    expect((await server.post("/", "{}", allowed)).status).toBe(404);
    expect((await server.post("/healthz", "{}", allowed)).status).toBe(404);
    expect(server.webhook.bodies).toEqual([]);
  });

  it("that are too long are refused", async () => {
    await using server = await openWebhook();
    const long = "x".repeat(4_300_000);
    expect((await server.post("/here", long, allowed)).status).toBe(413);
    expect(server.webhook.bodies).toEqual([]);
    expect(server.log.at(-1)).toMatchObject({ msg: "refused a request" });
  });
});

it("names the setting when the port is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const error = await openServer({ port }).catch((thrown: unknown) => thrown);
  other.close();
  expect(error).toBeInstanceOf(PermanentError);
  expect(String(error)).toContain(`PARLEY_HTTP_PORT: port ${port}`);
});

const source = (name: string, read: GaugeSource["read"]): GaugeSource => ({
  name,
  help: name,
  labels: ["queue"],
  read,
});

it("measures what it is given, and leaves out what no one knows", async () => {
  await using server = await openServer({
    gauges: [
      source("parley_known", () => Promise.resolve([{ labels: { queue: "turns" }, value: 7 }])),
      source("parley_broken", () => Promise.reject(new Error("away"))),
      source("parley_hanging", () => new Promise(() => {})),
    ],
  });
  const text = await (await server.get("/metrics")).text();
  expect(text).toContain('parley_known{queue="turns"} 7');
  expect(text).not.toMatch(/^parley_broken/m);
  expect(text).not.toMatch(/^parley_hanging/m);
});

interface Reported {
  readonly socket: Socket;
  /** On the channels of HTTP. */
  readonly server?: Server;
}

/** What Node reports on a diagnostics channel while the test runs. */
function reported(channel: string): readonly Reported[] {
  const messages: Reported[] = [];
  const listener = (message: unknown) => void messages.push(message as Reported);
  subscribe(channel, listener);
  onTestFinished(() => void unsubscribe(channel, listener));
  return messages;
}

/**
 * Sends a request that never ends, until the server closes the connection or 200 MB have been
 * taken.
 */
async function sendForEver(url: string, head: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const part = Buffer.alloc(65_536, "x");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  // The server may close while there are bytes on their way.
  socket.on("error", () => undefined);
  const closed = Promise.withResolvers<undefined>();
  socket.on("close", () => closed.resolve(undefined));
  await once(socket, "connect");
  socket.write(head);
  const pour = (): void => {
    while (!socket.destroyed && socket.bytesWritten < 200_000_000)
      if (!socket.write(part)) return void socket.once("drain", pour);
  };
  pour();
  await closed.promise;
  return answer;
}

const head = (path: string, more: readonly string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    "content-type: application/json",
    "content-length: 4000000000",
    ...more,
    "",
    "",
  ].join("\r\n");
const chunked = [
  "POST /here HTTP/1.1",
  "host: localhost",
  "transfer-encoding: chunked",
  "",
  "fffffff",
  "",
].join("\r\n");

describe("a request that goes on for ever", () => {
  it.each([
    ["without the secret", head("/here"), 401],
    ["without the secret and a length", chunked, 401],
    ["to an unknown path", head("/elsewhere"), 404],
    ["to a probe", head("/healthz"), 404],
    ["that reads", head("/healthz").replace("POST", "GET"), 200],
    ["with a method that is unknown here", head("/here").replace("POST", "PUT"), 413],
    ["that is too long", head("/here", ["x-key: sesame"]), 413],
  ])("%s is answered, and its connection closed", async (_what, sent, status) => {
    const accepted = reported("net.server.socket");
    await using server = await openWebhook();
    const answer = await sendForEver(server.url, sent);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer.toLowerCase()).toContain("connection: close");
    const [ours, ...others] = accepted;
    expect(others).toEqual([]);
    expect(ours?.socket.bytesRead).toBeGreaterThan(0);
    expect(ours?.socket.bytesRead).toBeLessThan(1_000_000);
    expect(server.webhook.bodies).toEqual([]);
  });
});

/**
 * Connects, writes, and fulfils with what it was answered when the server has closed the
 * connection.
 */
const answered = async (url: string, text: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  await once(socket, "close");
  return answer;
};

describe("a client that is slow, or one of many", () => {
  it("is cut off when its headers or its body take too long", async () => {
    const requests = reported("http.server.request.start");
    await using server = await openWebhook();
    await server.get("/healthz");
    const [http] = requests.map((each) => each.server);
    expect(http).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      maxConnections: 1_000,
    });
    if (http === undefined) throw new Error("no request");
    // Node looks every five seconds: not after ten and thirty here.
    Object.assign(http, { headersTimeout: 50, requestTimeout: 100 });
    const slow = [
      "POST /here HTTP/1.1\r\nhost: localhost\r\n",
      `${head("/here", ["x-key: sesame"]).replace("4000000000", "100")}{`,
    ];
    const answers = slow.map((text) => answered(server.url, text));
    for (const answer of await Promise.all(answers)) expect(answer).toContain("HTTP/1.1 408 ");
    expect(server.webhook.bodies).toEqual([]);
  });

  it("is sent away while there are too many connections, and let in when there is room", async () => {
    const requests = reported("http.server.request.start");
    await using server = await openWebhook();
    await server.get("/healthz");
    const [http] = requests.map((each) => each.server);
    if (http === undefined) throw new Error("no request");
    http.closeAllConnections();
    http.maxConnections = 2;
    const { hostname, port } = new URL(server.url);
    const held = [1, 2].map(() => connect(Number(port), hostname));
    await Promise.all(held.map((socket) => once(socket, "connect")));
    expect(await answered(server.url, "")).toBe("");
    for (const socket of held) socket.destroy();
    await expect.poll(() => server.get("/healthz").then(({ status }) => status, String)).toBe(200);
  });
});
