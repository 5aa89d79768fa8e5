import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { fuzzers } from "./fuzzers.ts";

const run = promisify(execFile);
const main = fileURLToPath(new URL("main.ts", import.meta.url));
/** Of each boundary; `npm run fuzz` takes 100,000. */
const runs = 500;

/**
 * In a process of its own: an input that hangs or ends the process names itself, and harms no other
 * test.
 */
it.each(Object.keys(fuzzers))(
  "a sample of hostile input does no harm: %s",
  { timeout: 120_000 },
  async (name) => {
    const seed = process.env["PARLEY_TEST_SEED"] ?? "1";
    const given = ["--only", name, "--runs", String(runs), "--seed", seed];
    const { stdout, stderr } = await run(process.execPath, [main, ...given], {
      maxBuffer: 2 ** 26,
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    expect(`${stdout}\n${stderr}`).toContain("fuzz: all properties held");
    // The share of those that pass the first parse is counted, and half of them at least.
    const [, share] = /: \d+ inputs in [\d.]+ s, ([\d.]+) % passed/.exec(stdout) ?? [];
    expect(Number(share)).toBeGreaterThanOrEqual(50);
  },
);

it("the fuzzer's own check finds an input that breaks a property, and says how to run it again", async () => {
  const { runFuzzer } = await import("./run-fuzzer.ts");
  const report = await runFuzzer({
    fuzzer: {
      name: "planted",
      covers: "nothing",
      mustReach: [],
      make: (random) => String(random.whole(0, 99)),
      run: (input) =>
        input === "42"
          ? Promise.reject(new Error("42 is not liked"))
          : Promise.resolve({ passed: true, outcome: "liked" }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    seed: 1,
    from: 0,
    runs: 2_000,
    watchdog: { begin: () => undefined, rest: () => undefined },
  });
  expect(report.problem).toMatch(
    /npm run fuzz -- --only planted --seed 1 --from \d+ --runs 1[^]*42 is not liked/,
  );
});

it("a fuzzer whose inputs get nowhere has failed", async () => {
  const { runFuzzer } = await import("./run-fuzzer.ts");
  const fuzzer = {
    name: "idle",
    covers: "nothing",
    make: () => "",
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const watchdog = { begin: () => undefined, rest: () => undefined };
  const of = async (passed: boolean, mustReach: readonly string[]) =>
    await runFuzzer({
      fuzzer: {
        ...fuzzer,
        mustReach,
        run: () => Promise.resolve({ passed, outcome: "nothing" }),
      },
      seed: 1,
      from: 0,
      runs: 1_000,
      watchdog,
    });
  expect((await of(false, [])).problem).toMatch(/only 0\.0 % .* first parse/);
  expect((await of(true, ["queued"])).problem).toMatch(/no input led to: queued/);
  expect((await of(true, ["nothing"])).problem).toBe("");
});
