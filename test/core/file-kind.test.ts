import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fileKindOf } from "../../src/core/file-kind.ts";
import { gif, jpeg, pdf, png, webp, zip } from "../support/files/samples.ts";

it.each([
  ["image/png", png],
  ["image/jpeg", jpeg],
  ["image/gif", gif],
  ["image/webp", webp],
])("%s is known by its first bytes", (mediaType, bytes) => {
  expect(fileKindOf(bytes)).toEqual({ type: "image", mediaType });
});

it("a PDF is known, also behind what stands before it", () => {
  expect(fileKindOf(pdf("a"))).toEqual({ type: "pdf" });
  const late = Buffer.concat([Buffer.from("<?mail?>\n"), pdf("a")]);
  expect(fileKindOf(late)).toEqual({ type: "pdf" });
});

it("any text in UTF-8 without NUL is text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (words) => {
      const bytes = Buffer.from(`text ${words.replaceAll("\0", "")}`);
      expect(fileKindOf(bytes)).toEqual({ type: "text" });
    }),
  );
});

it.each([
  ["an archive", zip],
  ["a NUL", Buffer.from("a\0b")],
  ["control characters in no encoding", Buffer.from([0x61, 0xff, 0x02])],
  ["half a unit of UTF-16", Buffer.from([0xff, 0xfe, 0x61])],
  ["a RIFF that is no picture", Buffer.from("RIFF\u0004\0\0\0WAVEfmt ")],
])("%s is nothing that a model can be shown", (_, bytes) => {
  expect(fileKindOf(bytes)).toBeUndefined();
});
