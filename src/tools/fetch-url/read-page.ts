import { MIMEType } from "node:util";
import type { Response } from "undici";
import { PermanentError, unreachable } from "../../core/errors.ts";
import type { Work } from "../processes/child-process.ts";
import type { ChildProcesses } from "../processes/child-processes.ts";
import { decodeText } from "./decode-text.ts";
import { readBody } from "./read-body.ts";

/** Decompressed. */
const maxBytes = 2 * 1024 * 1024;

const work: Work = {
  script: new URL("process.ts", import.meta.url),
  limitMs: 5_000,
  maxMemoryMb: 192,
};

interface PageReading {
  readonly url: URL;
  readonly response: Response;
  readonly processes: ChildProcesses;
  /** Whose request it is. */
  readonly person: string;
  readonly signal: AbortSignal;
}

/**
 * The text of an answer: of an HTML page what a person would read, of JSON and plain text all.
 * @throws PermanentError for any other answer; what the body's stream throws; the signal's reason.
 */
export async function readPage(page: PageReading): Promise<string> {
  const { response } = page;
  if (!response.ok) throw new PermanentError(`the server answered with ${response.status}.`);
  const type = contentType(response);
  const kind = kindOf(type);
  const { bytes, cut } = await readBody(response, maxBytes);
  const source = decodeText(bytes, type);
  const text = kind === "html" ? await htmlText(page, source) : source;
  const note = cut ? "\n[The rest, beyond 2 MB, was not read.]" : "";
  return `${text.trim() === "" ? "(There is no text. A page may need a browser to show any.)" : text}${note}`;
}

function contentType(response: Response): MIMEType {
  const header = response.headers.get("content-type");
  if (header === null) throw new PermanentError("the answer does not say what it is.");
  try {
    return new MIMEType(header);
  } catch {
    throw new PermanentError("the answer does not say clearly what it is.");
  }
}

function kindOf({ essence, type }: MIMEType): "html" | "text" {
  if (essence === "text/html" || essence === "application/xhtml+xml") return "html";
  const isText = type === "text" || /^application\/(?:.+\+)?(?:json|xml|yaml)$/.test(essence);
  if (isText) return "text";
  throw new PermanentError(
    `it is ${essence.slice(0, 100)}; only web pages, JSON and text can be read.`,
  );
}

async function htmlText(page: PageReading, html: string): Promise<string> {
  const { url, processes, person, signal } = page;
  const outcome = await processes.run({
    work,
    input: () => `${url.href}\n${html}`,
    person,
    signal,
  });
  switch (outcome.type) {
    case "done":
      return outcome.text;
    case "out-of-time":
    case "died":
    case "failed":
      throw new PermanentError("the page is too complicated to be read.");
    default:
      return unreachable(outcome);
  }
}
