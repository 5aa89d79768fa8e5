import { expect, it } from "vitest";
import { load } from "./support.ts";

it.each([
  [{}, { host: "127.0.0.1", url: undefined }],
  [{ PARLEY_PAGE_HOST: "localhost" }, { host: "localhost", url: undefined }],
  [{ PARLEY_PAGE_HOST: "::1" }, { host: "::1", url: undefined }],
  [
    { PARLEY_PAGE_HOST: "0.0.0.0", PARLEY_PAGE_URL: "https://parley.example/" },
    { host: "0.0.0.0", url: "https://parley.example" },
  ],
  // A container whose port is published on its host's loopback alone.
  [
    { PARLEY_PAGE_HOST: "0.0.0.0", PARLEY_PAGE_URL: "http://localhost:8090" },
    { host: "0.0.0.0", url: "http://localhost:8090" },
  ],
])("the page with %j is at %j", (environment, page) => {
  const given = { environment: { PARLEY_PAGE_PORT: "8090", ...environment } };
  expect(load(given).page).toEqual({ enabled: true, port: 8090, ...page });
});

it("a worker serves none, so that its address doesn't matter", () => {
  const environment = {
    PARLEY_ROLE: "worker",
    REDIS_URL: "redis://127.0.0.1:1",
    PARLEY_PAGE_PORT: "8090",
    PARLEY_PAGE_HOST: "0.0.0.0",
  };
  expect(load({ environment }).page.enabled).toBe(true);
});
