import type { Reporter, TestModule } from "vitest/node";
import { openRunFolder, type RunFolder } from "./run-folder.ts";

const stragglersLimitMs = 10_000;

/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, that any continuous integration can read. What the tests
 * left behind, a process or a temporary file, counts as a failure.
 */
export default class ClosingLineReporter implements Reporter {
  #folder: RunFolder | undefined;

  onInit(): void {
    this.#folder = openRunFolder();
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      if (
        module.state() === "failed" &&
        [...module.children.allTests()].length === 0
      )
        counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed" || state === "skipped")
          counts[state] += 1;
      }
    }
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
