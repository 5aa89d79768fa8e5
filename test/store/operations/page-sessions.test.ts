import { expect, it } from "vitest";
import { erasePerson } from "../../../src/store/erasure/erase-person.ts";
import { configKey } from "../../../src/store/keys.ts";
import { createPageSessions } from "../../../src/store/operations/page-sessions.ts";
import { newPerson } from "../../ingress/open-ingress.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const sessions = createPageSessions(store);
const day = 86_400_000;

async function opened(person = newPerson(), browser: string | undefined = "Firefox (Linux)") {
  const chat = newChat();
  const code = await sessions.createCode({ person, chat });
  const result = await sessions.open(code, browser);
  if (result === undefined) throw new Error("not opened");
  return { ...result, person, chat, code };
}

const keyOf = (id: string): string => configKey(`page-session:${id}`);

/** As if it had been opened at another time. */
async function shift(id: string, byMs: number): Promise<void> {
  const stored = JSON.parse((await redis.get(keyOf(id))) ?? "") as { sinceMs: number };
  const json = JSON.stringify({ ...stored, sinceMs: stored.sinceMs + byMs });
  await redis.set(keyOf(id), json, "KEEPTTL");
}

it("a code opens one session, however many browsers post it at the same time", async () => {
  const person = newPerson();
  const chat = newChat();
  const code = await sessions.createCode({ person, chat });
  expect(Buffer.from(code, "base64url")).toHaveLength(16);
  const all = await Promise.all(Array.from({ length: 20 }, () => sessions.open(code, undefined)));
  const [one, ...others] = all.filter((each) => each !== undefined);
  expect(others).toEqual([]);
  expect(one?.chat).toBe(chat);
  expect((await sessions.use(one?.secret ?? ""))?.person.id).toBe(person.id);
  expect(await sessions.open(code, undefined)).toBeUndefined();
  expect(await sessions.list(person.id)).toHaveLength(1);
});

it("neither a code nor a secret is stored", async () => {
  const { code, secret, person, session } = await opened();
  const unused = await sessions.createCode({ person, chat: newChat() });
  const keys = await keysLike(redis, configKey("page-*"));
  const values = await Promise.all(
    keys.map(async (key) =>
      (await redis.type(key)) === "set" ? await redis.smembers(key) : await redis.get(key),
    ),
  );
  const all = JSON.stringify([keys, values]);
  for (const each of [code, secret, unused]) expect(all).not.toContain(each);
  expect(all).toContain(session.id);
});

it("a code is gone after ten minutes, and a session twelve hours after its last use", async () => {
  const person = newPerson();
  await sessions.createCode({ person, chat: newChat() });
  const [codeKey = ""] = await redis.smembers(configKey(`page-of:${person.id}`));
  expect(await redis.pttl(codeKey)).toBeGreaterThan(9 * 60_000);
  expect(await redis.pttl(codeKey)).toBeLessThanOrEqual(10 * 60_000);
  const { secret, session } = await opened();
  await redis.pexpire(keyOf(session.id), 60_000);
  // A view that is open isn't a use.
  await sessions.read(session.id);
  expect(await redis.pttl(keyOf(session.id))).toBeLessThanOrEqual(60_000);
  await sessions.use(secret);
  expect(await redis.pttl(keyOf(session.id))).toBeGreaterThan(day / 2 - 60_000);
  expect(await redis.pttl(keyOf(session.id))).toBeLessThanOrEqual(day / 2);
});

it("a session ends after seven days, however it is used", async () => {
  const { secret, session } = await opened();
  await shift(session.id, -7 * day + 60_000);
  expect(await sessions.use(secret)).toBeDefined();
  expect(await redis.pttl(keyOf(session.id))).toBeLessThanOrEqual(60_000);
  await shift(session.id, -60_001);
  expect(await sessions.use(secret)).toBeUndefined();
  expect(await sessions.read(session.id)).toBeUndefined();
});

it("a session that can't be read is none", async () => {
  for (const stored of ["", "{", "null", "[]", '{"v":2}', '{"v":1,"person":{"id":1}}']) {
    const { secret, session, person } = await opened();
    await redis.set(keyOf(session.id), stored);
    expect(await sessions.use(secret), stored).toBeUndefined();
    expect(await sessions.list(person.id), stored).toEqual([]);
    await redis.del(keyOf(session.id));
  }
  const person = newPerson();
  const code = await sessions.createCode({ person, chat: newChat() });
  const [key = ""] = await redis.smembers(configKey(`page-of:${person.id}`));
  await redis.set(key, '{"v":1,"person":{"id":"x","name":"y"},"chat":"nowhere"}');
  expect(await sessions.open(code, undefined)).toBeUndefined();
});

it("lists a person's own, and ends one or all of them with the links that were not used", async () => {
  const person = newPerson();
  const first = await opened(person);
  const second = await opened(person, "Safari (iPhone)");
  const other = await opened();
  await shift(first.session.id, -1_000);
  expect((await sessions.list(person.id)).map(({ browser }) => browser)).toEqual([
    "Safari (iPhone)",
    "Firefox (Linux)",
  ]);
  await sessions.end(first.session.id);
  expect(await sessions.use(first.secret)).toBeUndefined();
  expect((await sessions.list(person.id)).map(({ id }) => id)).toEqual([second.session.id]);
  const unused = await sessions.createCode({ person, chat: newChat() });
  await sessions.endAll(person.id);
  expect(await sessions.use(second.secret)).toBeUndefined();
  expect(await sessions.open(unused, undefined)).toBeUndefined();
  expect(await sessions.use(other.secret)).toBeDefined();
});

it("what is opened while all are ended is found or refused", async () => {
  const person = newPerson();
  const codes = await Promise.all(
    Array.from({ length: 50 }, () => sessions.createCode({ person, chat: newChat() })),
  );
  await Promise.all([
    ...codes.map((code) => sessions.open(code, undefined)),
    sessions.endAll(person.id),
  ]);
  // Those that were opened first are gone; those that come later are known, so they can be ended.
  await sessions.endAll(person.id);
  expect(await sessions.list(person.id)).toEqual([]);
  const left = await keysLike(redis, configKey("page-session:*"));
  for (const key of left) expect(await redis.get(key)).not.toContain(person.id);
});

it("goes with its person", async () => {
  const { person, secret } = await opened();
  const code = await sessions.createCode({ person, chat: newChat() });
  await erasePerson(store, person.id);
  expect(await sessions.use(secret)).toBeUndefined();
  expect(await sessions.open(code, undefined)).toBeUndefined();
  const keys = await keysLike(redis, configKey("page-*"));
  for (const key of keys) {
    expect(key).not.toContain(person.id);
    if ((await redis.type(key)) === "string") expect(await redis.get(key)).not.toContain(person.id);
  }
});

it("lists when each was used last, as long as its end depends on that", async () => {
  const { session, person } = await opened();
  const idle = async () => (await sessions.list(person.id))[0]?.usedMs ?? 0;
  expect(Math.abs((await idle()) - store.clock.now())).toBeLessThan(60_000);
  await redis.pexpire(keyOf(session.id), 3_600_000);
  const elevenHoursAgo = store.clock.now() - 11 * 3_600_000;
  expect(Math.abs((await idle()) - elevenHoursAgo)).toBeLessThan(60_000);
  await shift(session.id, -6.9 * day);
  await redis.pexpire(keyOf(session.id), 0.1 * day);
  expect((await sessions.list(person.id))[0]?.usedMs).toBeUndefined();
});
