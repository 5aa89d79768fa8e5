import { createHash } from "node:crypto";
import type { Progress } from "@modelcontextprotocol/client";
import type { ToolContext, ToolResult } from "../../core/tool.ts";
import { cleanLine, maxLineLength } from "./clean-text.ts";
import { totalTimeoutMs, type DeclaredTool } from "./declare-tool.ts";
import { readResult, resultFiles, resultText } from "./read-result.ts";
import type { Session } from "./session.ts";

/** The text is for the model as it is. */
export class CallRefused extends Error {}

/**
 * One attempt at one call. A server that reports progress may take longer, up to the total.
 * @throws CallRefused when the tool says that it failed; else as `Session.call` does.
 */
export async function callTool(
  session: Session,
  { listed, tool }: DeclaredTool,
  given: Record<string, unknown>,
  context: ToolContext & { readonly timeoutMs: number },
): Promise<ToolResult> {
  const { signal, timeoutMs, progress, idempotencyKey } = context;
  const result = await session.call(listed, given, {
    signal,
    ...(tool.effect === "keyed" ? { key: digestOf(idempotencyKey) } : {}),
    timeout: timeoutMs,
    maxTotalTimeout: totalTimeoutMs(timeoutMs),
    onprogress: (news) => progress?.(progressLine(news)),
  });
  const parts = readResult(result);
  const text = resultText(parts);
  if (result.isError === true) throw new CallRefused(text);
  const files = resultFiles(parts);
  return {
    text,
    display: cleanLine(text, maxLineLength),
    ...(files.length === 0 ? {} : { files }),
  };
}

/** The key contains the chat, which the server needn't know. */
const digestOf = (key: string): string => createHash("sha256").update(key).digest("base64url");

/**
 * One line about a call that is still running: a stranger's words, clean and short; its numbers are
 * never cut.
 */
function progressLine({ progress, total, message }: Progress): string {
  const share = total === undefined ? `${progress}` : `${progress}/${total}`;
  if (message === undefined) return share;
  const behind = ` (${share})`;
  return `${cleanLine(message, maxLineLength - behind.length)}${behind}`;
}
