import { deflateSync } from "node:zlib";

/** One grey pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
/** As much of each as tells what it is. */
export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]);
export const gif = Buffer.from("GIF89a\u0001\u0000\u0001\u0000", "latin1");
export const webp = Buffer.from("RIFF\u0004\u0000\u0000\u0000WEBPVP8 ", "latin1");
export const zip = Buffer.from("PK\u0003\u0004\u0014\u0000\u0000\u0000", "latin1");

/** A PDF with one page for each text; `""` is a page without words. */
export const pdf = (...pages: string[]): Buffer =>
  pdfOf(pages.map((text) => (text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`)));

/** One whose only page unpacks to this many bytes of nothing. */
export const pdfBomb = (bytes: number): Buffer =>
  pdfOf([deflateSync(Buffer.alloc(bytes, " "))], "/Filter /FlateDecode");

/** Behind the catalogue, the list of pages and the font. */
const pageNumber = (index: number): number => 4 + index * 2;

/** Of version 1.4: a catalogue, the pages, a font, and a page and its content for each. */
function pdfOf(contents: readonly (string | Buffer)[], filter = ""): Buffer {
  const kids = contents.map((_, index) => `${pageNumber(index)} 0 R`);
  const objects: Buffer[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((text) => Buffer.from(text));
  for (const [index, content] of contents.entries()) {
    const stream = Buffer.from(content);
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${pageNumber(index) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} ${filter} >>\nstream\n`),
        stream,
        Buffer.from("\nendstream"),
      ]),
    );
  }
  return pdfOfObjects(objects);
}

/** Of these objects, numbered from 1: the first is the catalogue. */
export function pdfOfObjects(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets = objects.map((object, index) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n"));
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const xref = parts.reduce((sum, part) => sum + part.length, 0);
  const size = objects.length + 1;
  return Buffer.concat([
    ...parts,
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  ]);
}
