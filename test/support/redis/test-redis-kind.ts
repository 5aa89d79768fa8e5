export const testRedisKinds = ["single", "cluster", "sentinel"] as const;

/** What `testDatabase` and `openWorld` start in this run, by `PARLEY_TEST_REDIS`. */
export const testRedisKind = kindOf(process.env["PARLEY_TEST_REDIS"] ?? "single");

function kindOf(name: string): (typeof testRedisKinds)[number] {
  const kind = testRedisKinds.find((each) => each === name);
  if (kind === undefined)
    throw new Error(`PARLEY_TEST_REDIS is ${name}: expected one of ${testRedisKinds.join(", ")}`);
  return kind;
}
