import { ensureRedisBinary } from "./redis/redis-binary.ts";

/**
 * Prints the seed of this run; `PARLEY_TEST_SEED=<seed> npm test` repeats its order and its random
 * inputs. Fetches a Redis where there is none, so that no test's time limit pays for it.
 */
export default async function prepare(): Promise<void> {
  process.stdout.write(`seed ${process.env["PARLEY_TEST_SEED"]}\n`);
  if (process.env["PARLEY_TEST_BROWSER"] === "off")
    process.stdout.write("PARLEY_TEST_BROWSER=off: tests in a browser are left out\n");
  await ensureRedisBinary();
}
