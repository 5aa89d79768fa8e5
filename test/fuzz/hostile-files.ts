import { deflateSync } from "node:zlib";
import type { Random } from "../chaos/storm/random.ts";
import { pdfOfObjects } from "../support/files/samples.ts";

/** What a stranger can have worked on. */
export interface HostileInput {
  readonly kind: "pdf" | "html" | "calculate";
  readonly bytes: Buffer;
}

type Make = (random: Random) => HostileInput;

const html = (text: string): HostileInput => ({
  kind: "html",
  // As much as `fetch_url` reads of a page.
  bytes: Buffer.from(text.slice(0, 2 * 1_048_576)),
});
const calculate = (text: string): HostileInput => ({
  kind: "calculate",
  bytes: Buffer.from(text.slice(0, 500)),
});

const stream = (data: Buffer | string, more = ""): Buffer => {
  const bytes = Buffer.from(data);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${more} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
};
const packed = (data: Buffer | string, more = ""): Buffer =>
  stream(deflateSync(data), `/Filter /FlateDecode ${more}`);

const hello = "BT /F1 12 Tf 72 720 Td <00410042> Tj (Hello) Tj ET";

/** One page, whose font is object 5; further objects begin at 6. */
function page(given: {
  readonly content?: Buffer;
  readonly font?: string;
  readonly resources?: string;
  readonly pages?: string;
  readonly more?: readonly (string | Buffer)[];
}): HostileInput {
  const { content = stream(hello), font = type1, resources = "" } = given;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    given.pages ?? "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`,
    content,
    font,
    ...(given.more ?? []),
  ];
  const bytes = pdfOfObjects(objects.map((each) => Buffer.from(each)));
  return { kind: "pdf", bytes };
}

const type1 = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const type0 =
  "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] >>";
const cidFont = (more: string): string =>
  `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 >> ${more} >>`;
/** In text, hexadecimal, of so many bytes. */
const hex = (number: number, bytes: number): string =>
  `<${number.toString(16).padStart(2 * bytes, "0")}>`;
