import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Registry } from "prom-client";
import { addGauges } from "../../src/http/gauges.ts";
import { createMetrics } from "../../src/http/metrics.ts";

const answered = {
  platform: "telegram",
  outcome: "answered",
  activeMs: 1_500,
  spent: {
    "openai/gpt-4o": { requests: 2, inputTokens: 70, outputTokens: 5, costUsd: 0.25 },
    "ollama/llama3": { requests: 1, inputTokens: 3, outputTokens: 2 },
  },
} as const;

const linesOf = async ({ registry }: ReturnType<typeof createMetrics>) =>
  (await registry.metrics()).split("\n");

describe("the process' metrics", () => {
  it("count a turn with its tokens and its cost, in seconds and dollars", async () => {
    const metrics = createMetrics();
    metrics.turnFinished(answered);
    metrics.turnFinished(answered);
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'parley_turns_total{outcome="answered",platform="telegram"} 2',
        'parley_turn_seconds_bucket{le="1"} 0',
        'parley_turn_seconds_bucket{le="2.5"} 2',
        "parley_turn_seconds_sum 3",
        'parley_tokens_total{direction="input",model="openai/gpt-4o"} 140',
        'parley_tokens_total{direction="output",model="ollama/llama3"} 4',
        'parley_cost_usd_total{model="openai/gpt-4o"} 0.5',
      ]),
    );
    const cost = (await linesOf(metrics)).filter((line) => line.startsWith("parley_cost_usd"));
    // What has no known price isn't shown as free.
    expect(cost).toHaveLength(1);
  });

  it("count everything else under its own labels", async () => {
    const metrics = createMetrics();
    metrics.firstWord(400);
    metrics.modelCalled({ model: "openai/meta/llama", outcome: "overloaded" });
    metrics.toolCalled("files.read", "tool-error");
    metrics.toolCalled(undefined, "unknown-tool");
    metrics.approvalDecided(61_000);
    metrics.delivered({ platform: "discord", outcome: "sent", elapsedMs: 80 });
    metrics.delivered({ platform: "discord", outcome: "refused", elapsedMs: 80 });
    const refused = { platform: "discord", outcome: "refused", elapsedMs: 80 } as const;
    metrics.delivered({ ...refused, reason: "moderated" });
    metrics.chatDied("discord");
    metrics.throttled("discord");
    metrics.leaseTakenOver();
    metrics.limitRefused("cost");
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'parley_first_word_seconds_bucket{le="0.25"} 0',
        'parley_first_word_seconds_bucket{le="0.5"} 1',
        'parley_model_calls_total{provider="openai",model="openai/meta/llama",outcome="overloaded"} 1',
        'parley_tool_calls_total{tool="files.read",outcome="tool-error"} 1',
        'parley_tool_calls_total{tool="other",outcome="unknown-tool"} 1',
        'parley_approval_wait_seconds_bucket{le="60"} 0',
        'parley_approval_wait_seconds_bucket{le="300"} 1',
        'parley_deliveries_total{platform="discord",outcome="sent"} 1',
        'parley_deliveries_total{platform="discord",outcome="refused"} 2',
        'parley_delivery_refusals_total{platform="discord",reason="other"} 1',
        'parley_delivery_refusals_total{platform="discord",reason="moderated"} 1',
        'parley_chats_dead_total{platform="discord"} 1',
        "parley_delivery_seconds_count 1",
        'parley_platform_throttled_total{platform="discord"} 1',
        "parley_lease_takeovers_total 1",
        'parley_limit_refusals_total{metric="cost"} 1',
      ]),
    );
  });

  it("begin at 0 where an alert looks for the first increase", async () => {
    expect(await linesOf(createMetrics())).toEqual(
      expect.arrayContaining([
        "parley_lease_takeovers_total 0",
        'parley_platform_throttled_total{platform="telegram"} 0',
        'parley_limit_refusals_total{metric="messages"} 0',
        'parley_chats_dead_total{platform="discord"} 0',
        'parley_delivery_refusals_total{platform="telegram",reason="blocked"} 0',
        'parley_delivery_refusals_total{platform="telegram",reason="other"} 0',
      ]),
    );
  });

  it("keep a hundred names of tools and models, and call the others other", async () => {
    const metrics = createMetrics();
    for (let index = 0; index < 500; index += 1) {
      metrics.toolCalled(`tool-${index}`, "done");
      metrics.modelCalled({ model: `x/${index}`, outcome: "answered" });
    }
    // Known ones keep their names.
    metrics.toolCalled("tool-0", "done");
    const lines = await linesOf(metrics);
    const tools = lines.filter((line) => line.startsWith("parley_tool_calls_total{"));
    expect(tools).toHaveLength(101);
    expect(tools).toContain('parley_tool_calls_total{tool="tool-0",outcome="done"} 2');
    expect(tools).toContain('parley_tool_calls_total{tool="other",outcome="done"} 400');
    expect(lines.filter((line) => line.startsWith("parley_model_calls_total{"))).toHaveLength(101);
  });

  it("stand a clock that goes back", async () => {
    const metrics = createMetrics();
    metrics.firstWord(-5);
    expect(await linesOf(metrics)).toContain("parley_first_word_seconds_sum 0");
  });
});

describe("a gauge of the deployment", () => {
  it("asks once, however often it is read while no answer comes", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const registry = new Registry();
    const answer = Promise.withResolvers<{ labels: object; value: number }[]>();
    let asked = 0;
    const source = {
      name: "parley_waiting",
      help: "Waits",
      labels: [],
      read() {
        asked += 1;
        return answer.promise as never;
      },
    };
    addGauges(registry, [source]);
    for (let reads = 0; reads < 3; reads += 1) {
      const read = registry.metrics();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await read).not.toContain("parley_waiting 7");
    }
    expect(asked).toBe(1);
    answer.resolve([{ labels: {}, value: 7 }]);
    expect(await registry.metrics()).toContain("parley_waiting 7");
    expect(await registry.metrics()).toContain("parley_waiting 7");
    expect(asked).toBe(2);
  });
});
