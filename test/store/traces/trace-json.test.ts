import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { traceRecordSchema, type TraceRecord } from "../../../src/core/trace.ts";
import { briefRecord, maxRecordBytes, traceJson } from "../../../src/store/traces/trace-json.ts";
import { traceRecord } from "./trace-record.ts";

const bulk = "ä".repeat(300_000);

/** A record of which one part is far too long. */
const bulkyRecords: Readonly<Record<string, TraceRecord>> = {
  "an option": traceRecord({
    request: {
      ...traceRecord().request,
      options: { bulk } as TraceRecord["request"]["options"],
    },
  }),
  "a tier": traceRecord({ tier: bulk }),
  "what is left out": traceRecord({
    leftOut: Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [`part ${index}`, index]),
    ),
  }),
  "a schema with many short branches": traceRecord({
    request: {
      ...traceRecord().request,
      tools: [{ name: "a", description: "", parameters: tree(9) }],
    },
  }),
};

function tree(depth: number): Record<string, unknown> {
  return depth === 0
    ? { type: "string" }
    : { a: tree(depth - 1), b: [tree(depth - 1)], c: tree(depth - 1) };
}

describe("a record in brief", () => {
  it.each([
    [0, undefined],
    [200, undefined],
    [201, { messages: 1 }],
  ])("of %i messages leaves out %j", (count, leftOut) => {
    const message = { role: "user", text: "hello" } as const;
    const messages = Array.from({ length: count }, () => message);
    const record = traceRecord();
    const brief = briefRecord({
      ...record,
      request: { ...record.request, messages },
    });
    expect(brief.leftOut).toEqual(leftOut);
    expect(brief.request.messages).toHaveLength(Math.min(count, 200));
  });
});

describe("the JSON of a record", () => {
  it.each(Object.entries(bulkyRecords))("fits where the bulk is in %s", (_where, record) => {
    const json = traceJson(record, (text) => text);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxRecordBytes);
    expect(traceRecordSchema.parse(JSON.parse(json))).toMatchObject({
      chat: record.chat,
      turn: 1,
      response: { text: "It is noon." },
    });
  });

  it("fits, wherever the bulk is", () => {
    const part = fc.constantFrom("", "x", "\u0000".repeat(70_000), bulk);
    const many = fc.constantFrom(1, 3_000);
    fc.assert(
      fc.property(
        fc.tuple(part, part, part, part, part),
        many,
        ([tier, why, option, text, name], count) => {
          const record = traceRecord({
            tier,
            why,
            request: {
              ...traceRecord().request,
              messages: Array.from({ length: count }, () => ({
                role: "user" as const,
                text: count === 1 ? text : text.slice(0, 100),
              })),
              options: {
                [`${name}!`]: option,
              },
            },
          });
          const json = traceJson(record, (each) => each);
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxRecordBytes);
        },
      ),
      { numRuns: 40 },
    );
  });
});
