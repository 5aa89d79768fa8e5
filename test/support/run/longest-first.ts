import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that mostly wait: for leases and locks that end, and for processes that start and are
 * killed.
 */
const waiting =
  /\/test\/(?:e2e|chaos|clone|fuzz|bench)\/|\/test\/(?:queue\/turn-worker|queue\/sweeper|store\/(?:embedded|topologies)\/[^/]+|bots\/discord\/(?:shard-owners|shards|missed|receive|connection))\.test\.ts$/;

/**
 * Files in the order of the run's seed, those that take long before the others: one that came last
 * would be waited for by itself.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const keys = new Map(
      files.map((file) => {
        const hash = createHash("sha1").update(`${seed} ${file.moduleId}`);
        const turn = waiting.test(file.moduleId) ? 0 : 1;
        return [file, `${turn}${hash.digest("hex")}`];
      }),
    );
    const keyOf = (file: TestSpecification): string => keys.get(file) ?? "";
    return files.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }
}
