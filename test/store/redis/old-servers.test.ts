/** Redis 6.2 is enough: nothing that a newer server brought is used. BullMQ's scripts are run on one, see docs/reliability.md. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { at, read } from "../../support/shown-by.ts";

/** Commands since Redis 7.0. Source: the field `since` of `COMMAND DOCS`. */
const newer =
  "blmpop bzmpop client|no-touch client|setinfo eval_ro evalsha_ro expiretime fcall fcall_ro function hexpire hexpireat hexpiretime hgetdel hgetex hpersist hpexpire hpexpireat hpexpiretime hpttl hsetex httl lcs lmpop pexpiretime sintercard sort_ro spublish ssubscribe sunsubscribe zmpop";
const names = newer.replaceAll("|", " ").split(" ").join("|");

/** How a command is called in scripts, by the client, and by its name. */
const commands = new RegExp(
  String.raw`(?:call\('|[.\]](?=(?:${names})(?:Buffer)?\()|\bcall\(\s*")(?:${names})\b`,
  "giu",
);
/** These have conditions since 7.0; `ZADD` has had them before. */
const conditions = /\bp?expire(?:at)?['(][^;)\n]*['"](?:NX|XX|GT|LT)['"]/giu;
/** Both at once since 7.0. */
const setAndGet =
  /\bset['(][^;)\n]*(?:['"]NX['"][^;)\n]*['"]GET['"]|['"]GET['"][^;)\n]*['"]NX['"])/giu;

const foundIn = (text: string): readonly string[] =>
  [commands, conditions, setAndGet].flatMap((pattern) => text.match(pattern) ?? []);

const sources = readdirSync(at("src"), { recursive: true, encoding: "utf8" }).filter((path) =>
  /\.(?:ts|lua)$/.test(path),
);

it("no script and no call needs a newer server than Redis 6.2", () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(
    sources.flatMap((path) => foundIn(read(`src/${path}`)).map((each) => [path, each])),
  ).toEqual([]);
});

it.each([
  "redis.call('LMPOP', 1, KEYS[1], 'LEFT')",
  "redis.pcall('PEXPIRETIME', KEYS[1])",
  "redis.call('PEXPIRE', KEYS[1], ARGV[1], 'GT')",
  "await redis.zmpop(1, key, 'MIN')",
  "await store.redis.pexpiretime(key)",
  'await redis.call("FCALL", name, 0)',
  'await redis.pexpire(key, ms, "NX")',
  'await redis.set(key, 1, "NX", "GET")',
])("%s would be found", (text) => expect(foundIn(text)).not.toEqual([]));

it.each([
  "redis.call('ZADD', KEYS[1], 'LT', 1, ARGV[1])",
  'await redis.zadd(key, "GT", 1, "m")',
  'await redis.set(key, 1, "PX", 5, "NX")',
  "await redis.pexpire(key, ms)",
])("%s is not", (text) => expect(foundIn(text)).toEqual([]));
