import { quotesOf, type LogEntry } from "../../core/history.ts";
import { parseJsonObject } from "../../text/json-object.ts";
import { areWordsOf } from "../../text/own-words.ts";
import type { Conversation } from "../../core/tool.ts";
import type { TurnState } from "../../core/turn.ts";
import { findTools } from "../../tools/find-tools.ts";
import type { Toolbox } from "./toolbox.ts";
import { ownWordsOf } from "./own-words.ts";
import { selectEntries, type Shown } from "../view/select-entries.ts";

/**
 * The conversation as a tool may query it. An address counts as named if it
 * appears in what the model still sees: in a person's text, quotes and files,
 * or in the result of a successful call. A result doesn't count if the model
 * passed the address to another tool before: it may only repeat the model's
 * text. Notes and to-dos always count. Pure.
 * @param tool the name that the model sees; addresses passed to it before were
 * named or approved.
 */
const conversationOf = (
  { transcript, viewStart, state }: Readable,
  tool: string,
): Conversation => ({
  isScheduled: state?.schedule !== undefined,
  role: state?.role,
  zone: state?.preference?.zone,
  isOwnWords: (text) =>
    state !== undefined && areWordsOf(text, ownWordsOf(transcript, state) ?? []),
  names(address) {
    const needles = needlesOf(address);
    const isIn = (text: string): boolean => needles.some((needle) => holds(text, needle));
    const { shown, readings } = selectEntries(transcript, viewStart);
    if ([...readings.values()].some(({ text }) => isIn(text))) return true;
    let isOfModel = false;
    for (const each of shown) {
      if (textsOfPerson(each).some(isIn)) return true;
      if (each.type === "assistant")
        isOfModel ||= each.entry.calls.some(
          (call) => call.name !== tool && textsOfCall(call.arguments).some(isIn),
        );
      if (each.type !== "result" || isOfModel) continue;
      const { failure, name, text } = each.entry;
      if (failure === undefined && !modelsOwn.has(name) && isIn(text)) return true;
    }
    return false;
  },
});

/** The tools of a turn, which may ask about its conversation. */
export const toolboxIn = (toolbox: Toolbox, session: Readable): Toolbox => ({
  ...toolbox,
  conversationFor: (wireName) => conversationOf(session, wireName),
});

interface Readable {
  readonly transcript: readonly LogEntry[];
  /** The log position of the transcript's first entry. */
  readonly viewStart: number;
  readonly state?: Pick<TurnState, "schedule" | "role" | "preference" | "turn" | "requester">;
}

/**
 * These return what the model wrote, perhaps in a part of the conversation that it no longer sees,
 * or what a server says of itself.
 */
const modelsOwn = new Set(["read_notes", "todo_list", "todo_write", findTools]);

/**
 * What a call gives its tool: its arguments as they were written, each text in them, and both
 * without percent-encoding.
 */
function textsOfCall(json: string): readonly string[] {
  const texts = [json];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) {
        texts.push(name);
        collect(each);
      }
  };
  collect(parseJsonObject(json));
  return [...texts, ...texts.map(percentDecoded)];
}

const percentDecoded = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
  );

function textsOfPerson(shown: Shown): readonly string[] {
  if (shown.type === "edit") return [shown.entry.text];
  if (shown.type !== "message") return [];
  const { text } = shown.entry;
  // What the bot wrote itself, the model wrote.
  const quotes = quotesOf(shown.entry).filter(({ own }) => own !== true);
  return [text, ...quotes.map((quote) => quote.text)];
}

/**
 * An address as it may be written: without its scheme, its fragment and a slash at its end, the
 * host in lower case.
 */
interface Needle {
  readonly host: string;
  readonly rest: string;
}

/**
 * UTF-16 units of an address; a longer one counts as not named, for each place where it may begin
 * is compared with all of it.
 */
const maxAddress = 2_048;

function needlesOf(address: string): readonly Needle[] {
  if (address.length > maxAddress) return [];
  const url = URL.parse(address);
  const parsed = url === null ? "" : `${url.host}${url.pathname}${url.search}`;
  return [address.trim().replace(/^[a-z]+:\/\//i, ""), parsed, decoded(parsed)]
    .filter((text) => text !== "")
    .map((text) => {
      const plain = text.replace(/#.*$/s, "").replace(/\/$/, "");
      const [host = ""] = /^[^/?]*/.exec(plain) ?? [];
      return { host: host.toLowerCase(), rest: plain.slice(host.length) };
    });
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return "";
  }
}

/** What may stand before an address; after an `@` it is a mail domain. */
const before = /[\w.@%-]/;
/**
 * What may come after it: the end of the word, with the signs that end a sentence or a quotation,
 * or a fragment.
 */
const after = /^\/?(?:#|[.,;:!?)\]}'"*_~|]{0,8}(?:$|[^\w.~:/?#[\]@!$&'()*+,;=%-]))/;
/** UTF-16 units: enough for `after`. */
const maxAfter = 10;

function holds(given: string, { host, rest }: Needle): boolean {
  // As JSON and HTML write addresses.
  const text = given.replaceAll("\\/", "/").replaceAll("&amp;", "&");
  const lower = text.toLowerCase();
  if (host === "") return false;
  const rests = rest === "" ? undefined : new Set(placesOf(text, rest));
  if (rests?.size === 0) return false;
  for (const at of placesOf(lower, host)) {
    const end = at + host.length;
    if (before.test(text.charAt(at - 1)) || rests?.has(end) === false) continue;
    const next = end + rest.length;
    if (after.test(text.slice(next, next + maxAfter))) return true;
  }
  return false;
}

/**
 * Every place where `part` occurs. Knuth, Morris and Pratt's search: linear in the length of both,
 * while `indexOf` compares all of a part of repeated signs at each place. @param part not empty
 */
function* placesOf(text: string, part: string): Generator<number> {
  if (!text.includes(part.slice(0, 1))) return;
  /** By how many units of the part match: the longest beginning of it that ends there, too. */
  const fallbacks = [0, 0];
  for (let at = 1, same = 0; at < part.length; at += 1) {
    while (same > 0 && part[at] !== part[same]) same = fallbacks[same] ?? 0;
    if (part[at] === part[same]) same += 1;
    fallbacks.push(same);
  }
  for (let at = 0, same = 0; at < text.length; at += 1) {
    while (same > 0 && text[at] !== part[same]) same = fallbacks[same] ?? 0;
    if (text[at] === part[same]) same += 1;
    if (same < part.length) continue;
    yield at + 1 - same;
    same = fallbacks[same] ?? 0;
  }
}
