import type { CallToolResult } from "@modelcontextprotocol/client";
import { isBlank } from "../../text/blank.ts";
import type { ToolFile } from "../../core/tool.ts";
import { cleanLine } from "./clean-text.ts";

/** One piece of a tool's result: words for the model, or bytes that never become part of a text. */
export type ResultPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file";
      readonly kind: "image" | "audio" | "resource";
      readonly name: string | undefined;
      readonly mimeType: string;
      readonly sizeBytes: number;
      readonly base64: string;
    };

type Block = CallToolResult["content"][number];

const maxWordLength = 300;

/**
 * A result in its parts, in the server's order. `content` is what a server wrote for models;
 * structured content says the same to programs (SEP-1624), in another form or under another name,
 * so it counts only where `content` is empty. Pure.
 */
export function readResult(
  result: Pick<CallToolResult, "content" | "structuredContent">,
): readonly ResultPart[] {
  const parts = result.content.map(readBlock);
  const { structuredContent } = result;
  const isEmpty = parts.every((part) => part.type === "text" && isBlank(part.text));
  return isEmpty && structuredContent !== undefined
    ? [{ type: "text", text: JSON.stringify(structuredContent) }]
    : parts;
}

/** The text for the model; a file is only mentioned. Pure. */
export function resultText(parts: readonly ResultPart[]): string {
  const texts = parts.map((part) => (part.type === "text" ? part.text : describeFile(part)));
  return texts.filter((text) => text !== "").join("\n") || "The tool returned nothing.";
}

/** The bytes that came with a result, for people. Pure. */
export const resultFiles = (parts: readonly ResultPart[]): ToolFile[] =>
  parts
    .filter((part) => part.type === "file")
    .map(({ kind, name, mimeType, base64 }, index) => ({
      name: fileName(name, mimeType) ?? `${kind}-${index + 1}${ending(mimeType)}`,
      mediaType: isMediaType.test(mimeType) ? mimeType : "application/octet-stream",
      bytes: Buffer.from(base64, "base64"),
    }));

const isMediaType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

/** Of a resource: the last part of its address. */
function fileName(uri: string | undefined, mimeType: string): string | undefined {
  const last = uri?.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
  if (last === "") return undefined;
  return /\.\w+$/.test(last) ? last : `${last}${ending(mimeType)}`;
}

const endings: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/svg+xml": ".svg",
  "audio/mpeg": ".mp3",
  "audio/wav": ".wav",
  "audio/ogg": ".ogg",
  "application/pdf": ".pdf",
  "application/json": ".json",
  "application/zip": ".zip",
  "text/plain": ".txt",
  "text/csv": ".csv",
};

const ending = (mimeType: string): string =>
  endings[mimeType.split(";", 1)[0]?.toLowerCase() ?? ""] ?? ".bin";

function readBlock(block: Block): ResultPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return {
        type: "file",
        kind: block.type,
        name: undefined,
        mimeType: word(block.mimeType),
        sizeBytes: decodedSize(block.data),
        base64: block.data,
      };
    case "resource":
      return readResource(block.resource);
    case "resource_link": {
      const { uri, name, mimeType, size, description } = block;
      const facts = [mimeType, size === undefined ? size : bytes(size)];
      const line = `[link: ${[name, uri, ...facts].flatMap(optionalWord).join(", ")}]`;
      const more = optionalWord(description).join("");
      return { type: "text", text: more === "" ? line : `${line} ${more}` };
    }
    default:
      return { type: "text", text: "[content of a kind that is not known]" };
  }
}

function readResource(resource: (Block & { type: "resource" })["resource"]): ResultPart {
  const { uri, mimeType } = resource;
  if ("text" in resource) {
    const facts = [uri, mimeType].flatMap(optionalWord).join(", ");
    return { type: "text", text: `[resource: ${facts}]\n${resource.text}` };
  }
  return {
    type: "file",
    kind: "resource",
    name: word(uri),
    mimeType: word(mimeType ?? "application/octet-stream"),
    sizeBytes: decodedSize(resource.blob),
    base64: resource.blob,
  };
}

const describeFile = ({ kind, name, mimeType, sizeBytes }: ResultPart & { type: "file" }): string =>
  `[${kind}: ${[name, mimeType, bytes(sizeBytes)].flatMap(optionalWord).join(", ")}]`;

/** Base64 holds 3 bytes in 4 characters. */
const decodedSize = (base64: string): number =>
  Math.floor((base64.replace(/=+$/, "").length * 3) / 4);

const bytes = (size: number): string =>
  size < 1_000
    ? `${size} bytes`
    : size < 1_000_000
      ? `${(size / 1_000).toFixed(1)} kB`
      : `${(size / 1_000_000).toFixed(1)} MB`;

const word = (text: string): string => cleanLine(text, maxWordLength);

const optionalWord = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : [word(text)];
