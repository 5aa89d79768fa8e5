import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { byName } from "../../../src/bots/discord/receive/commands.ts";
import { Lanes } from "../../../src/bots/discord/receive/lanes.ts";
import { interactionReceiver } from "../../../src/bots/discord/receive/receive-interaction.ts";
import type { Accept, Inbound } from "../../../src/core/inbound.ts";

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
const command = (id: string) =>
  interaction(id, { type: 2, data: { name: "stop", type: 1 } });

/** The ears alone, on a clock that the test moves. */
function ears(accept: Accept) {
  const said: string[] = [];
  const note = async (
    _: string,
    { body }: { body?: unknown } = {},
  ): Promise<unknown> => {
    if (typeof body === "object" && body !== null && "content" in body)
      said.push(String(body.content));
    return {};
  };
  const take = interactionReceiver({
    botId: "100000000000000001",
    commands: byName([{ name: "stop", description: "Stop" }]),
    accept,
    lanes: new Lanes(),
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
    rest: { post: note, patch: note, get: note, delete: note },
  });
  return { take, said };
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
    take(tap("1"));
    take(command("2"));
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
    take(tap("1"));
    await vi.waitFor(() => expect(arrived).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() =>
      expect(said).toEqual(["Please try again in a moment."]),
    );
    take(tap("2"));
    await vi.waitFor(() => expect(said.at(-1)).toBe("Approved"));
  });
});