const cmap = (body: string): Buffer =>
  packed(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange ${body} endcmap end end`,
    "/Type /CMap /CMapName /A",
  );

const million = 1_000_000;

/**
 * Each way in which a small input asks for much, by class; pure functions of the random numbers.
 */
export const hostileClasses: Readonly<Record<string, readonly Make[]>> = {
  array: [
    (random) =>
      page({
        font: type0,
        more: [cidFont(`/W [0 ${random.pick([12, 16, 20, 25, 31, 100, 2_147]) * million} 500]`)],
      }),
    (random) =>
      page({
        font: type0,
        more: [cidFont(`/W2 [0 ${random.whole(10, 60) * million} -1000 500 880]`)],
      }),
    (random) =>
      page({
        font: `<< /Type /Font /Subtype /TrueType /BaseFont /A /FirstChar 0 /LastChar ${random.whole(1, 2_000) * million} /Widths [500] >>`,
      }),
    (random) =>
      page({
        pages: `<< /Type /Pages /Kids [${"3 0 R ".repeat(random.whole(1, 100) * 1_000)}] /Count ${random.whole(1, 2_000) * million} >>`,
      }),
    (random) => {
      const depth = random.whole(1, 9);
      return calculate(`${"[".repeat(depth)}${"1,".repeat(200)}1${"]".repeat(depth)}`);
    },
  ],
  string: [
    (random) =>
      page({
        content: packed(
          `BT /F1 1 Tf ${`(${"a".repeat(1_000)}) Tj `.repeat(random.whole(1, 80) * 1_000)} ET`,
        ),
      }),
    (random) =>
      page({
        font: type0.replace(">>", "/ToUnicode 7 0 R >>"),
        content: packed(
          `BT /F1 1 Tf ${`<${"0041".repeat(1_000)}> Tj `.repeat(random.whole(1, 300))} ET`,
        ),
        more: [
          cidFont(""),
          cmap(`1 beginbfchar <0041> <${"0061".repeat(random.whole(1, 200) * 1_000)}> endbfchar`),
        ],
      }),
    (random) => html(random.pick(["<a title=", "<p ", "&amp", "'\"", "="]).repeat(million)),
    (random) => html(`<p>${random.pick(["a", "é", "&lt;"]).repeat(2 * million)}`),
  ],
  recursion: [
    (random) => {
      const depth = random.whole(2, 40);
      const calls = random.whole(2, 30);
      const names = Array.from({ length: depth }, (_, at) =>
        stream(
          at === depth - 1 ? hello : "/X Do ".repeat(calls),
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${7 + at} 0 R >> >>`,
        ),
      );
      return page({
        content: stream("/X Do"),
        resources: "/XObject << /X 6 0 R >>",
        more: names,
      });
    },
    (random) => {
      const depth = random.whole(1, 500) * 1_000;
      return page({
        content: packed(`${"[".repeat(depth)}${"]".repeat(depth)} ${hello}`),
      });
    },
    (random) => {
      const depth = random.whole(1, 300) * 1_000;
      return page({ font: `<< /Type /Font /A ${"[".repeat(depth)} >>` });
    },
    () => page({ pages: "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>" }),
    (random) =>
      html(
        random
          .pick(["<div>", "<b>", "<ul><li>", "<table><tr><td>"])
          .repeat(random.whole(1, 90) * 1_000),
      ),
    (random) => {
      const depth = random.whole(10, 249);
      return calculate(`${"(".repeat(depth)}1${")".repeat(depth)}`);
    },
    (random) => calculate(`${"-".repeat(random.whole(10, 498))}1`),
  ],
  "stream length": [
    (random) =>
      page({
        content: packed(Buffer.alloc(random.whole(10, 400) * million, " ")),
      }),
    (random) => {
      const inner = deflateSync(Buffer.alloc(random.whole(10, 500) * million, " "));
      return page({
        content: stream(deflateSync(inner), "/Filter [/FlateDecode /FlateDecode]"),
      });
    },
    (random) =>
      page({
        content: Buffer.from(
          `<< /Length ${random.pick([-1, 0, 2_147_483_647, 9e15, "4 0 R"])} >>\nstream\n${hello}`,
        ),
      }),
    (random) =>
      page({
        content: packed(Buffer.alloc(random.whole(1, 200) * million, "80"), "").subarray(0, -12),
      }),
    (random) =>
      page({
        content: packed("q ".repeat(random.whole(1, 30) * million)),
      }),
  ],
  "object stream": [
    (random) =>
      page({
        resources: "/ExtGState 7 0 R",
        more: [
          packed(
            "7 0 << >>",
            `/Type /ObjStm /N ${random.whole(1, 2_000) * million} /First ${random.whole(0, 9)}`,
          ),
        ],
      }),
    (random) => xrefStream(random, `[1 ${random.whole(1, 9)} 1]`),
    (random) => xrefStream(random, `[0 0 ${random.whole(0, 1)}]`),
    (random) => xrefStream(random, "[1 100000000 100000000]"),
    (random) => {
      const { bytes } = page({});
      const text = bytes
        .toString("latin1")
        .replace(/xref\n0 \d+/, `xref\n0 ${random.whole(1, 2_000) * million}`);
      return { kind: "pdf", bytes: Buffer.from(text, "latin1") };
    },
  ],
  font: [
    (random) =>
      page({
        font: type0.replace(">>", "/ToUnicode 7 0 R >>"),
        more: [
          cidFont(""),
          cmap(
            `1 beginbfrange ${hex(0, 4)} ${hex(random.whole(10, 4_000) * million, 4)} <0041> endbfrange`,
          ),
        ],
      }),
    (random) =>
      page({
        font: type0.replace("/Identity-H", "7 0 R"),
        more: [
          cidFont(""),
          cmap(
            `1 begincidrange ${hex(0, 4)} ${hex(random.whole(10, 4_000) * million, 4)} 0 endcidrange`,
          ),
        ],
      }),
    (random) =>
      page({
        font: type0.replace("/Identity-H", "7 0 R"),
        more: [
          cidFont(""),
          cmap(
            `100 begincidrange ${"<0000> <ffff> 0 ".repeat(100)} endcidrange `.repeat(
              random.whole(1, 60),
            ),
          ),
        ],
      }),
    (random) =>
      page({
        font: `<< /Type /Font /Subtype /Type1 /BaseFont /A /Encoding << /Differences [${random.pick([-1, 0, 4_000_000_000])} ${"/a ".repeat(random.whole(1, 900) * 1_000)}] >> >>`,
      }),
    (random) =>
      page({
        font: "<< /Type /Font /Subtype /TrueType /BaseFont /A /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 /FontFile2 6 0 R >> >>",
        more: [packed(trueType(random))],
      }),
  ],
  image: [
    (random) =>
      page({
        content: stream("/X Do"),
        resources: "/XObject << /X 6 0 R >>",
        more: [
          stream(
            "x".repeat(random.whole(1, 999)),
            `/Type /XObject /Subtype /Image /Width ${random.whole(1, 65) * 1_000} /Height ${random.whole(1, 65) * 1_000} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /${random.pick(["DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode", "FlateDecode"])}`,
          ),
        ],
      }),
    (random) =>
      page({
        content: packed(
          `${`BI /W ${random.whole(1, 65) * 1_000} /H 60000 /BPC 8 /CS /RGB ID xx EI `.repeat(random.whole(1, 400) * 1_000)}${hello}`,
        ),
      }),
    (random) =>
      page({
        content: packed(
          `BI /W 9 /H 9 /BPC 8 /CS /G /F /${random.pick(["A85", "AHx", "DCT", "LZW", "RL"])} ID ${"x".repeat(random.whole(1, 30) * million)}`,
        ),
      }),
    (random) =>
      html(
        `<img src="data:image/png;base64,${"A".repeat(random.whole(1, 2) * million)}">`.repeat(3),
      ),
  ],
  "regular expression": [
    (random) =>
      page({
        content: packed(
          `BT /F1 1 Tf ${`(${random.pick([" ", "\\\\n", "a "]).repeat(900)}) Tj T* `.repeat(random.whole(1, 30) * 1_000)} ET`,
        ),
      }),
    (random) => html(`<title>${random.pick([" ", "\n", "\t \n"]).repeat(million)}x`),
    (random) => html(`<p>${random.pick([" \n", "a ", "&#10;"]).repeat(400_000)}`),
    (random) =>
      html(
        random
          .pick(["<", "<!--", "<![CDATA[", "</", "<a href='"])
          .repeat(random.whole(10, 90) * 10_000),
      ),
    (random) => calculate(random.pick(["1e", "1 ", "a", "°", "1_"]).repeat(249)),
  ],
  matrix: [
    (random) =>
      page({
        content: packed(
          `${`${random.pick([1e308, 1e-308, -1e38])} 0 0 9e999 0 0 cm `.repeat(random.whole(1, 900) * 1_000)}${hello}`,
        ),
      }),
    (random) =>
      page({
        font: `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1e99 1e99] /FontMatrix [${"1e300 ".repeat(random.whole(0, 300_000))}] /CharProcs << >> /Encoding << >> /FirstChar 0 /LastChar ${random.whole(1, 900) * million} /Widths [1] >>`,
      }),
    (random) =>
      html(
        `<table>${`<tr><td colspan=${random.pick([1_000, 1e9, -1])} rowspan=${random.pick([1_000, 1e9])}>x`.repeat(random.whole(1, 40) * 1_000)}`,
      ),
    (random) =>
      calculate(
        `${random.pick(["det", "inv", "transpose"])}([${"1e199,2;".repeat(random.whole(1, 30))}3,4])^${random.pick(["1e199", "2", "-1"])}`,
      ),
    (random) =>
      calculate(
        random.pick([
          `[1,2;3,4]^${random.whole(1, 9)}e${random.whole(5, 190)}`,
          `${random.whole(1, 9)}e${random.whole(5, 190)}!`,
          `combinations(1e${random.whole(6, 99)}, 5e5)`,
          `gamma(${random.whole(1, 9)}e${random.whole(4, 99)})`,
          `a=[9,9;9,9]; ${"a=a*a;".repeat(70)} a`,
        ]),
      ),
  ],
};

