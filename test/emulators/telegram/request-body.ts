import type { IncomingMessage } from "node:http";
import { badRequest } from "./api-error.ts";

export interface UploadedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface RequestBody {
  /**
   * Parameters as sent. Objects and arrays that travelled as JSON inside a form stay strings; see
   * `jsonField`.
   */
  readonly payload: Record<string, unknown>;
  /** Uploaded parts by their form name (`attach://<name>` refers to them). */
  readonly files: Record<string, UploadedFile>;
}

/** Reads the whole body; the connection's end before the body's end rejects. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Understands JSON, urlencoded and multipart bodies and the query string, as the Bot API does. */
export function parseBody(contentType: string, bytes: Buffer, query: URLSearchParams): RequestBody {
  const payload: Record<string, unknown> = Object.fromEntries(query);
  if (bytes.length === 0) return { payload, files: {} };
  if (contentType.startsWith("multipart/form-data")) {
    const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
    if (boundary === undefined)
      throw badRequest("boundary in multipart/form-data is not specified");
    const form = parseMultipart(bytes, boundary);
    return { payload: { ...payload, ...form.payload }, files: form.files };
  }
  if (contentType.startsWith("application/x-www-form-urlencoded")) {
    const fields = Object.fromEntries(new URLSearchParams(bytes.toString()));
    return { payload: { ...payload, ...fields }, files: {} };
  }
  if (contentType.startsWith("application/json")) {
    return { payload: { ...payload, ...parseJsonObject(bytes) }, files: {} };
  }
  throw badRequest("unsupported content type");
}

function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badRequest("can't parse JSON object");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRequest("can't parse JSON object");
  return value as Record<string, unknown>;
}

/**
 * grammY writes header names in lower case, no space after the colon and bare file names: all are
 * accepted.
 */
function parseMultipart(bytes: Buffer, boundary: string): RequestBody {
  const payload: Record<string, unknown> = {};
  const files: Record<string, UploadedFile> = {};
  const delimiter = Buffer.from(`--${boundary}`);
  let start = bytes.indexOf(delimiter);
  while (start >= 0) {
    const next = bytes.indexOf(delimiter, start + delimiter.length);
    if (next < 0) break;
    // A part is "\r\n<headers>\r\n\r\n<content>\r\n" between two delimiters.
    const part = bytes.subarray(start + delimiter.length + 2, next - 2);
    const headerEnd = part.indexOf("\r\n\r\n");
    if (headerEnd < 0) throw badRequest("can't parse multipart/form-data");
    const headers = part.subarray(0, headerEnd).toString("utf8");
    const content = part.subarray(headerEnd + 4);
    const name = /[;\s]name="([^"]*)"/i.exec(headers)?.[1];
    if (name === undefined) throw badRequest("can't parse multipart/form-data");
    const fileName = /filename="?([^"\r\n;]*)"?/i.exec(headers)?.[1];
    if (fileName === undefined) payload[name] = content.toString("utf8");
    else
      files[name] = {
        fileName,
        contentType: /content-type:\s*([^\r\n]+)/i.exec(headers)?.[1] ?? "application/octet-stream",
        bytes: new Uint8Array(content),
      };
    start = next;
  }
  return { payload, files };
}
