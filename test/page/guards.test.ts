import { expect, it } from "vitest";
import { addressOf, isForPage, isFromPage } from "../../src/page/guards.ts";

const local = addressOf("http://127.0.0.1:8090");
const proxied = addressOf("https://parley.example");

it.each([
  [local, "127.0.0.1:8090", true],
  [local, "localhost:8090", true],
  [local, "LOCALHOST:8090", true],
  [local, "[::1]:8090", true],
  [local, "127.0.0.1", false],
  [local, "127.0.0.1:8091", false],
  [local, "evil.example:8090", false],
  [local, "127.0.0.1.evil.example:8090", false],
  [local, "localhost:8090.evil.example", false],
  [local, "", false],
  [local, undefined, false],
  [proxied, "parley.example", true],
  [proxied, "parley.example:443", false],
  [proxied, "localhost", false],
  [proxied, "evil-parley.example", false],
])("a page at %o is meant by the host %s: %s", (address, host, isMeant) => {
  expect(isForPage({ host }, address)).toBe(isMeant);
});

it("believes an origin that is its own, and a referrer where there is none", () => {
  const host = "127.0.0.1:8090";
  const origin = "http://127.0.0.1:8090";
  expect(isFromPage({ host, origin }, local)).toBe(true);
  expect(isFromPage({ host, origin, "sec-fetch-site": "same-origin" }, local)).toBe(true);
  expect(isFromPage({ host, referer: `${origin}/approvals?a=1` }, local)).toBe(true);
  expect(isFromPage({ host: "parley.example", origin: "https://parley.example" }, proxied)).toBe(
    true,
  );
  for (const other of [
    {},
    { origin: "null" },
    { origin: "http://localhost:8090" },
    { origin: "https://127.0.0.1:8090" },
    { origin: "http://127.0.0.1:8091" },
    { origin: "http://evil.example" },
    { origin: "http://evil.example", referer: origin },
    { referer: "http://evil.example/http://127.0.0.1:8090" },
    { referer: "nothing" },
    { origin, "sec-fetch-site": "cross-site" },
    { origin, "sec-fetch-site": "same-site" },
    { origin, "sec-fetch-site": "none" },
  ])
    expect(isFromPage({ host, ...other }, local), JSON.stringify(other)).toBe(false);
});
