import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoised, memoisedInPieces } from "../../src/util/memoised.ts";

describe("a memoised function", () => {
  it("computes once for each object, also where it gives undefined", () => {
    const seen: object[] = [];
    const once = memoised((key: object) => void seen.push(key));
    const [one, other] = [{}, {}];
    for (const key of [one, other, one]) expect(once(key)).toBeUndefined();
    expect(seen).toEqual([one, other]);
    expect(seen[1]).toBe(other);
  });

  it("fails again where it failed", () => {
    const failing = memoised((_key: object) => {
      throw new Error("no");
    });
    const key = {};
    expect(() => failing(key)).toThrow("no");
    expect(() => failing(key)).toThrow("no");
  });
});

describe("a function that is memoised in pieces", () => {
  it("gives what it gives for the whole list, however lists differ from those before", () => {
    const members = Array.from({ length: 120 }, (_, number) => ({ number }));
    const anyList = fc.array(fc.nat(119), { maxLength: 200 });
    fc.assert(
      fc.property(fc.array(anyList, { maxLength: 6 }), (lists) => {
        const inPieces = memoisedInPieces((piece: readonly { readonly number: number }[]) =>
          piece.map(({ number }) => number),
        );
        for (const numbers of lists) {
          const list = numbers.flatMap((number) => members[number] ?? []);
          expect(inPieces(list).flat()).toEqual(numbers);
        }
      }),
    );
  });

  it("reads a list again only where it grew or changed", () => {
    let read = 0;
    const count = memoisedInPieces((piece: readonly object[]) => (read += piece.length));
    const list = Array.from({ length: 2_000 }, () => ({}));
    count(list);
    expect(read).toBe(2_000);
    read = 0;
    count([...list, {}]);
    expect(read).toBeLessThanOrEqual(32);
    read = 0;
    count(list.with(1_000, {}));
    expect(read).toBeLessThanOrEqual(64);
  });

  it("keeps no piece that holds a large member", () => {
    const read: number[] = [];
    const list = Array.from({ length: 64 }, (_, index) => ({ index }));
    const first = memoisedInPieces(
      (piece: readonly { readonly index: number }[]) => read.push(piece[0]?.index ?? -1),
      ({ index }) => index === 40,
    );
    first(list);
    first(list);
    expect(read).toEqual([0, 32, 32]);
  });
});
