import pino from "pino";
import { expect, it } from "vitest";
import { listProcess } from "../../src/jobs/list-process.ts";
import { createProcesses } from "../../src/store/operations/processes.ts";
import { load } from "../config/support.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const processes = createProcesses(store);
const known = {
  processId: "here",
  settings: load({ environment: {} }),
  store,
  log: pino({ level: "silent" }),
};

it("doesn't say how busy a process is before there is anything to measure", async () => {
  await using _ = listProcess(known);
  await expect.poll(() => processes.read()).toHaveLength(1);
  const [listed] = await processes.read();
  expect(listed?.memoryBytes).toBeGreaterThan(1_000_000);
  expect(listed).not.toHaveProperty("busy");
  expect(listed).not.toHaveProperty("lagP99Ms");
});

it("says it from then on", async () => {
  await using _ = listProcess(known, 100);
  await expect
    .poll(() => processes.read())
    .toMatchObject([{ busy: expect.any(Number), lagP99Ms: expect.any(Number) }]);
});
