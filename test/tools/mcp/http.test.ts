import { expect, test } from "vitest";
import { OutcomeUnknownError } from "../../../src/core/errors.ts";
import { everythingOverHttp } from "./support/everything.ts";
import { start, until } from "./support/harness.ts";
import { httpServer, type Exchange, type Refusal } from "./support/http-server.ts";

const went = ({ answer }: Exchange) => answer({ content: [{ type: "text", text: "went" }] });

test("the operator's headers are sent, and a session is ended politely", async () => {
  const sent: unknown[] = [];
  await using server = await httpServer((exchange) => {
    sent.push(exchange.request.headers.authorization);
    went(exchange);
  });
  {
    await using started = await start({ web: server.settings });
    expect(await started.call("web.go")).toMatchObject({ text: "went" });
  }
  expect(sent).toEqual(["Bearer secret"]);
  expect(server.seen.at(-1)).toBe("DELETE");
});

const rpc = (code: number, message: string) => ({ jsonrpc: "2.0", error: { code, message } });

/** As servers say that they don't know a session, in reports of people who use them. */
const lost: Readonly<Record<string, Refusal>> = {
  "404 with words": { status: 404, body: "Session not found" },
  "404 without words": { status: 404, body: "" },
  "404 and -32001": { status: 404, body: rpc(-32001, "Session not found") },
  "404 and an unknown id": { status: 404, body: rpc(-32000, "Unknown Mcp-Session-Id header") },
  "400 with words": { status: 400, body: "No valid session ID provided" },
  "400 and -32000": {
    status: 400,
    body: rpc(-32000, "Bad Request: No valid session ID or not an initialize request"),
  },
  "400 and not initialized": {
    status: 400,
    body: rpc(-32000, "Bad Request: Server not initialized"),
  },
  "400 without words": { status: 400, body: "" },
  "401 with words": { status: 401, body: "Unauthorized: Session not found" },
  "401 without words": { status: 401, body: "" },
  "403 without words": { status: 403, body: { error: "forbidden" } },
  "409": { status: 409, body: { message: "conflict" } },
  "410": { status: 410, body: "Gone" },
  "500 and -32603": { status: 500, body: rpc(-32603, "Session not found: 7f") },
  "200 and -32603": { status: 200, body: rpc(-32603, "Session not found") },
  "200 and -32600": { status: 200, body: rpc(-32600, "Session expired") },
  "200 and terminated": { status: 200, body: rpc(-32600, "Session terminated") },
  "200 and not initialized": {
    status: 200,
    body: rpc(-32002, "Received request before initialization was complete"),
  },
  "200 and an event": {
    status: 200,
    type: "text/event-stream",
    body: `data: {"jsonrpc":"2.0","id":%id,"error":{"code":-32603,"message":"Session not found"}}\n\n`,
  },
};

test.each(Object.entries(lost))(
  "a session that the server forgot (%s) is opened again, and the call runs once",
  async (what, forgotten) => {
    let calls = 0;
    await using server = await httpServer(
      (exchange) => {
        calls += 1;
        went(exchange);
      },
      { forgotten },
    );
    await using started = await start({ web: server.settings });
    expect(started.tool("web.go").effect).toBe("once");
    await started.call("web.go");
    server.forget();
    const call = started.call("web.go");
    // After a 500 it isn't sure that the call wasn't run.
    if (what.startsWith("500")) {
      await expect(call).rejects.toThrow(OutcomeUnknownError);
      expect(await started.call("web.go")).toMatchObject({ text: "went" });
    } else expect(await call).toMatchObject({ text: "went" });
    expect(calls).toBe(2);
    expect(server.sessions()).toBe(2);
    // At once, not after a wait; and the same list is no news.
    expect(started.waits).toEqual([]);
    expect(started.changes()).toBe(1);
  },
);

test.each([
  ["401", { status: 401, body: "" }],
  ["400", { status: 400, body: "" }],
  ["429", { status: 429, body: "session limit" }],
  ["500", { status: 500, body: "the database session expired" }],
  ["-32603", { status: 200, body: rpc(-32603, "The browser's session was not found") }],
  ["-32602", { status: 200, body: rpc(-32602, "The client is not initialized: log in") }],
])(
  "a call that is refused with %s in a session that lives is not made again",
  async (_what, no) => {
    let calls = 0;
    await using server = await httpServer(({ rpc: { id }, response }) => {
      calls += 1;
      response
        .writeHead(no.status, { "content-type": "application/json" })
        .end(typeof no.body === "string" ? no.body : JSON.stringify({ id, ...no.body }));
    });
    await using started = await start({ web: server.settings });
    await expect(started.call("web.go")).rejects.toThrow();
    expect(calls).toBe(1);
    expect(server.sessions()).toBe(1);
  },
);

test("a token that is no longer taken ends the connection, with that reason", async () => {
  await using server = await httpServer(went, { forgotten: { status: 401, body: "" } });
  await using started = await start({ web: server.settings });
  server.forget("refuse");
  await expect(started.call("web.go")).rejects.toThrow(
    'server "web" is down just now (it answered HTTP 401 (Unauthorized))',
  );
});

