import { expect, test } from "vitest";
import { cleanLine, cleanText } from "../../../src/tools/mcp/clean-text.ts";
import { readResult, resultFiles, resultText } from "../../../src/tools/mcp/read-result.ts";

type Result = Parameters<typeof readResult>[0];
const text = (result: Result) => resultText(readResult(result));

test("bytes never become part of the text, and are kept beside it", () => {
  const data = Buffer.alloc(1_500, 7).toString("base64");
  const parts = readResult({
    content: [
      { type: "text", text: "Here:" },
      { type: "image", data, mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      {
        type: "resource",
        resource: { uri: "file:///a.bin", blob: "AAA=" },
      },
    ],
  });
  expect(resultText(parts)).toBe(
    [
      "Here:",
      "[image: image/png, 1.5 kB]",
      "[audio: audio/wav, 3 bytes]",
      "[resource: file:///a.bin, application/octet-stream, 2 bytes]",
    ].join("\n"),
  );
  expect(parts[1]).toMatchObject({
    type: "file",
    base64: data,
    sizeBytes: 1_500,
  });
});

test("resources and links are named; their words are ours to keep on one line", () => {
  expect(
    text({
      content: [
        {
          type: "resource",
          resource: {
            uri: "memo://1",
            mimeType: "text/plain",
            text: "buy\nmilk",
          },
        },
        {
          type: "resource_link",
          uri: "file:///log",
          name: "the\nlog",
          size: 2_500_000,
          description: "All\u0000 of it",
        },
      ],
    }),
  ).toBe(
    "[resource: memo://1, text/plain]\nbuy\nmilk\n[link: the log, file:///log, 2.5 MB] All of it",
  );
});

test("structured content counts only where the content is empty", () => {
  const structuredContent = { degrees: 3 };
  const said = { type: "text" as const, text: '{ "degrees": 3 }' };
  expect(text({ content: [said], structuredContent })).toBe(said.text);
  const inWords = { type: "text" as const, text: "Cold." };
  expect(text({ content: [inWords], structuredContent })).toBe("Cold.");
  const blank = { type: "text" as const, text: " \n" };
  for (const content of [[], [blank]])
    expect(text({ content, structuredContent })).toBe('{"degrees":3}');
});

test("a text that structured content repeats under a name is shown once", () => {
  // The shape of server-filesystem's read_text_file.
  const file = "line of a file\n".repeat(1_000);
  const result: Result = {
    content: [{ type: "text", text: file }],
    structuredContent: { content: file },
  };
  expect(text(result)).toBe(file);
});

test("base64 that structured content repeats is no text", () => {
  // The shape of server-filesystem's read_media_file.
  const data = Buffer.alloc(3_000, 7).toString("base64");
  const image = { type: "image" as const, data, mimeType: "image/png" };
  const result: Result = {
    content: [image],
    structuredContent: { content: [image] },
  };
  expect(text(result)).toBe("[image: image/png, 3.0 kB]");
});

test("nothing at all is said to be nothing", () => {
  expect(text({ content: [] })).toBe("The tool returned nothing.");
});

test("a stranger's text is cleaned of what cannot be seen, and cut", () => {
  expect(cleanLine("a\u202E\u0007b\n\n c\u{E0041}", 10)).toBe("ab c");
  expect(cleanText("a\u0000\r\nb\tc", 10)).toBe("a\nb c");
  expect(cleanLine("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`);
  expect(cleanText(`${"x".repeat(8)}😀😀`, 10).isWellFormed()).toBe(true);
});

test("files are kept with a name and their bytes", () => {
  const data = Buffer.from("picture").toString("base64");
  const blob = Buffer.from("memo").toString("base64");
  const files = resultFiles(
    readResult({
      content: [
        { type: "text", text: "Here:" },
        { type: "image", data, mimeType: "image/png" },
        { type: "audio", data, mimeType: "audio/unheard of" },
        {
          type: "resource",
          resource: {
            uri: "file:///tmp/a%20b/report?x=/y",
            mimeType: "application/pdf",
            blob,
          },
        },
        { type: "resource", resource: { uri: "memo://", blob } },
      ],
    }),
  );
  expect(
    files.map(({ bytes, ...rest }) => [Buffer.from(bytes).toString(), ...Object.values(rest)]),
  ).toEqual([
    ["picture", "image-1.png", "image/png"],
    ["picture", "audio-2.bin", "application/octet-stream"],
    ["memo", "report.pdf", "application/pdf"],
    ["memo", "resource-4.bin", "application/octet-stream"],
  ]);
});
