import type { TraceRecord } from "../../../src/core/trace.ts";
import { newChat } from "../support.ts";

/** What a plain answer leaves behind. */
export const traceRecord = (more: Partial<TraceRecord> = {}): TraceRecord => ({
  v: 1,
  chat: newChat(),
  turn: 1,
  call: 1,
  purpose: "answer",
  atMs: 1_800_000_001_500,
  tier: "balanced",
  model: "openai/gpt-5-mini",
  why: "the usual tier",
  request: {
    messages: [
      { role: "system", text: "You are Parley." },
      { role: "user", text: "What time is it?" },
    ],
    tools: [
      {
        name: "current_time",
        description: "Tells the time.",
        parameters: { type: "object", properties: {}, required: [] },
      },
    ],
    toolChoice: "auto",
    options: { temperature: 0.7 },
  },
  diagnostics: [],
  response: {
    text: "It is noon.",
    reasoning: "",
    calls: [],
    finish: "stop",
    usage: { inputTokens: 120, outputTokens: 5 },
  },
  attempts: [
    {
      model: "openai/gpt-5-mini",
      usage: { inputTokens: 120, outputTokens: 5 },
    },
  ],
  timing: { totalMs: 1_500, firstTokenMs: 400 },
  ...more,
});

/** The same, asked these messages. */
export function askedWith(
  messages: TraceRecord["request"]["messages"],
  more: Partial<TraceRecord> = {},
): TraceRecord {
  const record = traceRecord(more);
  return { ...record, request: { ...record.request, messages } };
}
