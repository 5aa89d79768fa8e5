import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grantFor, shapeOf, type Grant, type GrantableCall } from "../../src/core/grants.ts";

const grant: Grant = {
  v: 1,
  id: "g1",
  tool: "mail.send",
  definition: "once 3",
  scope: "same",
  arguments: '{"to":"a@example.org"}',
  by: { id: "telegram:1", name: "Ann" },
  approvers: "admins",
  fromMs: 1_000,
  untilMs: 2_000,
};
const call: GrantableCall = {
  tool: "mail.send",
  definition: "once 3",
  arguments: '{"to":"a@example.org"}',
  requesterId: "telegram:2",
  needed: { approvers: "requester-or-admins", alwaysAllowMs: 10_000 },
};
const holds = (more: Partial<Grant>, now: Partial<GrantableCall> = {}, nowMs = 1_500): boolean =>
  grantFor([{ ...grant, ...more }], { ...call, ...now }, nowMs) !== undefined;

const shaped = (given: string) => holds({ scope: "shape" }, { arguments: given });

describe("a standing permission", () => {
  it("holds for the call that was approved, until its end", () => {
    expect(holds({})).toBe(true);
    expect(holds({}, {}, 1_999)).toBe(true);
    expect(holds({}, {}, 2_000)).toBe(false);
  });

  it("holds no longer than the operator allows now", () => {
    const { needed } = call;
    expect(holds({}, { needed: { ...needed, alwaysAllowMs: 501 } })).toBe(true);
    expect(holds({}, { needed: { ...needed, alwaysAllowMs: 500 } })).toBe(false);
    expect(holds({}, { needed: { approvers: "admins" } })).toBe(false);
  });

  it("holds where those who were asked may decide it now, and nowhere else", () => {
    const asked = (approvers: Grant["approvers"]) =>
      holds({ approvers }, { needed: { ...call.needed, approvers: "admins" } });
    expect(asked("admins")).toBe(true);
    expect(asked("owners")).toBe(true);
    expect(asked("requester-or-admins")).toBe(false);
    expect(asked("members")).toBe(false);
    expect(holds({}, { needed: { ...call.needed, persons: 2 } })).toBe(false);
  });

  it("of one requester is no one else's", () => {
    const requester = { id: "telegram:2", name: "Ben" };
    expect(holds({ requester })).toBe(true);
    expect(holds({ requester }, { requesterId: "telegram:3" })).toBe(false);
  });

  it("for arguments of a kind needs the same names and types", () => {
    expect(shaped('{"to":"b@example.org"}')).toBe(true);
    expect(shaped('{"to":7}')).toBe(false);
    expect(shaped('{"cc":"c","to":"b"}')).toBe(false);
    expect(shaped("{}")).toBe(false);
  });
});

describe("the shape of a value", () => {
  it("is its names and types, at every depth", () => {
    expect(shapeOf({ b: [1, 2], a: { c: null } })).toBe('{"a":{"c":null},"b":[number]}');
    expect(shapeOf(["a", 1])).toBe(shapeOf([2, "b", "c"]));
    expect(shapeOf([])).not.toBe(shapeOf([1]));
  });

  it("says nothing of what stands in it, and does not depend on an order", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const entries = Object.entries(given);
        const other = Object.fromEntries(entries.toReversed());
        expect(shapeOf(other)).toBe(shapeOf(given));
      }),
    );
  });
});
