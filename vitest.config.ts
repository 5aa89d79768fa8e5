import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/run/longest-first.ts";

// One seed for the order of tests and for fast-check, printed so that a failing run can be repeated:
// PARLEY_TEST_SEED=<seed> npm test
const seed = Number(process.env["PARLEY_TEST_SEED"] ?? Date.now() % 2 ** 31);
process.env["PARLEY_TEST_SEED"] = String(seed);

/**
 * Those that need a process to themselves: a mocked package, clients that keep timers and limits for the whole process, or
 * a count of all timers.
 */
const alone = [
  "test/bots/discord/**/*.test.ts",
  "test/loop/compaction/lazy-tokenizer.test.ts",
  "test/loop/session/{timers,turn-starts}.test.ts",
];

/**
 * Samples of the long runs (chaos, fuzz, bench), whole deployments and other processes, upgrades from earlier versions, a fresh
 * clone, and the first start without Redis: `npm run test:samples`.
 * `npm test` runs everything else.
 */
const samples = [
  "test/chaos/*-sample.test.ts",
  // Whole deployments, many of them killed or without their Redis; conversations stay in `npm test`.
  "test/e2e/!(conversation).test.ts",
  "test/loop/compaction/long-conversation.test.ts",
  "test/memory/*-sample.test.ts",
  "test/fuzz/**/*.test.ts",
  // Fetches Prometheus' tool.
  "test/monitoring/rules.test.ts",
  "test/security/long-inputs.test.ts",
  "test/page/security-sample.test.ts",
  // Programs and servers of their own, most of them one for each test.
  "test/store/embedded/embedded-redis.test.ts",
  "test/store/topologies/{cluster,sentinel}.test.ts",
  "test/tools/{calculate,child-processes}.test.ts",
  // Bodies without an end, slow ones and large ones.
  "test/models/answer-body.test.ts",
  "test/cli/trace-{command,turn}.test.ts",
  "test/files/file-reader.test.ts",
  "test/tools/mcp/{conformance,elicitation,everything,hostile,lifecycle}.test.ts",
  // Workers that die or wait for leases, one after the other.
  "test/loop/session/crashes.test.ts",
  "test/queue/{delivery-worker,turn-worker}.test.ts",
  // Each with a Parley, a Redis and a browser.
  "test/browser/**/*.test.ts",
  "test/bench/{durable-floor,idle-chats,smoke,waiting-approvals}.test.ts",
  "test/upgrade/**/*.test.ts",
  "test/clone/**/*.test.ts",
  "test/doctor/planted-mistakes.test.ts",
];

/** Only one server can be full, or gone without another one in its place. Skipped files would start theirs, and never end it. */
const singleServer =
  (process.env["PARLEY_TEST_REDIS"] ?? "single") === "single"
    ? []
    : ["test/e2e/redis-{full,trouble}.test.ts"];

/** Without one, by the developer's own choice: the run's first lines say so. */
const withoutBrowser = process.env["PARLEY_TEST_BROWSER"] === "off" ? ["test/browser/**"] : [];

export default defineConfig({
  test: {
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "./test/support/run/closing-line-reporter.ts"],
    sequence: { shuffle: true, sequencer: LongestFirst, seed },
    pool: "forks",
    // More than twice as many as the smallest machine has cores: many tests wait for leases, locks and other processes.
    maxWorkers: 5,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          // Files share a process, so that packages are loaded once: a fifth of the whole run.
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...alone, ...samples, ...singleServer],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "samples",
          include: samples,
          exclude: [...configDefaults.exclude, ...singleServer, ...withoutBrowser],
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          // Before the others, and not among them: a process that files share would be ended each time. They wait even more.
          sequence: { groupOrder: 0 },
          maxWorkers: 8,
        },
      },
    ],
  },
});
