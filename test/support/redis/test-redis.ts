import { afterAll, TestRunner } from "vitest";
import { startTestRedis, type TestRedis, type TestRedisOptions } from "./start-test-redis.ts";
import { startTestCluster } from "./test-cluster.ts";
import { testRedisKind } from "./test-redis-kind.ts";
import { startTestSentinel } from "./test-sentinel.ts";

export { startTestRedis, type TestRedis, type TestRedisOptions };

/**
 * One server, unless the run asks for another kind: `PARLEY_TEST_REDIS` is `single`, `cluster` or
 * `sentinel`.
 */
async function startOfThisRun(options: TestRedisOptions): Promise<TestRedis> {
  switch (testRedisKind) {
    case "single":
      return await startTestRedis(options);
    case "cluster":
      return await startTestCluster(options);
    case "sentinel":
      return await startTestSentinel(options);
    default:
      return testRedisKind satisfies never;
  }
}

/**
 * The server of this test file, empty at first, ended after its last test: call it once, at the top
 * of the file (`const redis = await testDatabase()`). Vitest runs every file in a worker of its
 * own, so no one shares it.
 */
export async function testDatabase(options: TestRedisOptions = {}): Promise<TestRedis> {
  // Within a test `afterAll` is accepted and never called: the server would outlive the run.
  if (TestRunner.getCurrentTest() !== undefined)
    throw new Error("call testDatabase at the top of the file, not in a test");
  const server = await startOfThisRun(options);
  afterAll(() => server[Symbol.asyncDispose]());
  return server;
}

/** Redis has 16 databases, and the first belongs to the test file. */
const maxEmptyDatabases = 15;

/**
 * So many empty databases for deployments of their own, by URL; a cluster has one, so that there
 * they are clusters of their own.
 */
export async function emptyDatabases(redis: TestRedis, count: number): Promise<string[]> {
  if (count > maxEmptyDatabases)
    throw new Error(`${count} databases; expected at most ${maxEmptyDatabases}`);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (testRedisKind !== "cluster") return numbers.map((number) => `${redis.url}/${number}`);
  const clusters = await Promise.all(numbers.map(() => startTestCluster({ masterCount: 1 })));
  afterAll(async () => {
    await Promise.all(clusters.map((each) => each[Symbol.asyncDispose]()));
  });
  return clusters.map(({ url }) => url);
}
