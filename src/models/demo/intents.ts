import { timeZonesIn } from "./cities.ts";

/** Something in a person's text that a tool can do. */
export type Intent =
  | { readonly type: "time"; readonly timeZone: string }
  | { readonly type: "note"; readonly note: string }
  | { readonly type: "read-notes" };

const timeCue =
  /\b(?:what time|what's the time|what is the time|the time|current time|time (?:is it|now|in|at)|how late|clock)\b/i;
const noteCue =
  /\b(?:(?:make|take|write|save|add)(?: me)?(?: down)? an? note(?: that| of| to|:)?|(?:note|remember|write|jot)(?: this)? down(?: that|:)?|(?<!(?:you|the|a|your|my|this|that) )(?:note|remember)(?: that|:|,)?)\s+(?=\S)/i;
const readCue =
  /\b(?:(?:read|show|list|see|get|check|tell me)\b.{0,100}\bnotes?\b|what(?:'s| is| are)?\b.{0,100}\b(?:notes?|noted|do you remember)\b|\bdo you remember (?:my|any|the) notes?\b|what did i (?:note|tell you|ask you to (?:note|remember)))/i;
/** Between the parts of a request; kept, because a note may hold them. */
const joints =
  /(\s{0,8}(?:,?\s{1,8}\b(?:and then|and also|and|then|also|plus)\b|[,;]|[.?!]{1,8}(?=\s|$)|\n)\s{0,8})/i;

interface Part {
  kind: "time" | "note" | "read-notes" | undefined;
  text: string;
}

/** The requests in a text, in order. Pure. */
export function intentsIn(text: string): Intent[] {
  return parts(text).flatMap(intentsOf);
}

/**
 * The text cut at its joints where a new intent begins; parts without an intent
 * belong to the one before.
 */
function parts(text: string): Part[] {
  const found: Part[] = [];
  const pieces = text.trim().split(joints);
  for (let index = 0; index < pieces.length; index += 2) {
    const piece = pieces[index] ?? "";
    const kind = kindOf(piece);
    const last = found.at(-1);
    if (last?.kind !== undefined && kind === undefined)
      last.text += (pieces[index - 1] ?? "") + piece;
    else found.push({ kind, text: piece });
  }
  return found;
}

function kindOf(piece: string): Part["kind"] {
  if (readCue.test(piece)) return "read-notes";
  if (noteCue.test(`${piece} `) && noteIn(piece) !== "") return "note";
  return timeCue.test(piece) ? "time" : undefined;
}

function intentsOf({ kind, text }: Part): Intent[] {
  switch (kind) {
    case "time": {
      const zones = timeZonesIn(text);
      const place = /\b(?:in|at)\s+[A-Z]/.test(text);
      if (zones.length === 0) return place ? [] : [{ type: "time", timeZone: "UTC" }];
      return zones.map((timeZone) => ({ type: "time", timeZone }));
    }
    case "note":
      return [{ type: "note", note: noteIn(text) }];
    case "read-notes":
      return [{ type: "read-notes" }];
    case undefined:
      return [];
    default:
      return kind satisfies never;
  }
}

/** The words after the cue, without the full stop. */
function noteIn(text: string): string {
  const cue = noteCue.exec(text);
  if (cue === null) return "";
  return text
    .slice(cue.index + cue[0].length)
    .replace(/^to (?:self|myself):\s*/i, "")
    .replace(/(?<![\s.!?])[\s.!?]+$/, "")
    .slice(0, 2000)
    .toWellFormed();
}