/** Without a table: an index as a stream, of entries with these widths. */
function xrefStream(random: Random, widths: string): HostileInput {
  const head = "%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n";
  const size = random.whole(1, 2_000) * million;
  const data = stream(
    "x".repeat(random.whole(0, 5_000)),
    `/Type /XRef /Size ${size} /Index [0 ${size}] /W ${widths} /Root 1 0 R${random.chance(0.3) ? ` /Prev ${head.length}` : ""}`,
  );
  const bytes = Buffer.concat([
    Buffer.from(`${head}9 0 obj\n`),
    data,
    Buffer.from(`\nendobj\nstartxref\n${head.length}\n%%EOF\n`),
  ]);
  return { kind: "pdf", bytes };
}

/** A table directory of the right shape, and tables that lie about their lengths. */
function trueType(random: Random): Buffer {
  const names = ["cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"];
  const body = Buffer.alloc(12 + names.length * 16 + 4_000, 0xff);
  body.writeUInt32BE(0x00010000);
  body.writeUInt16BE(names.length, 4);
  for (const [at, name] of names.entries()) {
    body.write(name, 12 + at * 16, "latin1");
    body.writeUInt32BE(random.whole(0, 200), 12 + at * 16 + 8);
    body.writeUInt32BE(random.whole(0, 4_000_000_000), 12 + at * 16 + 12);
  }
  return body;
}
