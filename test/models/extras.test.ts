import { describe, expect, it } from "vitest";
import type { Extras } from "../../src/core/history.ts";
import { joinExtras, keptExtras, withIds } from "../../src/models/extras.ts";

const joined = (...pieces: readonly Extras[]): Extras =>
  pieces.reduce((known, piece) => joinExtras(known, piece), {});

describe("extras that come in pieces", () => {
  it("blocks of thoughts go on, and others follow them", () => {
    const block = { type: "reasoning.text", index: 0 };
    const sealed = { type: "reasoning.encrypted", id: "call_1", data: "x", index: 1 };
    expect(
      joined(
        { reasoning_details: [{ ...block, text: "one " }] },
        { reasoning_details: [{ ...block, text: "two" }] },
        { reasoning_details: [sealed, { ...sealed, id: "call_2" }] },
      ),
    ).toEqual({
      reasoning_details: [{ ...block, text: "one two" }, sealed, { ...sealed, id: "call_2" }],
    });
  });

  it("a signature that comes last joins its block", () => {
    const block = { type: "reasoning.text", index: 0, text: "one" };
    expect(
      joined(
        { reasoning_details: [block] },
        { reasoning_details: [{ type: block.type, index: 0, signature: "s" }] },
      ),
    ).toEqual({ reasoning_details: [{ ...block, signature: "s" }] });
  });

  it("objects are joined, and empty values change nothing", () => {
    expect(
      joined(
        { extra_content: { google: { thought_signature: "s" } } },
        { extra_content: { vertex: null } },
      ),
    ).toEqual({ extra_content: { google: { thought_signature: "s" }, vertex: undefined } });
  });
});

it("keeps no extras that are too large for a history, and none that are empty", () => {
  expect(keptExtras({ reasoning_opaque: "x".repeat(1_000) })).toBeDefined();
  expect(keptExtras({ reasoning_opaque: "x".repeat(200_000) })).toBeUndefined();
  expect(keptExtras({})).toBeUndefined();
});

it("names calls by other ids, wherever they are", () => {
  const extras = { reasoning_details: [{ id: "call_1", data: "call_1 and more" }] };
  expect(withIds(extras, new Map([["call_1", "t1_0_0"]]))).toEqual({
    reasoning_details: [{ id: "t1_0_0", data: "call_1 and more" }],
  });
});
