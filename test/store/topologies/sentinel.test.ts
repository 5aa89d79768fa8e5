import { afterAll, expect, it } from "vitest";
import { connectOnce } from "../../../src/store/redis/connect-once.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { createTurnStore } from "../../../src/store/turns/turn-store.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { askServer } from "../../support/redis/ask-server.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { startTestRedis } from "../../support/redis/test-redis.ts";
import { startTestSentinel } from "../../support/redis/test-sentinel.ts";
import { begun, committed, finishing, leaseMs, message, newChat, retentionMs } from "../support.ts";
import { connected, listening, shardKeys, whyWaiting } from "./support.ts";

const password = "planted-hush";
const group = await startTestSentinel({ password });
afterAll(() => group[Symbol.asyncDispose]());
const sentinelAt = `127.0.0.1:${group.sentinel.port}`;

it("leads to the master, also when the first Sentinel is dead", async () => {
  const url = group.url.replace("@", "@127.0.0.1:1,");
  const { redis } = await connected(url);
  expect(await redis.info("replication")).toContain("role:master");
  using brief = await connectOnce(url);
  expect(await brief.redis.info("replication")).toContain("role:master");
});

it("says what is wrong, without the passwords", async () => {
  const unknown = group.url.replace(/[^/]+$/, "nobody");
  const why = await whyWaiting(unknown);
  expect(why).toBe(
    `Can't use Redis at redis+sentinel://${sentinelAt}/nobody: its Sentinels know no master of this name; correct the last part of the URL. Trying again.`,
  );
  expect(await whyWaiting(`redis+sentinel://:${password}@127.0.0.1:1/m`)).toContain(
    "none of its Sentinels answers",
  );
  const without = group.url.replace(/:[^:@]+@/, "");
  await expect(connected(without)).rejects.toThrow("it needs a password");
  await expect(connected(group.url.replace(password, "wrong-hush"))).rejects.toThrow(
    /^(?!.*hush).*doesn't accept this user and password/,
  );

  await using closed = await startTestRedis({
    password,
    args: ["--sentinel"],
  });
  const locked = `redis+sentinel://127.0.0.1:${closed.port}/m`;
  await expect(connected(locked)).rejects.toThrow(
    "a Sentinel needs a password; add ?sentinelPassword=… to the URL",
  );
  await expect(connected(`${locked}?sentinelPassword=wrong-hush`)).rejects.toThrow(
    /^(?!.*hush).*a Sentinel doesn't accept/,
  );
  // The password is right: now it is the master that no one knows.
  expect(await whyWaiting(`${locked}?sentinelPassword=${password}`)).toContain(
    "know no master of this name",
  );
});

it("follows the master when an operator exchanges the roles", async () => {
  await using group = await startTestSentinel();
  const store = await connected(group.url);
  await Promise.all(shardKeys.map((key) => store.redis.set(key, key)));
  const before = await group.master();
  const port = async () => /tcp_port:(\d+)/.exec(await store.redis.info("server"))?.[1];
  expect(await port()).toBe(String(before.port));
  await group.replicated();
  await group.switchOver();
  await expect.poll(port).toBe(String((await group.master()).port));
  const found = await keysLike(store.redis, "parley:*:test");
  expect(found.sort()).toEqual(shardKeys.toSorted());
});

it("leaves a master that hangs when the Sentinels name another", async () => {
  await using group = await startTestSentinel();
  const store = await connected(group.url);
  await store.redis.set("parley:test", "1");
  await group.replicated();
  const hung = await group.master();
  hung.pause();
  try {
    // Sent to a server that takes it and never answers.
    const written = await store.redis.append("parley:test", "2");
    expect(written).toBe(2);
    expect(await group.master()).not.toBe(hung);
  } finally {
    hung.resume();
  }
});

it("has commands wait for a failover; a commit that is sent again is one commit", async () => {
  await using group = await startTestSentinel({ password });
  const { log, lines } = listening();
  const store = await connected(group.url, { log, lines });
  const inbox = createInbox(store);
  const turns = createTurnStore({ store, leaseMs, retentionMs, openTurn });
  const chat = newChat();
  await inbox.append(chat, message("m1"));
  const turn = await begun(turns, chat);
  await group.replicated();
  const failing = group.failOver();
  await new Promise((done) => store.redis.once("reconnecting", done));
  const [outcome, ingested] = await Promise.all([
    committed(turns, turn, finishing(1)),
    inbox.append(chat, message("m2")),
    failing,
  ]);
  expect(outcome.type).toBe("committed");
  expect(ingested).toBe("accepted");
  expect(await inbox.append(chat, message("m1"))).toBe("duplicate");
  const next = await begun(turns, chat);
  expect(next.state?.turn).toBe(2);
  expect(lines.filter((line) => /Trying again/.test(line))).toHaveLength(1);
  expect(lines).toContain("Redis is back");
});

it("survives that the Sentinels tell of the failover while it connects again", async () => {
  await using group = await startTestSentinel();
  const { redis } = await connected(group.url);
  const watching = async () =>
    /^pubsub_channels:1/m.test(await askServer(group.sentinel, (client) => client.info("stats")));
  await expect.poll(watching).toBe(true);
  await group.replicated();
  await (await group.master()).kill();
  await new Promise((done) => redis.once("connecting", done));
  // Who is told now could only do harm.
  await expect.poll(watching).toBe(false);
  await redis.set("parley:test", "1");
});
