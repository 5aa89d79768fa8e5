import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { byName } from "../../../src/bots/keyed-queue/priority.ts";
import { Held } from "../../../src/bots/discord/receive/held.ts";
import { KeyedQueue } from "../../../src/bots/keyed-queue/keyed-queue.ts";
import { interactionReceiver } from "../../../src/bots/discord/receive/receive-interaction.ts";
import type { Accept, Acceptance, Inbound } from "../../../src/core/inbound.ts";

const channel = { id: "300000000000000003", type: 0 };
const person = { id: "200000000000000002", username: "ann" };

const interaction = (id: string, more: object) => ({
  id,
  application_id: "100000000000000001",
  token: `token-${id}`,
  user: person,
  channel_id: channel.id,
  channel,
  ...more,
});
const tap = (id: string) =>
  interaction(id, { type: 3, data: { component_type: 2, custom_id: "a:1" } });
const command = (id: string) => interaction(id, { type: 2, data: { name: "stop", type: 1 } });

/** The ears alone, on a clock that the test moves. */
function ears(accept: Accept, original: object = {}) {
  const queue = new KeyedQueue();
  const said: string[] = [];
  const note = async (_: string, { body }: { body?: unknown } = {}): Promise<unknown> => {
    if (typeof body === "object" && body !== null && "content" in body)
      said.push(String(body.content));
    return original;
  };
  const take = interactionReceiver({
    botId: "100000000000000001",
    commands: byName([{ name: "stop", description: "Stop" }]),
    accept,
    now: Date.now,
    queue,
    held: new Held(pino({ level: "silent" })),
    handled: () => undefined,
    say: () => Promise.resolve(),
    fetchFile: () => Promise.reject(new Error("no file is fetched here")),
    completion: { complete: () => Promise.resolve([]) },
    references: { opening: () => ({}) },
    hasOlder: () => false,
    userInstalls: {
      begin: () => Promise.reject(new Error("nobody visits")),
      remember: () => Promise.reject(new Error("nobody visits")),
    },
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
    rest: { post: note, patch: note, get: note, delete: note },
  });
  return { take, said, queue };
}

describe("a tap", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("tells the store until when it may be decided; a command does not", async () => {
    const arrived: Inbound[] = [];
    const { take } = ears(async (inbound) => {
      arrived.push(inbound);
      return { type: "queued" };
    });
    const nowMs = Date.now();
    void take(tap("1"));
    void take(command("2"));
    await vi.waitFor(() => expect(arrived).toHaveLength(2));
    expect(arrived[0]).toMatchObject({
      type: "tap",
      notAfterMs: nowMs + 10_000,
    });
    expect(arrived[1]).not.toHaveProperty("notAfterMs");
  });

  test("that the store does not take by then is given up, and the next one is heard", async () => {
    const arrived: Inbound[] = [];
    const { take, said } = ears(async (inbound) => {
      arrived.push(inbound);
      if (arrived.length === 1) return new Promise(() => undefined);
      return { type: "answered", text: "Approved", isPrivate: true };
    });
    void take(tap("1"));
    await vi.waitFor(() => expect(arrived).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() =>
      expect(said).toEqual(["Sorry, that didn't work. Please try again in a moment."]),
    );
    void take(tap("2"));
    await vi.waitFor(() => expect(said.at(-1)).toBe("Approved"));
  });

  test("that its card shows is not said twice, and what it doesn't show is said", async () => {
    const { take, said } = ears(({ id }) =>
      Promise.resolve({
        type: "answered",
        text: `answer ${id}`,
        isPrivate: true,
        ...(id.endsWith("1") ? { isOnCard: true } : {}),
      }),
    );
    void take(tap("1"));
    void take(tap("2"));
    await vi.waitFor(() => expect(said).toEqual(["answer i2"]));
  });
});

describe("a command", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("that the store does not take at once is told to take longer, and answered in the end", async () => {
    const store = Promise.withResolvers<Acceptance>();
    const { take, said } = ears(() => store.promise);
    const isDurable = take(command("1"));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([expect.stringMatching(/^Sorry.*I'll keep trying/)]);
    store.resolve({ type: "answered", text: "Here you are", isPrivate: true });
    expect(await isDurable).toBe(true);
    await vi.waitFor(() => expect(said.at(-1)).toBe("Here you are"));
  });

  test.each([
    [128, ["That's done, but my answer got lost. Ask again if you need it."]],
    [0, []],
  ])(
    "that was carried out before is answered only where nothing was: flags %i",
    async (flags, expected) => {
      const { take, said, queue } = ears(() => Promise.resolve({ type: "duplicate" }), {
        id: "1",
        flags,
      });
      expect(await take(command("1"))).toBe(true);
      await queue.idle();
      expect(said).toEqual(expected);
    },
  );

  test("whose ids are none of Discord's is kept out", async () => {
    const arrived: Inbound[] = [];
    const { take, queue } = ears(async (inbound) => {
      arrived.push(inbound);
      return { type: "queued" };
    });
    expect(take({ ...command("1"), id: "one" })).toBeUndefined();
    await queue.idle();
    expect(arrived).toEqual([]);
  });

  test("that the store never takes is given up while it can still be answered", async () => {
    const { take, said } = ears(() => new Promise(() => undefined));
    const isDurable = take(command("1"));
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(await isDurable).toBe(true);
    await vi.waitFor(() => expect(said.at(-1)).toContain("try again"));
  });
});
