/** Real processes search the emulated web; the pages themselves are out of reach for `fetch_url`. */
import { afterAll, beforeEach, expect, it } from "vitest";
import { SearchServer } from "../emulators/search/search-server.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { model, telegram } = world;
const search = await SearchServer.start("brave", { key: "planted-search-key-1" });
afterAll(() => search[Symbol.asyncDispose]());
beforeEach(() => {
  search.searches.length = 0;
  search.violations.length = 0;
});

const address = "http://127.0.0.1/green?q=1";
search.pages.push({ url: address, title: "Green tea", snippet: "All of it" });
const config = `
webSearch: { provider: brave, url: "${search.url}", apiKey: "\${SEARCH_KEY}" }
`;
const start = (SEARCH_KEY: string, tolerates: readonly RegExp[] = []) =>
  world.start({
    environment: { ...world.services, ...telegram.environment, SEARCH_KEY },
    config,
    tolerates,
  });

it("the model searches, and reads what it found without a card; nothing else", async () => {
  await using parley = start("planted-search-key-1");
  await parley.ready();
  await telegram.connected();
  const ann = telegram.direct("Ann");
  expect(await ann.command("tools")).toContain("• Search the web (web_search)");
  model.reply(
    { toolCalls: [{ name: "web_search", arguments: { query: "green tea" } }] },
    { toolCalls: [{ name: "fetch_url", arguments: { url: address } }] },
    { text: "I have read about it." },
  );
  ann.say("What is green tea?");
  const answer = await ann.wait("I have read about it.");
  // This machine is no part of the public internet: it was tried, and refused, without asking.
  expect(answer.text).toContain("⚙ Search the web ✓ · Open web page ✗");
  expect(ann.shown().flatMap(({ buttons }) => buttons)).toEqual([]);
  expect(search.searches).toMatchObject([{ query: "green tea", count: 5 }]);
  expect(search.violations).toEqual([]);

  model.reply({ toolCalls: [{ name: "fetch_url", arguments: { url: `${address}&secret=42` } }] });
  ann.say("And black tea?");
  const card = await ann.wait(({ buttons }) => buttons.includes("Approve"));
  expect(card.text).toContain("secret=42");
  model.reply({ text: "I won't." });
  await ann.tap(card, "Deny");
  await ann.wait("I won't.");
});

it("a refused key is logged with its fix and without the key", async () => {
  await using parley = start("planted-wrong-key-2", [/the web search failed/]);
  await parley.ready();
  await telegram.connected();
  const ben = telegram.direct("Ben");
  model.reply(
    { toolCalls: [{ name: "web_search", arguments: { query: "tea" } }] },
    { text: "That didn't work." },
  );
  ben.say("What is tea?");
  await ben.wait("That didn't work.");
  const told = JSON.stringify(model.requests.at(-1)?.body);
  expect(told).toContain("Only the operator can change that");
  await expect.poll(() => parley.stdout + parley.stderr).toContain("the web search failed");
  expect(parley.stdout + parley.stderr).toContain("Check the key and its plan at https://");
  expect(`${told}${parley.stdout}${parley.stderr}`).not.toContain("planted-wrong");
});
