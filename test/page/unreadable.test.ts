import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { namedBy } from "../../src/core/places.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { knownKey } from "../../src/store/people/known-people.ts";
import { placeRequestsKey } from "../../src/store/people/place-requests.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { begun, message, newChat, scheduleIn, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openPage } from "./open-page.ts";
import { rowsOf } from "./table-rows.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
const views = [
  "/",
  "/approvals",
  "/spend",
  "/chats",
  "/dead-letters",
  "/schedules",
  "/people",
  "/people?q=telegram",
  "/health",
  "/audit",
  "/browsers",
];

it.each([
  ["broken", { json: "{", entry: '{"kind":"message",' }],
  ["a newer version's", { json: '{"v":9}', entry: '{"kind":"message","v":9}' }],
])("every view shows the rest where one value of each kind is %s", async (_, { json, entry }) => {
  const { redis } = store;
  await redis.flushdb();
  const page = await openPage(store);
  const owner = await page.logIn("owner");
  const inbox = createInbox(store);
  const [chat, unnamed, waits] = [newChat(), newChat(), newChat()];
  for (const each of [chat, unnamed, waits]) await inbox.append(each, message("m1"));
  for (const each of [chat, unnamed]) await begun(turns, each);
  const other = await page.ingress.deps.schedules.save(chat, scheduleIn(chat));
  expect(other).toBeDefined();

  const keys = chatKeys(chat);
  await redis.set(knownKey(namedBy(chat)), json);
  await redis.hset(keys.state, "state", json);
  await redis.hset(keys.plans, "abc", json);
  await redis.zadd(keys.wake, 8e12, `plan:${chat}/abc`);
  await redis.rpush(keys.log, entry);
  await redis.rpush(`${keys.tracePrefix}1`, gzipSync(json), json);
  await redis.zadd(keys.traces, Date.now(), "1");
  await redis.rpush(chatKeys(unnamed).log, entry);
  await redis.lset(chatKeys(waits).inbox, 0, entry);
  await redis.zadd(chatKeys(waits).wake, 1, "in:of another version");
  await redis.lpush(configKey("pairings"), "ABCDEFGH");
  await redis.set(configKey("pairing:ABCDEFGH"), json);
  await redis.lpush(placeRequestsKey, json);
  await redis.lpush(configKey("errors"), json);
  await redis.set(configKey("examined"), json);

  for (const path of [...views, `/chats/${chat}`, `/chats/${chat}/1`, `/chats/${unnamed}`])
    expect([path, (await owner.get(path)).status]).toEqual([path, 200]);
  expect(rowsOf(await owner.text("/"), "Now")).toHaveLength(3);
  expect(rowsOf(await owner.text("/schedules"), "Schedules")).toHaveLength(1);
  expect(await owner.text(`/chats/${chat}/1`)).toContain("In progress");
  const stopped = await owner.post("/stop", { chat, turn: "1" });
  expect([stopped.status, stopped.headers.get("location")]).toEqual([303, "/?done=stopped"]);
});
