import { defineConfig } from "vitest/config";

// One seed for the order of tests and for fast-check, printed so that a failing run can be repeated:
// PARLEY_TEST_SEED=<seed> npm test
const seed = Number(process.env["PARLEY_TEST_SEED"] ?? Date.now() % 2 ** 31);
process.env["PARLEY_TEST_SEED"] = String(seed);

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    sequence: { shuffle: true, seed },
    pool: "forks",
    // One more than the smallest machine has cores: many tests wait for leases, locks and other processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
