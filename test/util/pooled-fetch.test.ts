import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { execFile } from "node:child_process";
import { connect, type AddressInfo, type Socket } from "node:net";
import { promisify } from "node:util";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  maxResponseBytes,
  pooledFetch,
  PooledResponse,
  unkeptFetch,
} from "../../src/util/pooled-fetch.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function serve(answer: Answer) {
  const server = createServer((request, response) => void answer(request, response));
  let connections = 0;
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

describe("a pooled request", () => {
  it("sends its body and its headers, and gets status, headers and text", async () => {
    await using server = await serve(async (request, response) => {
      const sent = await text(request);
      response.writeHead(418, "Teapot", { "x-one": ["1", "2"], "content-type": "text/plain" });
      response.end(`${request.method} ${String(request.headers["x-mine"])} ${sent}`);
    });
    for (const headers of [{ "x-mine": "a" }, new Headers({ "x-mine": "a" }), [["x-mine", "a"]]]) {
      const init = {
        method: "POST",
        body: "héllo",
        headers: headers as NonNullable<RequestInit["headers"]>,
      };
      const response = await pooledFetch(server.url, init);
      expect([response.status, response.ok, response.url]).toEqual([418, false, server.url]);
      expect(response.headers.get("x-one")).toBe("1, 2");
      expect(await response.text()).toBe("POST a héllo");
    }
  });

  it("uses connections again once their bodies were read", async () => {
    await using server = await serve((_, response) => response.end("{}"));
    for (let count = 0; count < 9; count += 1)
      expect(await (await pooledFetch(server.url)).json()).toEqual({});
    // One is free again only a moment after its body has ended.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it("sends a form", async () => {
    await using server = await serve((request, response) => {
      void text(request).then((sent) =>
        response.end(`${request.headers["content-type"]}\n${sent}`),
      );
    });
    const body = new FormData();
    body.set("file", new File(["bytes"], "voice.ogg"));
    const said = await (await pooledFetch(server.url, { method: "POST", body })).text();
    expect(said).toMatch(/^multipart\/form-data; boundary=/);
    expect(said).toContain('filename="voice.ogg"');
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("reads a body of a server that compresses unasked: %s", async (encoding, compress) => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compress('{"a":1}'));
    });
    expect(await (await pooledFetch(server.url)).json()).toEqual({ a: 1 });
  });

  it("says so when a compressed body is broken", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end("no gzip");
    });
    await expect((await pooledFetch(server.url)).text()).rejects.toThrow(/header/);
  });

  it("follows a redirect", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/new") response.end("here");
      else response.writeHead(308, { location: "/new" }).end();
    });
    for (const fetch of [pooledFetch, unkeptFetch])
      expect(await (await fetch(`${server.url}/old`)).text()).toBe("here");
  });

  it("says so when its body is asked for after its end", async () => {
    await using server = await serve((_, response) => response.end("{}"));
    const response = await pooledFetch(server.url);
    expect(await response.text()).toBe("{}");
    expect(await response.text()).toBe("");
    const destroyed = await pooledFetch(server.url);
    if (!(destroyed instanceof PooledResponse)) throw new Error("expected a pooled response");
    destroyed.raw.destroy(new Error("on purpose"));
    await expect(destroyed.text()).rejects.toThrow("on purpose");
    await expect(destroyed.text()).rejects.toThrow("on purpose");
  });

  it("rejects where the status is none, and lets go of the connection", async () => {
    await using server = await serve((_, response) => {
      response.statusCode = 999;
      response.end("{}");
    });
    for (const fetch of [pooledFetch, unkeptFetch])
      await expect(fetch(server.url)).rejects.toThrow("answered with the status 999");
  });

  it("drops a byte order mark", async () => {
    await using server = await serve((_, response) => response.end("\ufeff[1]"));
    expect(await (await pooledFetch(server.url)).json()).toEqual([1]);
  });

  it("gives up a body that is too large", async () => {
    const piece = Buffer.alloc(1_048_576);
    let taken = 0;
    await using server = await serve((_, response) => {
      const more = (): void => {
        taken += piece.length;
        if (!response.destroyed) response.write(piece, more);
      };
      more();
    });
    await expect((await pooledFetch(server.url)).text()).rejects.toThrow("larger than 64 MB");
    expect(taken).toBeLessThan(2 * maxResponseBytes);
  });

  it("rejects with undici's own error where no one listens", async () => {
    const server = await serve(() => undefined);
    await server[Symbol.asyncDispose]();
    await expect(pooledFetch(server.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("rejects with the signal's reason, before the answer and within it", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/body") response.write("half");
    });
    const before = new AbortController();
    const asking = pooledFetch(server.url, { signal: before.signal });
    before.abort(new Error("stopped"));
    await expect(asking).rejects.toThrow("stopped");
    const within = new AbortController();
    const response = await pooledFetch(`${server.url}/body`, { signal: within.signal });
    const reading = response.text();
    within.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });

  it("fails when the connection is lost within a body", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    });
    await expect((await pooledFetch(server.url)).text()).rejects.toMatchObject({
      code: "UND_ERR_SOCKET",
    });
  });
});

it("goes through a proxy where Node is told to", async () => {
  await using server = await serve((_, response) => response.end("direct"));
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? "");
    const { port } = new URL(server.url);
    const behind = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      behind.pipe(socket).pipe(behind);
    });
    behind.on("error", () => socket.destroy());
    socket.on("error", () => behind.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const file = new URL("../../src/util/pooled-fetch.ts", import.meta.url).href;
  const program = `const { pooledFetch, unkeptFetch } = await import("${file}");
    for (const fetch of [pooledFetch, unkeptFetch])
      console.log(await (await fetch("${server.url}")).text());`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", program],
    {
      env: {
        NODE_USE_ENV_PROXY: "1",
        HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      },
    },
  );
  proxy.close();
  expect(stdout).toBe("direct\ndirect\n");
  const { host } = new URL(server.url);
  expect(tunnels).toEqual([host, host]);
});
