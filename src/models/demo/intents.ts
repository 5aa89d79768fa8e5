import { timeZonesIn } from "./cities.ts";

/** Something in a person's text that a tool can do. */
export type Intent =
  | { readonly type: "time"; readonly timeZone: string }
  | { readonly type: "note"; readonly note: string }
  | { readonly type: "remember"; readonly fact: string }
  | { readonly type: "read-notes" }
  | { readonly type: "recall"; readonly query: string }
  | { readonly type: "remind"; readonly when: string; readonly text: string };

const timeCue =
  /\b(?:what time|what's the time|what is the time|the time|current time|time (?:is it|now|in|at)|how late|clock)\b/i;
const noteCue =
  /\b(?:(?:make|take|write|save|add)(?: me)?(?: down)? an? note(?: that| of| to|:)?|(?:note|remember|write|jot)(?: this)? down(?: that|:)?|(?<!(?:you|the|a|your|my|this|that) )(?:note|remember)(?: that|:|,)?)\s+(?=\S)/i;
const readCue =
  /\b(?:(?:read|show|list|see|get|check|tell me)\b.{0,100}\bnotes?\b|what(?:'s| is| are)?\b.{0,100}\b(?:notes?|noted|do you remember)\b|\bdo you remember (?:my|any|the) notes?\b|what did i (?:note|tell you|ask you to (?:note|remember)))/i;
/** `What did I say about the milk?`; without a subject it's about the notes. */
const recallCue =
  /\b(?:what|when|where) (?:did|have) (?:I|we|you) (?:say|said|write|written|mention(?:ed)?|tell you|told you|talk(?:ed)?) (?:about )?(?<query>\S.*)/i;
const moment =
  "in \\d{1,4} ?(?:seconds?|minutes?|hours?|days?|[smhd])|(?:today|tomorrow)(?: at)? \\d{1,2}(?::\\d{2}|:?\\d{0,2} ?[ap]m)";
/** `remind me in 1 minute to drink tea`, `remind me to drink tea in 1 minute`. */
const remindCues = [
  new RegExp(`\\bremind me (?<when>${moment})\\b,?(?: to| about| that|:)? (?<text>.+)`, "i"),
  new RegExp(`\\bremind me (?:to |about |that )?(?<text>.+) (?<when>${moment})\\b`, "i"),
];
/** Between the parts of a request; kept, because a note may hold them. */
const joints =
  /(\s{0,8}(?:,?\s{1,8}\b(?:and then|and also|and|then|also|plus)\b|[,;]|[.?!]{1,8}(?=\s|$)|\n)\s{0,8})/i;

interface Part {
  kind: "time" | "note" | "read-notes" | "recall" | "remind" | undefined;
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
  if (remindCues.some((cue) => cue.test(piece))) return "remind";
  if (recallCue.test(piece)) return "recall";
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
      return [
        isForGood(text)
          ? { type: "remember", fact: noteIn(text).slice(0, 500).toWellFormed() }
          : { type: "note", note: noteIn(text) },
      ];
    case "read-notes":
      return [{ type: "read-notes" }];
    case "recall": {
      const query = withoutStop(recallCue.exec(text)?.groups?.["query"] ?? "");
      return query === "" ? [] : [{ type: "recall", query: query.slice(0, 500).toWellFormed() }];
    }
    case "remind":
      return remindersIn(text);
    case undefined:
      return [];
    default:
      return kind satisfies never;
  }
}

/** `remember that …`, and not `remember this down`. */
const isForGood = (text: string): boolean =>
  /^remember\b(?!.*\bdown\b)/i.test(noteCue.exec(text)?.[0] ?? "");

/** The words after the cue, without the full stop. */
function noteIn(text: string): string {
  const cue = noteCue.exec(text);
  if (cue === null) return "";
  const words = text.slice(cue.index + cue[0].length);
  return withoutStop(words.replace(/^to (?:self|myself):\s*/i, ""));
}

function remindersIn(given: string): Intent[] {
  const found = remindCues.map((cue) => cue.exec(given)?.groups).find((each) => each !== undefined);
  const { when = "", text = "" } = found ?? {};
  return [{ type: "remind", when, text: withoutStop(text) }];
}

const withoutStop = (text: string): string =>
  text
    .replace(/(?<![\s.!?])[\s.!?]+$/, "")
    .slice(0, 2000)
    .toWellFormed();
