import { expect, it } from "vitest";
import { Random } from "../chaos/storm/random.ts";
import { filesFuzzer } from "./files-fuzzer.ts";
import { hostileClasses } from "./hostile-files.ts";

/** `npm run fuzz -- --only files --runs 216` gives each all the time it may take. */
const limitMs = 2_000;

it.each(Object.entries(hostileClasses))(
  "small inputs that ask for much end nothing but a child process: %s",
  async (name, ways) => {
    const random = new Random(Number(process.env["PARLEY_TEST_SEED"] ?? 1));
    const fuzzer = filesFuzzer(limitMs);
    try {
      const way = random.whole(0, ways.length - 1);
      const seed = random.whole(0, 2 ** 31);
      const { outcome } = await fuzzer.run(JSON.stringify([name, way, seed]));
      expect(outcome).toContain(name);
    } finally {
      await fuzzer[Symbol.asyncDispose]();
    }
  },
);
