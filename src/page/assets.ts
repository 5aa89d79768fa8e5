import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance } from "fastify";

const packages = createRequire(import.meta.url);
const ours = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url));
const theirs = (path: string) => readFileSync(packages.resolve(path));

/** What pages load; browsers keep it, and ask whether it is still the same. */
export function addAssets(server: FastifyInstance): void {
  const add = (name: string, type: string, content: Buffer) => {
    const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
    server.get(`/assets/${name}`, async (request, reply) => {
      reply.headers({ etag, "cache-control": "no-cache" });
      if (request.headers["if-none-match"] === etag) return await reply.code(304).send();
      return await reply.type(type).send(content);
    });
  };
  add("page.css", "text/css; charset=utf-8", ours("page.css"));
  add("page.js", "text/javascript; charset=utf-8", ours("page.js"));
  add("icon.svg", "image/svg+xml", ours("icon.svg"));
  // In one file: htmx starts soon after it was loaded, and looks for the extension only then.
  const scripts = ["htmx.min.js", "ext/hx-sse.min.js"].map((name) =>
    theirs(`htmx.org/dist/${name}`),
  );
  add("htmx.js", "text/javascript; charset=utf-8", Buffer.from(scripts.join("\n")));
}
