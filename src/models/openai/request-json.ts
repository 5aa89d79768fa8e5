import { memoisedInPieces } from "../../util/memoised.ts";

/**
 * A request's body as JSON, byte for byte what `JSON.stringify` writes. The members of its lists
 * (messages, tools) never change and are written once: a chat asks with its whole history again and
 * again.
 */
export function requestJson(body: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${fieldJson(value)}`);
  return `{${fields.join(",")}}`;
}

const fieldJson = (value: unknown): string =>
  Array.isArray(value) && value.every(isObject)
    ? `[${membersJson(value).join(",")}]`
    : JSON.stringify(value);

/** Without the brackets around them. */
const membersJson = memoisedInPieces(
  (members: readonly object[]) => JSON.stringify(members).slice(1, -1),
  // Only pictures make a list of a message's content.
  (member) => "content" in member && Array.isArray(member.content),
);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
