import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatAddress } from "../../../src/core/chat.ts";
import type { SendLimits } from "../../../src/core/ports.ts";
import { paceKey } from "../../../src/store/keys.ts";
import { createPace, type PaceRequest } from "../../../src/store/limits/pace.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn, uniqueId } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;

/** So long that what a test takes itself is nothing beside it. */
const everyMs = 600_000;
const burst = 6;
const limits: SendLimits = {
  bot: { count: burst + 1, perMs: everyMs, burst },
  chat: () => undefined,
};

interface Message {
  /** In slots of the bot, since the beginning. */
  readonly at: number;
  readonly person: string;
  readonly chat?: string;
}

interface Sent extends Message {
  readonly sentAt: number;
}

/** One bot whose time goes on only when it is told to. */
class Bot {
  readonly #id = uniqueId();
  readonly #pace = createPace(store, this.#id, limits);
  readonly #shares = new Set<string>();
  /** In slots. */
  now = 0;

  /** In how many slots to ask again; 0: granted. */
  async ask(
    { person, chat = person }: Pick<Message, "person" | "chat">,
    request: PaceRequest,
  ): Promise<number> {
    const address: ChatAddress = { platform: "telegram", bot: "1", chat };
    this.#shares.add(paceKey(this.#id, `share:${person}`));
    return (await this.#pace.ask(address, request, person)) / everyMs;
  }

  /** Everything that is written down is as much older. */
  async goTo(slot: number): Promise<void> {
    const byMs = (slot - this.now) * everyMs;
    const older = (ms: string) => String(Number(ms) - byMs);
    this.now = slot;
    for (const key of [paceKey(this.#id, "bot"), ...this.#shares]) {
      const moments = await redis.hgetall(key);
      const fields = Object.entries(moments).filter(([name]) => name !== "paid");
      if (fields.length === 0) continue;
      const aged = fields.map(([name, ms]) => [name, older(ms)]);
      await redis.hset(key, Object.fromEntries(aged));
    }
  }

  /** Each message asks when it comes, and again when it was told to. */
  async send(messages: readonly Message[]): Promise<Sent[]> {
    const waiting = messages.map((message) => ({
      message,
      dueAt: message.at,
      request: "final" as PaceRequest,
    }));
    const sent: Sent[] = [];
    while (waiting.length > 0) {
      waiting.sort((one, other) => one.dueAt - other.dueAt);
      const [next] = waiting;
      if (next === undefined) break;
      if (next.dueAt > this.now) await this.goTo(next.dueAt);
      const wait = await this.ask(next.message, next.request);
      if (wait === 0) {
        sent.push({ ...next.message, sentAt: this.now });
        waiting.shift();
      } else {
        // No one comes exactly on time.
        next.dueAt = this.now + wait + 0.001;
        next.request = "waited";
      }
    }
    return sent;
  }
}

const times = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

/** One person in as many chats, all at once. */
const flood = (count: number, person = "flood"): Message[] =>
  times(count, (index) => ({ at: 0, person, chat: `-${index}` }));

/** The test's own time, in slots. */
const soon = 0.1;

const delayOf = ({ at, sentAt }: Sent): number => sentAt - at;

describe("one person who floods", () => {
  it("waits, while what others are sent goes at once", async () => {
    const others = times(20, (index) => ({
      at: 0.5 + 2 * index,
      person: `quiet ${index}`,
    }));
    const sent = await new Bot().send([...flood(60), ...others]);
    const [theirs, rest] = [
      sent.filter(({ person }) => person === "flood"),
      sent.filter(({ person }) => person !== "flood"),
    ];
    expect(rest.map(delayOf)).toEqual(times(20, () => 0));
    expect(theirs).toHaveLength(60);
    // Nothing that the bot could send was left unsent.
    const lastAt = Math.max(...theirs.map(({ sentAt }) => sentAt));
    expect(lastAt).toBeLessThan(60 + 20 - burst / 2 + 1);
  });

  it("alone is sent as much as the platform bears", async () => {
    const count = 40;
    const sent = await new Bot().send(flood(count));
    const lastAt = Math.max(...sent.map(({ sentAt }) => sentAt));
    expect(lastAt).toBeGreaterThan(count - burst - soon);
    expect(lastAt).toBeLessThan(count - burst / 2 + 1);
  });

  it("keeps no one waiting who is beyond their own share by a little", async () => {
    const long = times(6, (index) => ({ at: 1 + index, person: "long" }));
    const sent = await new Bot().send([...flood(200), ...long]);
    const delays = sent.filter(({ person }) => person === "long").map(delayOf);
    // What is theirs comes ten slots apart, whatever waits before it.
    expect(Math.max(...delays)).toBeLessThan(6 * 10);
  });

  it("is not sent less than their share, whatever crowd stands before them", async () => {
    const sent = await new Bot().send([...flood(200, "crowd"), ...flood(12, "late")]);
    const late = sent.filter(({ person }) => person === "late");
    expect(late).toHaveLength(12);
    // A tenth of the pace is theirs; behind the crowd it would be two hundred slots.
    const last = Math.max(...late.map(({ sentAt }) => sentAt));
    expect(last).toBeLessThan(130);
  });

  it("leaves drafts and what may not be needed to times when no one waits", async () => {
    const bot = new Bot();
    for (const message of flood(20)) await bot.ask(message, "final");
    await bot.goTo(1);
    expect(await bot.ask({ person: "quiet" }, "spare")).toBeGreaterThan(0);
    expect(await bot.ask({ person: "quiet" }, "preview")).toBeGreaterThan(14);
    expect(await bot.ask({ person: "quiet" }, "final")).toBe(0);
  });
});

describe("any order of requests", () => {
  const message = fc.record({
    at: fc.integer({ min: 0, max: 30 }),
    person: fc.constantFrom("a", "b", "c", "d"),
    chat: fc.constantFrom("-1", "-2", "-3"),
  });

  it("the bot sends no more than its platform bears, and everything in the end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 40 }), async (messages) => {
        const sent = await new Bot().send(messages);
        expect(sent).toHaveLength(messages.length);
        const moments = sent.map(({ sentAt }) => sentAt);
        for (const [from, start] of moments.entries())
          for (const [to, end] of moments.entries())
            if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(burst + (end - start) + soon);
        // Nor does it idle while someone waits: but for what is kept for those within their share.
        const lastCame = Math.max(...messages.map(({ at }) => at));
        const lastAt = Math.max(...moments);
        expect(lastAt).toBeLessThan(lastCame + Math.max(messages.length - burst / 2, 0) + 2);
      }),
      { numRuns: 40 },
    );
  });
});
