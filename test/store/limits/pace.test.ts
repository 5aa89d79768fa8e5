import { describe, expect, it } from "vitest";
import type { ChatAddress } from "../../../src/core/chat.ts";
import type { SendLimits } from "../../../src/core/ports.ts";
import { paceKey } from "../../../src/store/keys.ts";
import { createPace } from "../../../src/store/limits/pace.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn, uniqueId } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;

const everyMs = 600_000;
/** Ten at once, and nothing more for ten minutes: no test lasts as long. */
const tenAtOnce = { count: 11, perMs: everyMs, burst: 10 };

const inChat = (chat: string, thread?: string): ChatAddress => ({
  platform: "telegram",
  bot: "77",
  chat,
  ...(thread === undefined ? {} : { thread }),
});
const anywhere = inChat("1");
/** One that no one else has. */
const somewhere = () => inChat(uniqueId());

function newPace(limits: Partial<SendLimits> = {}) {
  const bot = uniqueId();
  const pace = createPace(store, bot, {
    bot: tenAtOnce,
    chat: () => undefined,
    ...limits,
  });
  const times = async (
    count: number,
    request: Parameters<typeof pace.ask>[1],
    address?: ChatAddress,
  ): Promise<number[]> => {
    const waits: number[] = [];
    for (let time = 0; time < count; time += 1)
      waits.push(await pace.ask(address ?? somewhere(), request));
    return waits;
  };
  return { bot, pace, times };
}

const granted = (waits: readonly number[]): number => waits.filter((wait) => wait === 0).length;

/** A wait that began a moment ago. */
const about = (ms: number) => expect.toSatisfy((wait: number) => wait > ms - 60_000 && wait <= ms);

describe("a bot's pace", () => {
  it.each(["spare", "preview"] as const)(
    "keeps half of what may come at once from what is only a %s",
    async (request) => {
      const { times } = newPace();
      expect(granted(await times(8, request))).toBe(5);
      expect(granted(await times(8, "final"))).toBe(5);
    },
  );

  it("tells each that must wait another time, and later comers later ones", async () => {
    const { times } = newPace();
    expect(granted(await times(10, "final"))).toBe(10);
    expect(await times(3, "final")).toEqual([
      about(everyMs),
      about(2 * everyMs),
      about(3 * everyMs),
    ]);
    expect(await times(2, "preview")).toEqual([about(6 * everyMs), about(7 * everyMs)]);
    // Who has waited and came a moment too early does not go to the end.
    expect(await times(1, "waited")).toEqual([about(everyMs)]);
    // A spare one is no one's place.
    expect(await times(1, "spare")).toEqual([1]);
    expect(await times(1, "final")).toEqual([about(4 * everyMs)]);
  });

  it("lets those that have waited go before those that come", async () => {
    const { pace, times } = newPace();
    await times(11, "final");
    await pace.release(anywhere);
    expect(granted(await times(2, "final"))).toBe(0);
    expect(await times(2, "waited")).toEqual([0, expect.any(Number)]);
  });

  it("is given back what was not used", async () => {
    const { pace, times } = newPace();
    for (let time = 0; time < 30; time += 1) {
      expect(await pace.ask(anywhere, "spare")).toBe(0);
      await pace.release(anywhere);
    }
    expect(granted(await times(12, "final"))).toBe(10);
  });

  it("stands still for as long as the platform says", async () => {
    const { pace, times } = newPace();
    await pace.hold(anywhere, 50_000);
    await pace.hold(anywhere, 10);
    const [spare, final, second] = [...(await times(1, "spare")), ...(await times(2, "final"))];
    expect(spare).toBe(1);
    expect(final).toBeGreaterThan(40_000);
    expect(second).toBeGreaterThan(everyMs);
  });

  it("allows no more in any time than was declared, no matter who asks, and ends by itself", async () => {
    const { bot, pace } = newPace({
      bot: { count: 40, perMs: 400, burst: 10 },
    });
    const others = [createPaceOn(bot), createPaceOn(bot)];
    const before = await redisMs();
    let count = 0;
    let after = before;
    while (after - before < 300) {
      const waits = await Promise.all(
        [pace, ...others].map((each) => each.ask(somewhere(), "waited")),
      );
      count += granted(waits);
      after = await redisMs();
    }
    expect(count).toBeGreaterThanOrEqual(10);
    expect(count).toBeLessThanOrEqual(10 + (after - before) / (400 / 30) + 1);
    expect(await redis.pttl(paceKey(bot, "bot"))).toBeGreaterThan(0);
  });
});

const createPaceOn = (bot: string) =>
  createPace(storeOn(server), bot, {
    bot: { count: 40, perMs: 400, burst: 10 },
    chat: () => undefined,
  });

async function redisMs(): Promise<number> {
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return (seconds ?? 0) * 1_000 + (microseconds ?? 0) / 1_000;
}

describe("a chat's pace", () => {
  it("holds for its threads together, delays no one else, and takes no place in the bot's queue", async () => {
    const { bot, times } = newPace({
      chat: ({ chat }) =>
        chat.startsWith("-") ? { count: 5, perMs: everyMs, burst: 4 } : undefined,
    });
    const [one, two] = [inChat("-5", "1"), inChat("-5", "2")];
    expect(granted(await times(2, "final", one))).toBe(2);
    expect(granted(await times(1, "preview", two))).toBe(0);
    expect(granted(await times(2, "final", two))).toBe(2);
    const [waitMs] = await times(1, "final", one);
    expect(waitMs).toEqual(about(everyMs));
    for (const group of ["-6", "-7", "-8", "-9"])
      expect(await times(1, "final", inChat(group))).toEqual([0]);
    expect(granted(await times(9, "final"))).toBe(2);
    expect(await redis.pttl(paceKey(bot, "chat:-5"))).toBeGreaterThan(0);
  });
});
