import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { cleanLine } from "./clean-text.ts";

/** UTF-16 units of one line that are logged; the rest of it is dropped. */
const maxLineLength = 500;
/** Lines of one connection that are logged. */
const maxLines = 1_000;

/** Writes a server's stderr into the debug log, line by line, and remembers the last one. */
export function logOutput(
  output: Readable,
  log: Logger,
): { readonly lastLine: () => string | undefined } {
  let lines = 0;
  let lastLine: string | undefined;
  let rest = "";
  const take = (raw: string) => {
    const line = cleanLine(raw, maxLineLength);
    if (line === "") return;
    lastLine = line;
    lines += 1;
    if (lines < maxLines) log.debug({ line }, "an MCP server says");
    if (lines === maxLines) log.debug("an MCP server says more: the rest of it is not logged");
  };
  output.setEncoding("utf8");
  output.on("data", (chunk: string) => {
    const pieces = chunk.split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      take(rest + piece);
      rest = "";
    }
    rest = (rest + last).slice(0, maxLineLength);
  });
  output.on("end", () => take(rest));
  return { lastLine: () => lastLine };
}
