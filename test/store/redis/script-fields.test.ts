import * as fc from "fast-check";
import { expect, it } from "vitest";
import { packFields } from "../../../src/store/redis/script-fields.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const { redis } = storeOn(await testDatabase());
const key = "{fields}";

it("texts reach a script byte for byte as plain arguments do", async () => {
  const script = `return cjson.decode(ARGV[1]).texts[1] == ARGV[2] and 1 or 0`;
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.integer({ max: 0xffff }).map(String.fromCharCode) }),
    fc.json(),
  );
  await fc.assert(
    fc.asyncProperty(text, async (each) => {
      const packed = packFields({ texts: [each] });
      expect(await redis.eval(script, 1, key, ...packed, each)).toBe(1);
    }),
    { examples: [["\ud800"], ["\udc00\ud800"], ["\0"], ['{"a":[],"b":{}}']] },
  );
});

it("whole numbers are stored with all their digits", async () => {
  const script = `redis.call('SET', KEYS[1], cjson.decode(ARGV[1]).number) return redis.call('GET', KEYS[1])`;
  await fc.assert(
    fc.asyncProperty(fc.maxSafeInteger(), async (number) => {
      const packed = packFields({ number });
      expect(await redis.eval(script, 1, key, ...packed)).toBe(String(number));
    }),
    { examples: [[0], [1_763_870_000_000], [Number.MAX_SAFE_INTEGER]] },
  );
});

it("absent fields are nil, and truth values stay what they are", async () => {
  const script = `local args = cjson.decode(ARGV[1])
    return { args.absent == nil and 1 or 0, args.no == false and 1 or 0, args.yes and 1 or 0, #args.none }`;
  const packed = packFields({
    absent: undefined,
    no: false,
    yes: true,
    none: [],
  });
  expect(await redis.eval(script, 1, key, ...packed)).toEqual([1, 1, 1, 0]);
});
