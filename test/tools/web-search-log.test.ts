import { expect, it } from "vitest";
import { webSearchTool } from "../../src/tools/web-search/web-search.ts";

it("a search that keeps failing is logged once a minute", async () => {
  const lines: unknown[] = [];
  const settings = { provider: "searxng", url: "http://127.0.0.1:1" } as const;
  const tool = webSearchTool(settings, { error: (line: unknown) => void lines.push(line) });
  const context = { signal: new AbortController().signal } as Parameters<typeof tool.run>[1];
  for (let times = 0; times < 3; times += 1)
    await expect(tool.run({ query: "tea", count: 1 }, context)).rejects.toThrow(/SearXNG/);
  expect(lines).toHaveLength(1);
});
