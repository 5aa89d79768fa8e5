import { rm } from "node:fs/promises";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import {
  describeRefusal,
  isOutOfReach,
  isPassingRefusal,
} from "../../../src/store/redis/refusals.ts";
import { retryingStore } from "../../../src/store/redis/retry-refused.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { message, newChat, storeOn, until } from "../support.ts";

const server = await testDatabase({ args: ["--save", "3600", "100000"] });

/** A store as Parley uses it, what it has said, and how often a script was tried. */
function watched() {
  const plain = storeOn(server);
  const said: string[] = [];
  const log = pino(
    { level: "info" },
    {
      write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg),
    },
  );
  let tries = 0;
  const counting: Store = {
    ...plain,
    run(...given) {
      tries += 1;
      return plain.run(...given);
    },
  };
  const store = retryingStore(counting, log);
  return {
    said,
    redis: plain.redis,
    inbox: createInbox(store),
    tries: () => tries,
  };
}

describe("a server that takes no writes for a while", () => {
  it("because it became a replica, loses nothing and doubles nothing, and it is said once", async () => {
    const { said, redis, inbox, tries } = watched();
    const chat = newChat();
    // No one listens there.
    await redis.replicaof("127.0.0.1", 1);
    const appended = ["m1", "m2"].map((id) => inbox.append(chat, message(id)));
    await until(() => tries() >= 6, "three tries of each");
    await redis.replicaof("NO", "ONE");
    expect(await Promise.all(appended)).toEqual(["accepted", "accepted"]);
    expect(await inbox.append(chat, message("m1"))).toBe("duplicate");
    expect(said).toEqual([
      "Redis takes no writes for now: it is a read-only replica. Trying again.",
      "Redis takes writes again",
    ]);
  });

  it("because its disk fails, is waited for as well", async () => {
    const { said, redis, inbox, tries } = watched();
    const [, folder = ""] = await redis.config("GET", "dir");
    expect(folder).toContain("parley-redis-");
    await rm(folder, { recursive: true });
    await redis.bgsave();
    await until(async () => /rdb_last_bgsave_status:err/.test(await redis.info("persistence")));
    const appended = inbox.append(newChat(), message("m1"));
    await until(() => tries() >= 2, "a second try");
    await redis.config("SET", "stop-writes-on-bgsave-error", "no");
    expect(await appended).toBe("accepted");
    expect(said).toEqual([
      "Redis takes no writes for now: it cannot write to its disk. Trying again.",
      "Redis takes writes again",
    ]);
  });
});

describe("a refusal", () => {
  it.each([
    "READONLY You can't write against a read only replica. script: 5ab4, on @user_script:12.",
    "ERR Error running script (call to f_5ab4): @user_script:12: @user_script: 12: -READONLY You can't write against a read only replica.",
    "LOADING Redis is loading the dataset in memory",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "MISCONF Errors writing to the AOF file: No space left on device",
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
    "NOREPLICAS Not enough good replicas to write.",
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
    "CLUSTERDOWN The cluster is down",
  ])("such as %s passes", (text) => {
    expect(isPassingRefusal(new Error(text))).toBe(true);
    expect(describeRefusal(new Error(text))).toMatch(
      /^Redis takes no writes for now: [a-z][^:]*\.$/,
    );
  });

  it.each([
    "Connection is closed.",
    "Command timed out",
    "Reached the max retries per request limit (which is 0).",
    "All sentinels are unreachable. Retrying from scratch after 10ms.",
    "Failed to refresh slots cache.",
    Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  ])("is none where it is out of reach: %s", (told) => {
    const error = typeof told === "string" ? new Error(told) : told;
    expect(isOutOfReach(error)).toBe(true);
    expect(isPassingRefusal(error)).toBe(false);
  });

  it.each([
    new Error("WRONGTYPE Operation against a key"),
    Object.assign(new Error("bad"), { code: "ERR_INVALID_ARG_TYPE" }),
  ])("of what is asked does not put it out of reach: %s", (error) => {
    expect(isOutOfReach(error)).toBe(false);
  });

  it.each([
    "OOM command not allowed when used memory > 'maxmemory'.",
    "WRONGTYPE Operation against a key holding the wrong kind of value",
    "NOPERM this user has no permissions",
    "BUSYGROUP Consumer Group name already exists",
    "ERR READONLY",
    "Connection is closed.",
  ])("such as %s does not", (text) => {
    expect(isPassingRefusal(new Error(text))).toBe(false);
  });
});
