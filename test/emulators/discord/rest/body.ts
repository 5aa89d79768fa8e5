import type { IncomingMessage } from "node:http";
import type { UploadedFile } from "./route.ts";

export interface ReadBody {
  /** Parsed JSON; undefined when there is none or it can't be parsed. */
  readonly body: unknown;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/**
 * Reads JSON, or multipart with `payload_json` and `files[n]` (docs: Reference, Uploading Files).
 */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const bytes = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const type = request.headers["content-type"] ?? "";
  if (bytes.byteLength === 0) return { body: undefined, files: new Map() };
  if (!type.startsWith("multipart/form-data"))
    return {
      body: type.startsWith("application/json") ? parse(bytes.toString()) : undefined,
      files: new Map(),
    };
  const form = await new Response(bytes, {
    headers: { "content-type": type },
  }).formData();
  const files = new Map<string, UploadedFile>();
  let body: unknown = {};
  for (const [key, value] of form.entries()) {
    if (typeof value !== "string")
      files.set(key, {
        filename: value.name.replaceAll(/[^\w.-]/g, "_"),
        contentType: value.type || "application/octet-stream",
        bytes: new Uint8Array(await value.arrayBuffer()),
      });
    else if (key === "payload_json") body = parse(value);
  }
  return { body, files };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
