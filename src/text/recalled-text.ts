import { parseChatKey, type ChatKey } from "../core/chat.ts";
import type { MemoryLine, MemoryWindow } from "../core/memory.ts";
import { linkOf } from "./message-link.ts";
import { withoutOurBrackets } from "./platform-voice.ts";
import { speakerName } from "./speaker-name.ts";

/** A token is about four bytes of UTF-8. */
const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/**
 * Windows as quoted lines for a model: the date, the link where there is one, and who said what. The
 * best that fit into `maxTokens` (estimated), oldest first; a message of several windows once. None
 * of the text can pass for the platform's. Pure.
 */
export function recalledText(
  windows: readonly MemoryWindow[],
  { chat, maxTokens }: { readonly chat: ChatKey; readonly maxTokens: number },
): string {
  const shown = new Set<string>();
  const blocks: { readonly from: number; readonly text: string }[] = [];
  let left = maxTokens;
  for (const window of windows) {
    const lines = window.lines.filter((line) => !shown.has(keyOf(line)));
    if (lines.length === 0) continue;
    const text = blockOf({ ...window, lines }, chat);
    left -= tokensOf(text) + 1;
    if (left < 0) break;
    for (const line of lines) shown.add(keyOf(line));
    blocks.push({ from: window.from, text });
  }
  return blocks
    .toSorted((one, other) => one.from - other.from)
    .map(({ text }) => text)
    .join("\n\n");
}

const keyOf = ({ position, text }: MemoryLine): string => `${position} ${text}`;

function blockOf({ atMs, lines }: MemoryWindow, chat: ChatKey): string {
  const link = linkOf(lines, parseChatKey(chat));
  const date = atMs === 0 ? "undated" : `${new Date(atMs).toISOString().slice(0, 16)}Z`;
  return [
    link === undefined ? date : `${date} ${link}`,
    ...lines.map(({ who, text }) => `> ${nameOf(who)}: ${oneLine(text)}`),
  ].join("\n");
}

/** The model is called "you". */
const nameOf = (who: string | undefined): string =>
  who === undefined ? "you" : speakerName(oneLine(who), "you");

const oneLine = (text: string): string => withoutOurBrackets(text.trim().replaceAll(/\s+/g, " "));
