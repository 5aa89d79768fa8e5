/** The kinds of lines that answer no question. */
export type ParsedLine =
  | { readonly type: "empty" }
  /** The console's own. */
  | { readonly type: "quit" }
  | {
      readonly type: "command";
      readonly name: string;
      readonly argument: string;
    }
  | { readonly type: "message"; readonly text: string };

/** A slash, a command's name, and what follows: a path (`/etc/hosts`) is a message. */
const command = /^\/([a-z0-9_]{1,32})(?:\s+([^]*))?$/i;

export function parseLine(line: string): ParsedLine {
  const text = line.trim();
  if (text === "") return { type: "empty" };
  const [, name, argument = ""] = command.exec(text) ?? [];
  if (name === undefined) return { type: "message", text };
  if (/^(quit|exit)$/i.test(name)) return { type: "quit" };
  return { type: "command", name: name.toLowerCase(), argument };
}
