import { describe, expect, it } from "vitest";
import { runChecks } from "../../src/doctor/check.ts";
import { searchCheck } from "../../src/doctor/search.ts";
import type { SearchSettings } from "../../src/tools/web-search/providers.ts";
import { SearchServer } from "../emulators/search/search-server.ts";
import { inEnglish } from "./in-english.ts";

const check = async (webSearch: SearchSettings | undefined) =>
  inEnglish(await runChecks(searchCheck({ webSearch }), new AbortController().signal));

describe("the web search", () => {
  it("isn't examined where there is none", async () => {
    expect(await check(undefined)).toEqual([]);
  });

  it("that finds pages is fine, after one search", async () => {
    await using server = await SearchServer.start("tavily", { key: "k" });
    server.pages.push({ url: "https://a.example/", title: "A", snippet: "" });
    expect(await check({ provider: "tavily", url: server.url, apiKey: "k" })).toEqual([
      { id: "search.answer", status: "ok", what: "The web search (tavily) finds pages." },
    ]);
    expect(server.searches).toHaveLength(1);
  });

  it("whose key is wrong is broken, with where to get another, and without the key", async () => {
    await using server = await SearchServer.start("brave", { key: "k" });
    const found = await check({ provider: "brave", url: server.url, apiKey: "planted-wrong" });
    expect(found).toMatchObject([
      {
        id: "search.answer",
        status: "broken",
        fix: "Check the key and its plan at https://api-dashboard.search.brave.com.",
      },
    ]);
    expect(JSON.stringify(found)).not.toContain("planted");
  });

  it("by a SearXNG without JSON, without engines, or that isn't there, names each fix", async () => {
    const server = await SearchServer.start("searxng");
    const settings: SearchSettings = { provider: "searxng", url: server.url };
    const fixOf = async () => (await check(settings)).map(({ status, fix }) => [status, fix]);
    expect(await fixOf()).toEqual([["broken", expect.stringContaining("/stats")]]);
    server.hasJson = false;
    expect(await fixOf()).toEqual([["broken", expect.stringContaining("search.formats")]]);
    await server[Symbol.asyncDispose]();
    expect(await fixOf()).toEqual([["broken", expect.stringMatching(/^Start SearXNG/)]]);
  });
});
