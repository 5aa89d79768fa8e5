import { markedCommand } from "../../../text/command-names.ts";
import type { Mark, Run } from "./runs.ts";

/*
 * Commands in our own sentences come marked, and become Discord's mentions of commands, which a tap
 * begins to fill in. Their ids are known to the connection alone: until then a mention has the
 * longest id that there can be, so that messages are cut where they fit.
 */

const unknownId = "0".repeat(20);
const pending = new RegExp(`</([a-z0-9_-]+(?: [a-z0-9_-]+)?):${unknownId}>`, "g");

/** A text and the commands in it, in turn. */
export function* commandsIn(
  text: string,
): Generator<{ readonly text: string; readonly isCommand: boolean }> {
  let done = 0;
  for (const { index, 0: marked, 1: path = "" } of text.matchAll(markedCommand)) {
    if (index > done) yield { text: text.slice(done, index), isCommand: false };
    yield { text: path, isCommand: true };
    done = index + marked.length;
  }
  if (done < text.length) yield { text: text.slice(done), isCommand: false };
}

/** No message ends within it. */
export const mentionRun = (path: string, marks: readonly Mark[]): Run => ({
  text: `</${path}:${unknownId}>`,
  marks: [...marks, { open: "", close: "" }],
});

/** Where there are no mentions: in code and in menus. */
export const withoutMarks = (text: string): string => text.replaceAll(markedCommand, "/$1");

/** Shows the mentions of commands in a received text as people see them. */
export const withNames = (text: string): string => text.replaceAll(/<(\/[^:<>\n]+):\d+>/g, "$1");

/**
 * A message's text as it is sent. Commands without an id are only named.
 * @param idOf by the command's name.
 */
export const withMentions = (text: string, idOf: (name: string) => string | undefined): string =>
  withoutMarks(text).replaceAll(pending, (_, path: string) => {
    const id = idOf(path.split(" ", 1)[0] ?? "");
    return id === undefined ? `/${path}` : `</${path}:${id}>`;
  });
