import { describe, expect, it } from "vitest";
import { erasePerson } from "../../../src/store/erasure/erase-person.ts";
import { configKey } from "../../../src/store/keys.ts";
import { createPeopleStore } from "../../../src/store/people/people.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const people = createPeopleStore(store);

describe("who wrote lately", () => {
  it("is found by user name, whatever its case, on their own platform", async () => {
    await people.notePerson({ id: "telegram:1", name: "Ann", username: "Ann" });
    await people.notePerson({ id: "discord:1", name: "An", username: "ann" });
    const ann = { id: "telegram:1", name: "Ann", username: "Ann" };
    expect(await people.findByUsername("telegram", "aNN")).toEqual(ann);
    expect((await people.findByUsername("discord", "ANN"))?.id).toBe("discord:1");
    expect(await people.findByUsername("console", "ann")).toBeUndefined();
    expect(await people.knownPeople(["telegram:0", "telegram:1"])).toEqual([ann]);
  });

  it("is not found by a name that is someone else's now, or no one's", async () => {
    await people.notePerson({ id: "telegram:2", name: "A", username: "star" });
    await people.notePerson({ id: "telegram:3", name: "B", username: "star" });
    expect((await people.findByUsername("telegram", "star"))?.id).toBe("telegram:3");
    await people.notePerson({ id: "telegram:3", name: "B" });
    expect(await people.findByUsername("telegram", "star")).toBeUndefined();
  });

  it("is forgotten after a month of silence, and by an erasure with every name", async () => {
    const id = "telegram:4";
    for (const username of ["one", "two"]) await people.notePerson({ id, name: "Four", username });
    for (const key of ["known:telegram:4", "username:telegram:two"]) {
      const ttlMs = await redis.pttl(configKey(key));
      expect(ttlMs).toBeGreaterThan(29 * 86_400_000);
      expect(ttlMs).toBeLessThanOrEqual(30 * 86_400_000);
    }
    await erasePerson(store, id);
    const left = await keysLike(redis, "*");
    for (const key of left) {
      expect(key).not.toMatch(/telegram:4$/);
      if (key.includes(":username:")) expect(await redis.get(key)).not.toBe(id);
    }
  });

  it("keeps a long name short, and a broken one whole", async () => {
    const name = `${"x".repeat(99)}😀`;
    await people.notePerson({ id: "telegram:5", name });
    const known = await people.knownPerson("telegram:5");
    expect(known?.name).toHaveLength(100);
    expect(known?.name.isWellFormed()).toBe(true);
  });
});

describe("what is said of a place", () => {
  it("is kept until it is taken back", async () => {
    const [one, other] = ["telegram:chat:-1", "discord:guild:2"] as never[];
    if (!one || !other) throw new TypeError("two places");
    expect(await people.rulesOf([])).toEqual([]);
    await people.setRule(one, "allow");
    await people.setRule(other, "ban");
    expect(await people.rulesOf([other, one])).toEqual(["ban", "allow"]);
    await people.setRule(other, undefined);
    expect(await people.rulesOf([other, one])).toEqual([undefined, "allow"]);
    // Another version's word means nothing here.
    await redis.hset(configKey("places"), "telegram:chat:-1", "mute");
    expect(await people.rulesOf([one])).toEqual([undefined]);
  });
});

describe("a role that is taken back", () => {
  it("leaves neither a role nor a name", async () => {
    const person = { id: "telegram:6", name: "Six" };
    await people.setRole(person, "guest");
    await people.setPreference(person.id, { tier: "fast" });
    await people.setRole(person, undefined);
    expect(await people.profile(person.id)).toEqual({
      role: undefined,
      preference: { tier: "fast" },
    });
    expect(await people.withRole("guest")).not.toContain(person.id);
    expect(await redis.hkeys(configKey(`person:${person.id}`))).toEqual(["tier"]);
  });
});
