import { Counter, Histogram, Registry } from "prom-client";
import { platforms } from "../core/chat.ts";
import { limitMetrics } from "../core/limits.ts";
import type { Metrics } from "../core/metrics.ts";
import { refusalReasons } from "../core/refusal.ts";

/** Most values of a label that isn't ours, such as a tool's name; further ones become `other`. */
const maxNames = 100;

/** The metrics of this process' own work, and where they are read. */
export interface ProcessMetrics extends Metrics {
  readonly registry: Registry;
}

export function createMetrics(): ProcessMetrics {
  const registry = new Registry();
  const all = createInstruments(registry);
  // From the beginning: a rate can't see the first increase of a series that didn't exist before.
  for (const platform of platforms) {
    all.throttled.inc({ platform }, 0);
    all.chatsDead.inc({ platform }, 0);
    for (const reason of [...refusalReasons, other]) all.refused.inc({ platform, reason }, 0);
    all.turns.inc({ outcome: "model-failed", platform }, 0);
  }
  for (const metric of Object.keys(limitMetrics)) all.refusals.inc({ metric }, 0);
  const modelName = bounded();
  const toolName = bounded();
  return {
    registry,
    turnFinished({ platform, outcome, activeMs, spent }) {
      all.turns.inc({ outcome, platform });
      all.turnSeconds.observe(seconds(activeMs));
      for (const id in spent) {
        const { inputTokens = 0, outputTokens = 0, costUsd } = spent[id] ?? {};
        const model = modelName(id);
        all.tokens.inc({ direction: "input", model }, inputTokens);
        all.tokens.inc({ direction: "output", model }, outputTokens);
        if (costUsd !== undefined) all.cost.inc({ model }, costUsd);
      }
    },
    firstWord: (afterMs) => all.firstWordSeconds.observe(seconds(afterMs)),
    modelCalled({ model: id, outcome }) {
      const model = modelName(id);
      all.modelCalls.inc({ provider: model.split("/", 1)[0] ?? model, model, outcome });
    },
    toolCalled: (tool, outcome) =>
      all.toolCalls.inc({ tool: tool === undefined ? other : toolName(tool), outcome }),
    approvalDecided: (waitMs) => all.approvalWait.observe(seconds(waitMs)),
    delivered({ platform, outcome, elapsedMs, reason = other }) {
      all.deliveries.inc({ platform, outcome });
      if (outcome === "refused") all.refused.inc({ platform, reason });
      if (outcome === "sent") all.deliverySeconds.observe(seconds(elapsedMs));
    },
    throttled: (platform) => all.throttled.inc({ platform }),
    chatDied: (platform) => all.chatsDead.inc({ platform }),
    leaseTakenOver: () => all.takeovers.inc(),
    limitRefused: (metric) => all.refusals.inc({ metric }),
  };
}

/** Two processes' clocks may differ. */
const seconds = (ms: number): number => Math.max(0, ms) / 1_000;

const other = "other";

/** A name as long as there are few; Prometheus keeps a series for each. */
function bounded(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= maxNames) return other;
    known.add(name);
    return name;
  };
}

/** All of them, in a registry. */
function createInstruments(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  /** @param buckets their upper bounds, in seconds */
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  return {
    turns: counter("parley_turns_total", "Turns that have ended, by how", ["outcome", "platform"]),
    turnSeconds: histogram(
      "parley_turn_seconds",
      "How long a turn was worked on, without waiting for people",
      [0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900],
    ),
    firstWordSeconds: histogram(
      "parley_first_word_seconds",
      "From a message's arrival to the first text of its answer",
      [0.25, 0.5, 1, 2, 3, 5, 10, 15, 20, 30, 60, 300],
    ),
    modelCalls: counter("parley_model_calls_total", "Attempts at a model, by how they ended", [
      "provider",
      "model",
      "outcome",
    ]),
    tokens: counter("parley_tokens_total", "Tokens of the turns that have ended", [
      "direction",
      "model",
    ]),
    cost: counter("parley_cost_usd_total", "US dollars that ended turns have cost", ["model"]),
    toolCalls: counter("parley_tool_calls_total", "Tool calls, by how they ended", [
      "tool",
      "outcome",
    ]),
    approvalWait: histogram(
      "parley_approval_wait_seconds",
      "From the question to a person until the decision or the expiry",
      [5, 15, 30, 60, 300, 900, 3_600, 14_400, 86_400],
    ),
    deliveries: counter("parley_deliveries_total", "Messages to platforms, by how they ended", [
      "platform",
      "outcome",
    ]),
    refused: counter(
      "parley_delivery_refusals_total",
      "Messages that a platform refused, by what it has against them",
      ["platform", "reason"],
    ),
    chatsDead: counter(
      "parley_chats_dead_total",
      "Chats to which nothing can be sent any more, when they were found to be so",
      ["platform"],
    ),
    deliverySeconds: histogram(
      "parley_delivery_seconds",
      "From a process taking a message out of the outbox to its receipt, waits and retries included",
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    ),
    throttled: counter(
      "parley_platform_throttled_total",
      "Requests that a platform refused because the bot makes too many",
      ["platform"],
    ),
    takeovers: counter(
      "parley_lease_takeovers_total",
      "Chats taken from a process that stopped renewing its lease",
      [],
    ),
    refusals: counter(
      "parley_limit_refusals_total",
      "Messages, model calls and turns that a limit refused or put off",
      ["metric"],
    ),
  };
}
