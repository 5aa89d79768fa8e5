import { SpanKind } from "@opentelemetry/api";
import { afterEach, expect, it, vi } from "vitest";
import { createRedactor } from "../../src/logging/redactor.ts";
import { chatKeySchema } from "../../src/core/chat.ts";
import { recordChat } from "../../src/tracing/chat-span.ts";
import { Spans } from "../../src/tracing/spans.ts";
import { startSdk } from "../../src/tracing/start-sdk.ts";
import { OtlpReceiver } from "../support/tracing/otlp-receiver.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const known = Array.from({ length: 100 }, (_, index) => `zq${hex(index)}zq"known\n`);
const shapes = ["sk-", "ghp_", "Bearer A1", "password=", "https://ann:"];

/** Each has a mark of its own; every hundredth is one of the settings' secrets. */
function secret(index: number): string {
  if (index % 100 === 0) return known[index / 100] ?? "";
  const shape = shapes[index % shapes.length] ?? "";
  return `${shape}zq${hex(index)}zqAbCdEf0123456789abcd${shape.startsWith("https") ? "@host" : ""}`;
}

function hex(index: number): string {
  return index.toString(16).padStart(8, "0");
}

it.each([false, true])(
  "exports none of 10,000 planted secrets, with content: %s",
  { timeout: 120_000 },
  async (withContent) => {
    await using receiver = await OtlpReceiver.start();
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
    vi.stubEnv("OTEL_BSP_MAX_QUEUE_SIZE", "10000");
    const lost: string[] = [];
    const sdk = await startSdk({ role: "worker", lost: (_, cause) => lost.push(cause) });
    const spans = new Spans({
      ...sdk,
      redact: createRedactor(known),
      conversationOf: () => "c",
      withContent,
      now: Date.now,
    });
    const chat = chatKeySchema.parse("telegram:1:2");
    const parent = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01";
    for (let index = 0; index < 10_000; index += 8) {
      const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, step) => secret(index + step));
      recordChat(spans, parent, {
        v: 1,
        chat,
        turn: 1,
        call: 1,
        purpose: "answer",
        atMs: Date.now(),
        tier: "balanced",
        model: `openai/${a}`,
        why: "",
        request: {
          messages: [{ role: "user", text: `the harmless question ${b} and more` }],
          tools: [],
          toolChoice: "auto",
          options: {},
        },
        diagnostics: [],
        response: {
          text: `answer ${c}`,
          reasoning: "",
          calls: [{ index: 0, wireId: "w", name: "go", arguments: JSON.stringify({ given: d }) }],
          finish: "stop",
        },
        attempts: [{ model: `openai/${e}`, failure: "network" }],
        timing: { totalMs: 5 },
      });
      spans.record(`execute_tool ${f}`, {
        kind: SpanKind.INTERNAL,
        startMs: 1,
        endMs: 2,
        attributes: { "gen_ai.tool.call.result": `it said ${g}` },
        error: { type: "tool-error", message: `failed at ${h}` },
      });
      if (index % 400 === 0) await new Promise(setImmediate);
    }
    await sdk.flush();
    const sent = receiver.bodies.join();
    expect([...receiver.problems, ...lost]).toEqual([]);
    expect(receiver.spans).toHaveLength(2_500);
    expect(sent).toContain("[redacted]");
    expect(sent.includes("the harmless question")).toBe(withContent);
    expect(sent.match(/zq[0-9a-f]{8}zq/g) ?? []).toEqual([]);
  },
);
