import { isBlank } from "../../text/blank.ts";
import { unreachable } from "../../core/errors.ts";
import type { LogEntry, Opening } from "../../core/history.ts";
import { withoutOurBrackets } from "../../text/platform-voice.ts";
import { describeAttachment } from "../view/spoken-words.ts";
import { isShown, type Part } from "./layout.ts";

/** One thing that was said or done, as a summary has it. */
export interface Line {
  readonly who: string;
  readonly text: string;
  /** About how many tokens of it a summary keeps. */
  readonly targetTokens: number;
}

const userTokens = 50;
const assistantTokens = 200;
/** Of a call's arguments, and of a result: what they were about. */
const toolTokens = 50;
const readingTokens = 200;

/**
 * What the entries from one index up to another say, in order. Pure; the same entry gives the same
 * lines.
 */
export function linesOf(part: Part, from: number, to: number): Line[] {
  const lines: Line[] = [];
  for (let index = from; index < to; index += 1) {
    const entry = part.entries[index];
    if (entry === undefined || !isShown(part, index)) continue;
    const own = known.get(entry) ?? entryLines(entry);
    known.set(entry, own);
    lines.push(...own);
  }
  return lines;
}

const openingText = ({ title, quote }: Opening = {}): string =>
  [title, quote?.text].filter((text) => text !== undefined).join(": ");

const known = new WeakMap<LogEntry, readonly Line[]>();

function entryLines(entry: LogEntry): Line[] {
  switch (entry.kind) {
    case "message":
      return [
        ...said("how this thread began", openingText(entry.opening), userTokens),
        ...said("what the next answers", entry.quote?.text ?? "", userTokens),
        ...said(
          `${entry.group === true ? `user ${oneLine(entry.person.name)}` : "user"}${entry.forwarded ? ", forwarding what somebody else wrote" : ""}`,
          [entry.text, ...(entry.attachments ?? []).map((each) => `[${describeAttachment(each)}]`)]
            .filter((text) => !isBlank(text))
            .join(" "),
          userTokens,
        ),
      ];
    case "edit":
      return said(
        entry.group === true ? `user ${oneLine(entry.person.name)}, edited` : "user, edited",
        entry.text,
        userTokens,
      );
    case "reading":
      return said("text of what was attached", entry.text, readingTokens);
    case "assistant":
      return [
        ...said("assistant", entry.text, assistantTokens),
        ...entry.calls.map((call) =>
          toolLine(`assistant used ${oneLine(call.name)}`, call.arguments),
        ),
      ];
    case "tool":
      return [toolLine(`result of ${oneLine(entry.name)}`, entry.text)];
    case "end":
      // Apologies for a model, and words about the conversation's length, are no part of it.
      return entry.reason === "model-failed" || entry.reason === "compacted"
        ? []
        : said("assistant", entry.text ?? "", assistantTokens);
    case "undo":
      return entry.ran.map((call) =>
        toolLine(`taken back by a person, but it ran: ${oneLine(call.name)}`, call.arguments),
      );
    case "compaction":
    case "reset":
      return [];
    default:
      return unreachable(entry);
  }
}

const said = (who: string, text: string, targetTokens: number): Line[] =>
  isBlank(text) ? [] : [lineOf(who, text, targetTokens)];

const toolLine = (who: string, text: string): Line => lineOf(who, text, toolTokens);

const lineOf = (who: string, text: string, targetTokens: number): Line => ({
  who: withoutOurBrackets(who),
  text: withoutOurBrackets(text),
  targetTokens,
});

/** Always one line: its content can't be mistaken for a separate one. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
