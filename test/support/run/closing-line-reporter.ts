import type { Reporter, TestModule } from "vitest/node";
import { openRunFolder, type RunFolder } from "./run-folder.ts";

const stragglersLimitMs = 10_000;
const slowestCount = 10;

/** What of a test file the list of slow files needs. */
export type TimedModule = Pick<TestModule, "relativeModuleId"> & {
  diagnostic(): Pick<
    ReturnType<TestModule["diagnostic"]>,
    "setupDuration" | "collectDuration" | "duration"
  >;
};

/**
 * The slowest files first, one line each: the seconds of its setup, imports and tests, then its
 * path.
 */
export function slowestFiles(modules: readonly TimedModule[]): string[] {
  return modules
    .map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      return {
        file: module.relativeModuleId,
        ms: setupDuration + collectDuration + duration,
      };
    })
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestCount)
    .map(({ ms, file }) => `${(ms / 1_000).toFixed(1).padStart(6)} s ${file}`);
}

/**
 * Ends a run with the slowest files and one plain line, `N passed, N failed, N skipped`, that any
 * continuous integration can read. What the tests left behind, a process or a temporary file,
 * counts as a failure.
 */
export default class ClosingLineReporter implements Reporter {
  #folder: RunFolder | undefined;

  onInit(): void {
    this.#folder = openRunFolder();
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && [...module.children.allTests()].length === 0)
        counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed" || state === "skipped") counts[state] += 1;
      }
    }
    process.stdout.write(`\nslowest files:\n${slowestFiles(modules).join("\n")}\n`);
    const left = (await this.#folder?.leftovers(stragglersLimitMs)) ?? [];
    if (left.length > 0) {
      process.exitCode = 1;
      counts.failed += 1;
      process.stdout.write(`\nleft behind by the tests:\n${left.join("\n")}\n`);
    }
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    );
  }
}
