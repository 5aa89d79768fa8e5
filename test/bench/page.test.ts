import { expect, it } from "vitest";
import { benchPage, describeReport } from "../../bench/page.ts";

it("the measure of the operator's page works", async () => {
  const report = await benchPage({ chats: 20, requests: 3, say: () => undefined });
  for (const pages of [report.empty, report.full]) {
    expect(pages.map(({ path }) => path)).toEqual(["/", "/chats"]);
    for (const { p50, most } of pages) {
      expect(p50).toBeGreaterThan(0);
      expect(most).toBeGreaterThanOrEqual(p50);
    }
  }
  expect(describeReport(report)).toMatch(/among 20 chats/);
});
