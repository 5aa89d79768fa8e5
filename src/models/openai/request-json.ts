import { memoisedInPieces } from "../../util/memoised.ts";

/**
 * A request's body as JSON in UTF-8, byte for byte what `JSON.stringify` writes. The members of its
 * lists (messages, tools) never change and are written and encoded once: a chat asks with its whole
 * history again and again, so that a request only copies bytes.
 */
export function requestJson(body: Readonly<Record<string, unknown>>): Buffer {
  const chunks: Buffer[] = [];
  let before = "{";
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    before += `${JSON.stringify(name)}:`;
    if (Array.isArray(value) && value.every(isObject)) {
      before += "[";
      for (const members of membersJson(value)) {
        chunks.push(Buffer.from(before), members);
        before = ",";
      }
      before = value.length === 0 ? `${before}],` : "],";
    } else before += `${JSON.stringify(value)},`;
  }
  // The last comma ends nothing.
  chunks.push(Buffer.from(`${before.replace(/,$/, "")}}`));
  return Buffer.concat(chunks);
}

/** Without the brackets around them. */
const membersJson = memoisedInPieces(
  (members: readonly object[]) => Buffer.from(JSON.stringify(members).slice(1, -1)),
  // Only pictures make a list of a message's content.
  (member) => "content" in member && Array.isArray(member.content),
);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
