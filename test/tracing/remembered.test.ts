import { expect, it } from "vitest";
import { remembered } from "../../src/tracing/remembered.ts";

it("computes again what it forgot, and nothing else", () => {
  const computed: string[] = [];
  const double = remembered(2, (text) => {
    computed.push(text);
    return text + text;
  });
  expect(["a", "b", "a", "b"].map(double)).toEqual(["aa", "bb", "aa", "bb"]);
  expect(computed).toEqual(["a", "b"]);
  expect(["c", "c", "a"].map(double)).toEqual(["cc", "cc", "aa"]);
  expect(computed).toEqual(["a", "b", "c", "a"]);
});