test("a server that was restarted between two calls is noticed by its stream", async () => {
  await using server = await httpServer(went, { streams: true });
  await using started = await start({ web: server.settings });
  await until(() => expect(server.seen).toContain("GET"));
  expect(server.sessions()).toBe(1);
  server.forget();
  await until(() => expect(server.sessions()).toBe(2));
  expect(started.lines).toContainEqual(
    expect.objectContaining({ reason: "its stream ended (HTTP 404)" }),
  );
});

test("a call that waits for a new session does not wait longer than the process runs", async () => {
  await using server = await httpServer(went);
  await using started = await start({ web: server.settings });
  server.forget("hang");
  const call = started.call("web.go");
  const outcome = expect(call).rejects.toThrow("down just now");
  await until(() => expect(server.seen.filter((method) => method === "initialize").length).toBe(2));
  await started.mcp[Symbol.asyncDispose]();
  await outcome;
});

test("a server that forgets every session at once is not asked for ever", async () => {
  await using server = await httpServer(({ response }) => response.writeHead(404).end());
  await using started = await start({ web: server.settings });
  await expect(started.call("web.go")).rejects.toThrow("answered HTTP 404");
  expect(server.sessions()).toBe(2);
});

test.each([
  ["a body", "application/json", '{"jsonrpc":"2.0","result":"'],
  ["an event", "text/event-stream", "event: message\ndata: "],
])(
  "%s without an end ends the connection, and not our memory",
  async (_what, contentType, beginning) => {
    await using server = await httpServer(({ response }) => {
      response.writeHead(200, { "content-type": contentType }).write(beginning);
      const pour = () => {
        while (!response.destroyed && response.write("x".repeat(100_000)));
        response.once("drain", pour);
      };
      pour();
    });
    await using started = await start({ web: server.settings });
    const call = started.call("web.go");
    await expect(call).rejects.toThrow("more than 10000000 bytes");
    await expect(call).rejects.toThrow(OutcomeUnknownError);
    await until(() => expect(server.sessions()).toBe(2));
  },
);

test("a long stream of small events is no large message", async () => {
  await using server = await httpServer(({ rpc, response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const log = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x".repeat(1_000_000) },
    });
    const result = JSON.stringify({
      jsonrpc: "2.0",
      id: rpc.id,
      result: { content: [{ type: "text", text: "at last" }] },
    });
    for (let event = 0; event < 15; event += 1) response.write(`data: ${log}\r\n\r\n`);
    response.end(`data: ${result}\n\n`);
  });
  await using started = await start({ web: server.settings });
  expect(await started.call("web.go")).toMatchObject({ text: "at last" });
});

test("an answer that breaks off does not keep the call waiting when the server is gone", async () => {
  await using server = await everythingOverHttp();
  await using started = await start({ everything: server.settings });
  let seen = "";
  const call = started.call(
    "everything.trigger-long-running-operation",
    { duration: 600, steps: 6_000 },
    { progress: (line) => (seen = line) },
  );
  const outcome = expect(call).rejects.toThrow(OutcomeUnknownError);
  await until(() => expect(seen).not.toBe(""));
  await server.kill();
  await outcome;
  const down = started.call("everything.echo", { message: "there?" });
  await expect(down).rejects.toThrow("down just now");
  await expect(down).rejects.not.toThrow(OutcomeUnknownError);
  // The same address, another process.
  await using again = await everythingOverHttp(server.port);
  expect(again.port).toBe(server.port);
  await until(async () =>
    expect(await started.call("everything.echo", { message: "again" })).toMatchObject({
      text: "Echo: again",
    }),
  );
});

test("a call to a server that went away unnoticed was not run, and says so", async () => {
  const server = await httpServer(went);
  await using started = await start({ web: server.settings });
  await server[Symbol.asyncDispose]();
  const call = started.call("web.go");
  await expect(call).rejects.toThrow(
    'server "web" is down just now: it cannot be reached (ECONNREFUSED)',
  );
  await expect(call).rejects.not.toThrow(OutcomeUnknownError);
});

test("HTTP errors are told apart: refused, or unknown", async () => {
  let status = 403;
  await using server = await httpServer(({ response }) =>
    response.writeHead(status).end("<h1>secret page</h1>"),
  );
  await using started = await start({ web: server.settings });
  const refused = started.call("web.go");
  await expect(refused).rejects.toThrow(/^server "web" answered HTTP 403$/);
  await expect(refused).rejects.not.toThrow(OutcomeUnknownError);
  status = 502;
  await expect(started.call("web.go")).rejects.toThrow(OutcomeUnknownError);
});

test("a server that accepts the handshake and then hangs is given up", async () => {
  await using server = await httpServer(went, { onNotified: () => {} });
  await using started = await start({ web: server.settings }, { connectTimeoutMs: 200 });
  expect(started.lines).toContainEqual(
    expect.objectContaining({
      server: "web",
      reason: "it did not answer within 0.2 s",
    }),
  );
});

test("an aborted call says why it was aborted, and not that the server was silent", async () => {
  await using server = await httpServer(() => {});
  await using started = await start({ web: server.settings });
  const abort = new AbortController();
  const call = started.call("web.go", {}, { signal: abort.signal });
  const outcome = Promise.all([
    expect(call).rejects.toThrow(
      /^the call to server "web" was cancelled: a person stopped it: whether/,
    ),
    expect(call).rejects.toThrow(OutcomeUnknownError),
  ]);
  await until(() => expect(server.seen).toContain("tools/call"));
  abort.abort("stopped");
  await outcome;
});
