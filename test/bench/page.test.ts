import { expect, it } from "vitest";
import { benchPage, describeReport } from "../../bench/page.ts";
import { allViews } from "../../src/page/views/all-views.ts";

it("the measure of the operator's page works, for every view", async () => {
  const report = await benchPage({ chats: 20, requests: 3, say: () => undefined });
  const paths = allViews.map(({ path }) => path);
  expect(report.full.map(({ path }) => path)).toEqual(paths);
  expect(report.empty.map(({ path }) => path)).toEqual(paths.filter((path) => !path.includes(":")));
  for (const { p50, most } of [...report.empty, ...report.full]) {
    expect(p50).toBeGreaterThan(0);
    expect(most).toBeGreaterThanOrEqual(p50);
  }
  const text = describeReport(report);
  expect(text).toMatch(/among 20 chats/);
  expect(text).toMatch(/^\/chats\/:chat\/:turn +– +[\d.]+ +[\d.]+ +[\d.]+ +–$/m);
  expect(text).toMatch(/^\/approvals( +[\d.]+){5}$/m);
});
