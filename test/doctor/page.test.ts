import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { runChecks } from "../../src/doctor/check.ts";
import { pageCheck } from "../../src/doctor/page.ts";
import { openPage } from "../page/open-page.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { inEnglish } from "./in-english.ts";

const store = storeOn(await testDatabase());

const examine = async (
  page: { readonly port: number; readonly url?: string },
  role = "all" as const,
) =>
  inEnglish(
    await runChecks(
      pageCheck({ role, page: { enabled: true, host: "127.0.0.1", url: undefined, ...page } }),
      new AbortController().signal,
    ),
  );

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("isn't examined where it is off, or on any free port", async () => {
  expect(pageCheck({ role: "all", page: { enabled: false } })).toEqual([]);
  expect(await examine({ port: 0 })).toEqual([]);
});

it("is nothing that a worker serves", async () => {
  const page = { enabled: true, host: "127.0.0.1", port: 1, url: undefined } as const;
  const found = await runChecks(pageCheck({ role: "worker", page }), new AbortController().signal);
  expect(found).toMatchObject([{ id: "page.role", status: "note" }]);
});

it("has its port, or another program has it, or it is free", async () => {
  const { page } = await openPage(store);
  expect(await examine({ port: page.port })).toMatchObject([{ id: "page.port", status: "ok" }]);
  const other = await serve((_request, response) => void response.end("hello"));
  expect(await examine({ port: other })).toMatchObject([{ id: "page.port", status: "broken" }]);
  const free = await openPage(store);
  await free.page[Symbol.asyncDispose]();
  expect(await examine({ port: free.page.port })).toMatchObject([
    { status: "ok", what: expect.stringContaining("is free") },
  ]);
});

it("is reached where its links lead, or the proxy is named", async () => {
  const { page } = await openPage(store, { url: "https://parley.example" });
  const { port } = page;
  const asIs = await serve((_request, response) => {
    void fetch(`http://127.0.0.1:${port}/in`).then(async (answer) =>
      response.writeHead(answer.status).end(await answer.text()),
    );
  });
  expect(await examine({ port, url: `http://127.0.0.1:${asIs}` })).toMatchObject([
    { id: "page.port", status: "ok" },
    { id: "page.url", status: "warning", fix: expect.stringContaining("proxy_set_header Host") },
  ]);
  const broken = await serve((_request, response) => void response.writeHead(502).end());
  expect(await examine({ port, url: `http://127.0.0.1:${broken}` })).toMatchObject([
    { id: "page.port", status: "ok" },
    { id: "page.url", status: "warning", what: expect.stringContaining("HTTP 502") },
  ]);
  const local = await openPage(store);
  expect(await examine({ port: local.page.port, url: local.url })).toMatchObject([
    { id: "page.port", status: "ok" },
    { id: "page.url", status: "ok" },
  ]);
});
