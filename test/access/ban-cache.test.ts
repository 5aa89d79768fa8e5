import { describe, expect, it } from "vitest";
import { Access, type AccessSettings } from "../../src/access/access.ts";
import { BanCache } from "../../src/access/ban-cache.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { Place } from "../../src/core/places.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const people = createPeopleStore(storeOn(await testDatabase()));
const group = "telegram:7:-100" as ChatKey;
const sam = { id: "telegram:5", name: "Sam" };

function opened(more: Partial<AccessSettings> = {}) {
  let nowMs = 0;
  let reads = 0;
  const access = new Access(
    people,
    { mode: "open", admins: [], allow: [], ban: [], ...more },
    () => nowMs,
  );
  const counted = {
    bansVersion: () => people.bansVersion(),
    bans: () => {
      reads += 1;
      return people.bans();
    },
  };
  const banCache = new BanCache(counted, access, () => nowMs);
  return {
    banCache,
    reads: () => reads,
    after: async (ms: number): Promise<void> => {
      nowMs += ms;
      await banCache.refresh();
    },
  };
}

describe("who is shut out", () => {
  it("is known a second after a ban, and after the end of one", async () => {
    const { banCache, after, reads } = opened();
    await after(0);
    expect(banCache.has(sam, group)).toBe(false);
    await people.setRole(sam, "banned");
    await after(999);
    expect(banCache.has(sam, group)).toBe(false);
    await after(1);
    expect(banCache.has(sam, group)).toBe(true);
    // Nothing is read again where nothing has changed.
    const before = reads();
    for (let second = 0; second < 5; second += 1) await after(1_000);
    expect(reads()).toBe(before);
    await people.setRole(sam, undefined);
    await after(1_000);
    expect(banCache.has(sam, group)).toBe(false);
  });

  it("is asked again at once where the cached value is not enough", async () => {
    const { banCache, after } = opened();
    await people.setRole(sam, "banned");
    await after(0);
    expect(banCache.has(sam, group)).toBe(true);
    await people.setRole(sam, undefined);
    await banCache.refresh();
    expect(banCache.has(sam, group)).toBe(true);
    await banCache.refresh("store");
    expect(banCache.has(sam, group)).toBe(false);
  });

  it("is everybody in a group that is banned, topics included", async () => {
    const { banCache, after } = opened();
    await people.setRule("telegram:chat:-100" as Place, "ban");
    await people.setRule("telegram:chat:-200" as Place, "allow");
    await after(1_000);
    expect(banCache.has(sam, group)).toBe(true);
    expect(banCache.has(sam, `${group}:5` as ChatKey)).toBe(true);
    expect(banCache.has(sam, "telegram:7:-200" as ChatKey)).toBe(false);
    expect(banCache.has(sam, "telegram:7:5" as ChatKey)).toBe(false);
    const [owner, admin] = [{ id: "telegram:8" }, { id: "telegram:9" }];
    await people.setRole({ ...admin, name: "Ada" }, "admin");
    await after(1_000);
    expect(banCache.has(admin, group)).toBe(false);
    const owned = opened({ admins: [owner.id] });
    await owned.after(1_000);
    expect(owned.banCache.has(owner, group)).toBe(false);
    await people.setRule("telegram:chat:-100" as Place, undefined);
    await after(1_000);
    expect(banCache.has(sam, group)).toBe(false);
  });

  it("is everybody who uses an app of their own in a channel that is banned", async () => {
    const { banCache, after } = opened();
    await people.setRule("discord:channel:31" as Place, "ban");
    await after(1_000);
    const guest = { id: "discord:5" };
    expect(banCache.has(guest, "discord:7:visit-5-31" as ChatKey)).toBe(true);
    expect(banCache.has(guest, "discord:7:visit-5-32" as ChatKey)).toBe(false);
  });

  it("is no owner that admins had banned before the file named them", async () => {
    const olga = { id: "telegram:18", name: "Olga" };
    await people.setRole(olga, "banned");
    const owned = opened({ admins: [olga.id] });
    await owned.after(1_000);
    expect(owned.banCache.has(olga, group)).toBe(false);
    const banned = opened({ admins: [olga.id], ban: [olga.id] });
    await banned.after(1_000);
    expect(banned.banCache.has(olga, group)).toBe(true);
  });

  it("is everyone that the operator's file names, no matter what admins have set", () => {
    const { banCache } = opened({ ban: [sam.id, "telegram:chat:-100"] });
    const eve = { id: "telegram:6" };
    expect(banCache.has(sam, "telegram:7:5" as ChatKey)).toBe(true);
    expect(banCache.has(eve, group)).toBe(true);
    expect(banCache.has(eve, "telegram:7:6" as ChatKey)).toBe(false);
  });
});
