import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { observationSchema } from "../../../../src/core/turn.ts";
import { observe, type FinishedCall } from "../../../../src/loop/machine/loop-detection/observe.ts";
import { currentTimeTool } from "../../../../src/tools/current-time.ts";
import { defineTool } from "../../../../src/tools/define-tool.ts";
import { readOn } from "../../../../src/tools/read-more.ts";

const observed = (call: Partial<FinishedCall> = {}) =>
  observe({
    wireName: "look",
    arguments: "{}",
    resultText: "done",
    failed: false,
    tool: undefined,
    ...call,
  });

const looking = (loopKey?: (given: { at: string; note: string }) => unknown) =>
  defineTool({
    name: "look",
    description: "Looks.",
    parameters: z.strictObject({ at: z.string(), note: z.string() }),
    effect: "read",
    confirm: "never",
    history: "action",
    ...(loopKey === undefined ? {} : { loopKey }),
    run: () => Promise.resolve({ text: "" }),
  });

const given = (at: string, note: string) => ({ given: { at, note } });

const cut = (id: string, total = 40_000) =>
  observed({ resultText: `xyz\n${readOn({ id, offset: 16_000, total })}` });

describe("what is remembered of a call", () => {
  it("is short, and can be stored", () => {
    const observation = observed({
      wireName: "x".repeat(100_000),
      arguments: `{"a":"${"b".repeat(100_000)}"}`,
      resultText: "c".repeat(100_000),
      failed: true,
    });
    expect(observationSchema.parse(observation)).toEqual(observation);
    expect(JSON.stringify(observation).length).toBeLessThan(160);
    expect(observation).toMatchObject({ tool: "x".repeat(64), failed: true });
  });

  it("tells tools, arguments and results apart", () => {
    const calls = [
      observed(),
      observed({ wireName: "look2" }),
      observed({ given: { a: 1 } }),
      observed({ given: { a: "1" } }),
      observed({ arguments: "broken" }),
    ].map(({ call }) => call);
    expect(new Set(calls).size).toBe(calls.length);
    expect(observed({ resultText: "Done" }).result).not.toBe(observed().result);
  });

  it("is the same whatever the order and the spelling of the arguments", () => {
    expect(observed({ given: { a: 1, b: [{ c: 2, d: 3 }] } })).toEqual(
      observed({ given: { b: [{ d: 3, c: 2 }], a: 1 }, arguments: "other" }),
    );
  });

  it("of refused arguments is what was written, as JSON where it is some", () => {
    expect(observed({ arguments: '{"a": 1, "b":2}' })).toEqual(
      observed({ arguments: '{"b":2,"a":1}' }),
    );
    expect(observed({ arguments: ' {"a": ' })).toEqual(observed({ arguments: '{"a":' }));
    expect(observed({ arguments: '{"a":1' })).not.toEqual(observed({ arguments: '{"a":2' }));
  });

  it("is the tool's own key, where it has one", () => {
    const tool = looking(({ at }) => at);
    const first = observed({ tool, ...given("a", "one") });
    expect(observed({ tool, ...given("a", "two") })).toEqual(first);
    expect(observed({ tool, ...given("b", "one") })).not.toEqual(first);
    const plain = looking();
    expect(observed({ tool: plain, ...given("a", "two") })).not.toEqual(
      observed({ tool: plain, ...given("a", "one") }),
    );
  });

  it("is the tool's own key also where only what was written is at hand", () => {
    const tool = looking(({ at }) => at);
    const written = (at: string, note: string) =>
      observed({ tool, arguments: JSON.stringify({ note, at }) });
    const first = observed({ tool, ...given("a", "one") });
    expect(written("a", "two")).toEqual(first);
    expect(written("b", "two")).not.toEqual(first);
    expect(written("a\ud800", "two")).toEqual(written("a\ufffd", "two"));
  });

  it("has defaults filled in where the tool has some", () => {
    const tool = currentTimeTool(Date.now);
    const first = observed({ tool, arguments: '{"timeZone":"UTC"}' });
    expect(observed({ tool, arguments: "{}" })).toEqual(first);
    expect(observed({ tool, arguments: "" })).toEqual(first);
  });

  it("is all calls of a tool whose key says nothing", () => {
    const tool = looking(() => undefined);
    expect(observed({ tool, ...given("a", "one") })).toEqual(
      observed({ tool, ...given("b", "two") }),
    );
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no key");
      },
    ],
    ["is no JSON", () => ({ big: 1n })],
  ])("is all arguments where the tool's key %s", (_, loopKey) => {
    const tool = looking(loopKey);
    const first = observed({ tool, ...given("a", "one") });
    expect(observed({ tool, ...given("a", "two") })).not.toEqual(first);
    expect(first).toEqual(observed(given("a", "one")));
  });

  it("does not depend on the id under which a cut result is kept", () => {
    expect(cut("AAAA-_")).toEqual(cut("BBBB"));
    expect(cut("AAAA", 40_001)).not.toEqual(cut("AAAA"));
  });

  it("can be had of anything that a model writes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.oneof(fc.string({ unit: "binary" }), fc.json()),
        fc.option(fc.anything({ withBigInt: true }), { nil: undefined }),
        fc.constantFrom(undefined, looking(), looking(Object.keys)),
        (wireName, written, parsed, tool) => {
          const call = { wireName, arguments: written, given: parsed, tool };
          const observation = observed(call);
          expect(observationSchema.parse(observation)).toEqual(observation);
          expect(observed(call)).toEqual(observation);
        },
      ),
    );
  });
});
