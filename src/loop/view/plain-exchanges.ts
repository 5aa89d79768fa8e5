import type { AssistantEntry, LogEntry, MessageEntry } from "../../core/history.ts";
import type { RequestMessage } from "../../core/model.ts";
import { isBlank } from "../../text/blank.ts";
import { withoutOurBrackets } from "../../text/platform-voice.ts";
import { memoised, memoisedInPieces, pieceLength } from "../../util/memoised.ts";
import { nameOf, spokenWords } from "./spoken-words.ts";

type Plain = RequestMessage & { readonly role: "user" | "assistant" };

/**
 * `pieceLength` entries in a row that every model is shown in the same words, each as one message,
 * unless something hides one of them, or an edit follows those at the end.
 */
export interface PlainExchanges {
  readonly type: "plain";
  readonly entries: readonly (MessageEntry | AssistantEntry)[];
  readonly messages: readonly Plain[];
  /** Of the answers among them, oldest first. */
  readonly turns: readonly number[];
}

/**
 * A history in pieces of `pieceLength` entries; undefined for one that is shorter or isn't plain.
 * Most of a long chat often is, and need not be written again for each request.
 */
export const plainPieces = memoisedInPieces(
  (entries: readonly LogEntry[]): PlainExchanges | undefined => {
    if (entries.length < pieceLength) return undefined;
    const plain: (MessageEntry | AssistantEntry)[] = [];
    const messages: Plain[] = [];
    const turns: number[] = [];
    for (const entry of entries) {
      if (entry.kind !== "message" && entry.kind !== "assistant") return undefined;
      const message = asPlain(entry);
      if (message === undefined) return undefined;
      plain.push(entry);
      messages.push(message);
      if (entry.kind === "assistant") turns.push(entry.turn);
    }
    return { type: "plain", entries: plain, messages, turns };
  },
);

/** Undefined where the view of it depends on anything else, or differs from it. */
function asPlain(entry: MessageEntry | AssistantEntry): Plain | undefined {
  if (entry.kind === "message") {
    if (entry.attachments?.length) return undefined;
    const { message, isImitated, hasWords } = plainMessage(entry);
    return isImitated || !hasWords ? undefined : message;
  }
  const { calls, reasoning, extras, cut } = entry;
  if (calls.length > 0 || [reasoning, extras, cut].some((each) => each !== undefined))
    return undefined;
  const answer = plainAnswer(entry);
  return answer.text === "" ? undefined : answer;
}

/**
 * What a message without attachments says until it is edited: the same in every turn and for every
 * model.
 */
export const plainMessage = memoised((entry: MessageEntry) => {
  const words = spokenWords(entry, { readings: new Map(), lost: new Set() });
  return {
    message: { role: "user", text: withAuthor(entry, words) } as const,
    isImitated: withoutOurBrackets(entry.text) !== entry.text,
    hasWords: !isBlank(entry.text),
  };
});

export const withAuthor = ({ group, person }: MessageEntry, words: string): string =>
  group ? `${nameOf(person)}: ${words}` : words;

/** An answer's words alone; an empty text where there are none. */
export const plainAnswer = memoised(({ text }: AssistantEntry) =>
  wordsOnly(isBlank(text) ? "" : text),
);

export const wordsOnly = (text: string) => ({ role: "assistant", text, calls: [] }) as const;
