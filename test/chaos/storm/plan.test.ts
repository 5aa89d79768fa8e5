import { describe, expect, it } from "vitest";
import { eventKinds } from "./plan-events.ts";
import { planStorm, type StormOptions } from "./plan.ts";

const options: StormOptions = {
  seed: 5,
  turns: 5_000,
  chats: 200,
  workers: 3,
  bots: 1,
  turnsPerSecond: 11,
  faults: eventKinds,
  eventEveryMs: 4_500,
  maxMinutes: 15,
};

describe("the plan of a storm", () => {
  const plan = planStorm(options);
  const all = plan.messages.flat();

  it("is the same for the same seed, and another for another", () => {
    expect(planStorm(options)).toEqual(plan);
    expect(planStorm({ ...options, seed: 6 })).not.toEqual(plan);
  });

  it("has as many messages as turns, each with a mark of its own, in order within its chat", () => {
    expect(plan.messages).toHaveLength(200);
    expect(new Set(all.map(({ mark }) => mark)).size).toBe(5_000);
    for (const messages of plan.messages)
      expect(messages.map(({ index }) => index)).toEqual([...messages.keys()]);
  });

  it("uses tools in 30 % of its turns, and approvals in 10 %", () => {
    const withTools = all.filter(({ kind }) => /look|set|pay|buy/.test(kind)).length;
    const approvals = all.filter(({ tap }) => tap !== undefined).length;
    expect(withTools / 5_000).toBeGreaterThan(0.3);
    expect(approvals / 5_000).toBeGreaterThan(0.1);
  });

  it("lets every kind of trouble come while people talk", () => {
    const during = plan.events.filter(({ atMs }) => atMs < plan.durationMs);
    expect(new Set(during.map(({ kind }) => kind))).toEqual(new Set(eventKinds));
    expect(planStorm({ ...options, faults: [] }).events).toEqual([]);
  });

  it("of a few seconds lets everything come as well, once", () => {
    const { events, messages } = planStorm({
      ...options,
      turns: 20,
      chats: 10,
      eventEveryMs: 500,
      isSample: true,
    });
    expect(events.map(({ kind }) => kind).sort()).toEqual([...eventKinds].sort());
    for (const [first] of messages) expect(first?.redeliveredAfterMs).toBeGreaterThan(0);
  });

  it("ignores only cards that the next message supersedes", () => {
    const ignored = plan.messages.flatMap((messages) =>
      messages.flatMap(({ tap }, index) =>
        tap?.decision === "ignore" ? [messages[index + 1]] : [],
      ),
    );
    expect(ignored).not.toEqual([]);
    for (const next of ignored) expect(next?.followsAtOnce).toBe(false);
  });
});
