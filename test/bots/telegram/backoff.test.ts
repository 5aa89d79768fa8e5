import { performance } from "node:perf_hooks";
import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { Backoff } from "../../../src/bots/telegram/receive/backoff.ts";

afterEach(() => void vi.restoreAllMocks());

it("reports a refused token at once, and a network only after five minutes", async () => {
  let nowMs = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const reported: string[] = [];
  const backoff = new Backoff(
    {
      log: pino({ level: "silent" }),
      sleep: () => Promise.resolve(),
      random: () => 0,
      signal: new AbortController().signal,
      serving: {
        failed: ({ kind }) => void reported.push(kind),
        served: () => void reported.push("served"),
      },
    },
    "talking",
  );
  const fail = (kind: string) => backoff.wait({ kind, explanation: "no", cause: "no" }, 1);
  await fail("network");
  nowMs += 299_000;
  await fail("network");
  expect(reported).toEqual([]);
  nowMs += 1_000;
  await fail("network");
  expect(reported).toEqual(["network"]);
  backoff.itWorks();
  await fail("network");
  await fail("conflict");
  await fail("500");
  expect(reported).toEqual(["network", "served"]);
  await fail("token");
  expect(reported).toEqual(["network", "served", "auth"]);
});
