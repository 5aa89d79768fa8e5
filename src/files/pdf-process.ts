import { getDocumentProxy } from "unpdf";
import { serve } from "../tools/processes/serve.ts";
import type { PdfText } from "./pdf-text.ts";

/** Maximum text read, in UTF-16 units; far more than a model sees at once. */
const maxLength = 1_000_000;

serve(async (bytes) => JSON.stringify(await textOf(new Uint8Array(bytes))));

async function textOf(bytes: Uint8Array): Promise<PdfText> {
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    document = await getDocumentProxy(bytes, {
      verbosity: 0,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    return { type: isLocked ? "locked" : "damaged" };
  }
  const pages: string[] = [];
  let length = 0;
  try {
    for (let number = 1; number <= document.numPages; number += 1) {
      const text = await pageText(document, number);
      if (text !== "") pages.push(`[page ${number}]\n${text}`);
      length += text.length;
      if (length >= maxLength) break;
    }
  } finally {
    // The next file is read in the same process.
    await document.loadingTask.destroy();
  }
  return { type: "text", text: pages.join("\n\n").slice(0, maxLength) };
}

async function pageText(
  document: Awaited<ReturnType<typeof getDocumentProxy>>,
  number: number,
): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const text = items
    .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
    .join("");
  page.cleanup();
  return text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
