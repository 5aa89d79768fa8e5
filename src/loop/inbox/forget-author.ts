import { unreachable } from "../../core/errors.ts";
import {
  erasedPersonId,
  erasedText,
  quotesOf,
  type AssistantEntry,
  type CompactionEntry,
  type EditEntry,
  type EndEntry,
  type LogEntry,
  type MessageEntry,
  type Quote,
  type ReadingEntry,
  type ToolEntry,
  type UndoEntry,
} from "../../core/history.ts";
import { QuotedWords } from "../tools/quoted-words.ts";
import { reasonIn } from "../sentences.ts";

const erasedPerson = { id: erasedPersonId, name: erasedText };

/**
 * Finds in a history what one person left there: their messages, the answers, calls and results of
 * their turns, and the summaries of any of it; in the turns of others, the reasons and the changed
 * arguments that they gave for a call, and where the bot repeats their words. Takes every entry,
 * oldest first, and returns what replaces it. The kinds, turns and positions stay, so that no call
 * loses its result.
 */
export class AuthorEraser {
  readonly #personId: string;
  readonly #turns = new Set<number>();
  /** The ids of their messages. */
  readonly #messages = new Set<string>();
  /** The ids of others' messages that quote theirs. */
  readonly #quotingMessages = new Set<string>();
  /** Log position of the first entry: what was before it is gone. */
  #first: number | undefined;
  /** Log positions of what was blanked. */
  readonly #blanked: number[] = [];
  /** What they wrote, to find where the bot repeats it. */
  readonly #words = new QuotedWords();
  /**
   * Log positions in others' turns that contained the person's text: quotes,
   * results, answers, files.
   */
  readonly #quoting: number[] = [];
  /** The turn of the entry before. */
  #turn: number | undefined;
  /** Whether that turn is theirs. */
  #isTheirs = false;
  /** Whether the newest message, which opens the next turn, is theirs. */
  #opensTheirs = false;
  /** Whether the newest message was written in a group. */
  #isGroup = false;
  /**
   * Another person's turn that had their text in a result: the bot's next
   * messages in it are about them.
   */
  #answersTheirs: number | undefined;
  /** Others' turns in which something of the bot was blanked. */
  readonly #quotingTurns = new Set<number>();
  /** Whether the newest message was erased before. */
  #opensErased = false;
  /**
   * Whether the newest summary contains something of theirs: the next one is
   * derived from it.
   */
  #summaryHolds = false;
  /** What the messages that `/retry` repeats have before their ids, where they repeat theirs. */
  #repeatsOf: string | undefined;

  constructor(personId: string) {
    this.#personId = personId;
  }

  /**
   * Their turns so far, turns in which the bot repeated them, and turns erased
   * before: the process that erased them may have died before it erased the
   * rest of them.
   */
  get turns(): readonly number[] {
    return [...new Set([...this.#turns, ...this.#quotingTurns])];
  }

  /** The replacement of an entry; undefined: it stays. */
  next(position: number, entry: LogEntry): LogEntry | undefined {
    this.#first ??= position;
    const blank = this.#blankOf(entry);
    if (blank !== undefined)
      (this.#isQuotation(entry) ? this.#quoting : this.#blanked).push(position);
    return blank;
  }

  /** For a blanked entry: whether it belongs to another person. */
  #isQuotation(entry: LogEntry): boolean {
    switch (entry.kind) {
      case "message":
        return !this.#opensTheirs;
      case "reading":
        return !this.#messages.has(entry.of);
      case "assistant":
      case "tool":
      case "end":
        return !this.#isTheirs;
      case "edit":
        return false;
      case "compaction":
      case "undo":
      case "reset":
        return true;
      default:
        return unreachable(entry);
    }
  }

  #blankOf(entry: LogEntry): LogEntry | undefined {
    switch (entry.kind) {
      case "message":
        return this.#message(entry);
      case "edit":
        return this.#edit(entry);
      case "reading":
        return this.#reading(entry);
      case "assistant":
        return this.#answer(entry);
      case "tool":
        return this.#result(entry);
      case "end":
        return this.#end(entry);
      case "reset":
        this.#summaryHolds = false;
        return undefined;
      case "compaction":
        return this.#compaction(entry);
      case "undo":
        return this.#undo(entry);
      default:
        return unreachable(entry);
    }
  }

  #message(entry: MessageEntry): MessageEntry | undefined {
    const repeats = this.#repeatsOf !== undefined && entry.id.startsWith(this.#repeatsOf);
    this.#opensTheirs = [entry.person.id, entry.author].includes(this.#personId) || repeats;
    this.#opensErased = entry.person.id === erasedPersonId;
    this.#isGroup = entry.group === true;
    if (!this.#opensTheirs) return this.#withoutQuote(entry);
    this.#messages.add(entry.id);
    this.#words.add(entry.text);
    const { kind, v, id, group, atMs } = entry;
    return {
      kind,
      v,
      id,
      person: erasedPerson,
      text: erasedText,
      ...(group === undefined ? {} : { group }),
      atMs,
    };
  }

  /**
   * Another person's message without the text that it quotes or forwards and
   * without files, which may come from there. A quote of the bot may be from an
   * answer to them, so it is removed, too.
   */
  #withoutQuote(entry: MessageEntry): MessageEntry | undefined {
    const theirs = quotesOf(entry).filter(({ authorId }) => authorId === this.#personId);
    const mayBe = (quote: Quote | undefined): boolean =>
      quote !== undefined &&
      (theirs.includes(quote) || (quote.own === true && this.turns.length > 0));
    const { quote, opening, origin, attachments = [], ...rest } = entry;
    const isTheirs = origin?.authorId === this.#personId;
    if (!isTheirs && !mayBe(quote) && !mayBe(opening?.quote)) return undefined;
    for (const { text } of isTheirs ? [...theirs, entry] : theirs) this.#words.add(text);
    const holdsTheirs = isTheirs || theirs.length > 0;
    if (holdsTheirs) this.#quotingMessages.add(entry.id);
    const erased = { text: erasedText };
    // The title of a thread may be the first words of its first message.
    const erasedOpening = mayBe(opening?.quote) ? { quote: erased } : opening;
    return {
      ...rest,
      ...(isTheirs ? erased : origin && { origin }),
      ...(attachments.length === 0 || holdsTheirs ? {} : { attachments }),
      ...(quote === undefined ? {} : { quote: mayBe(quote) ? erased : quote }),
      ...(erasedOpening === undefined ? {} : { opening: erasedOpening }),
    };
  }

  #edit(entry: EditEntry): EditEntry | undefined {
    if (entry.person.id !== this.#personId) return undefined;
    this.#words.add(entry.text);
    return { ...entry, person: erasedPerson, text: erasedText };
  }

  #reading(entry: ReadingEntry): ReadingEntry | undefined {
    const isTheirs = this.#messages.has(entry.of);
    if (!isTheirs && !this.#quotingMessages.has(entry.of)) return undefined;
    if (isTheirs) this.#words.add(entry.text);
    return { ...entry, text: erasedText };
  }

  #answer(entry: AssistantEntry): AssistantEntry | undefined {
    if (this.#isOfTheirs(entry.turn)) return blankAnswer(entry);
    const { text, reasoning = "", calls } = entry;
    const said = [text, reasoning, ...calls.map((call) => call.arguments)];
    if (text === erasedText) this.#quotingTurns.add(entry.turn);
    return this.#answersTheirs === entry.turn || this.#areRepeated(said)
      ? this.#withoutWords(blankAnswer(entry))
      : undefined;
  }

  #result(entry: ToolEntry): ToolEntry | undefined {
    if (this.#isOfTheirs(entry.turn)) return blankResult(entry);
    if (this.#mayBeOfTheirs(entry)) {
      this.#answersTheirs = entry.turn;
      this.#words.add(reasonIn(entry.text) ?? "");
      this.#words.add(entry.changed ?? "");
    } else if (!this.#areRepeated([entry.text, entry.changed ?? ""])) return undefined;
    return this.#withoutWords(blankResult(entry));
  }

  /**
   * Whether they gave the reason or the arguments in a result, as far as it is known: in old ones
   * it isn't.
   */
  #mayBeOfTheirs({ wordsOf, changed, failure, text }: ToolEntry): boolean {
    if (wordsOf !== undefined) return wordsOf.includes(this.#personId);
    const isDenied = failure === "confirmation-denied";
    const isByPerson = changed !== undefined || (isDenied && reasonIn(text) !== undefined);
    return isByPerson && this.#isGroup;
  }

  #end(entry: EndEntry): EndEntry | undefined {
    const { persona, ...rest } = entry;
    const { text, turn } = rest;
    const isTheirs = this.#isOfTheirs(turn);
    if (text === undefined) return isTheirs && persona !== undefined ? rest : undefined;
    const blank = { ...rest, text: erasedText };
    if (isTheirs) return blank;
    return this.#areRepeated([text]) ? this.#withoutWords(blank) : undefined;
  }

  #areRepeated(texts: readonly string[]): boolean {
    return texts.some((text) => this.#words.areIn(text));
  }

  #withoutWords<Entry extends { readonly turn: number }>(blank: Entry): Entry {
    this.#quotingTurns.add(blank.turn);
    return blank;
  }

  /** A turn belongs to the author of the message before its first entry. */
  #isOfTheirs(turn: number): boolean {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#isTheirs = this.#opensTheirs;
      this.#opensTheirs = false;
      if (this.#isTheirs || this.#opensErased) this.#turns.add(turn);
      this.#opensErased = false;
    }
    return this.#isTheirs;
  }

  #holds(fromSeq: number, toSeq: number): boolean {
    return isWithin(this.#blanked, fromSeq, toSeq);
  }

  /**
   * Whether the entries since then may have been theirs and can no longer be
   * checked.
   */
  #isGone(fromSeq: number): boolean {
    return fromSeq < (this.#first ?? 0);
  }

  #compaction(entry: CompactionEntry): CompactionEntry | undefined {
    const { fromSeq, toSeq, results } = entry;
    this.#summaryHolds ||=
      this.#holds(fromSeq, toSeq) ||
      isWithin(this.#quoting, fromSeq, toSeq) ||
      this.#isGone(fromSeq);
    const lost = new Set([...this.#blanked, ...this.#quoting]);
    const cuts = results.map((cut) => (lost.has(cut.seq) ? { ...cut, text: erasedText } : cut));
    if (this.#summaryHolds) return { ...entry, summary: erasedText, kept: [], results: cuts };
    return cuts.some((cut, index) => cut !== results[index])
      ? { ...entry, results: cuts }
      : undefined;
  }

  #undo(entry: UndoEntry): UndoEntry | undefined {
    const holds = this.#holds(entry.fromSeq, Infinity);
    this.#repeatsOf = holds ? `${entry.id}-` : undefined;
    const isQuoting = isWithin(this.#quoting, entry.fromSeq, Infinity);
    if (!holds && !isQuoting && !this.#isGone(entry.fromSeq)) return undefined;
    if (entry.ran.length === 0) return undefined;
    const ran = entry.ran.map((call) => ({ ...call, arguments: erasedText }));
    return { ...entry, ran };
  }
}

const isWithin = (positions: readonly number[], from: number, to: number): boolean =>
  positions.some((seq) => seq >= from && seq <= to);

function blankAnswer(entry: AssistantEntry): AssistantEntry {
  // A persona's name may be of their making.
  const { reasoning: _, persona: __, extras: ___, ...rest } = entry;
  return {
    ...rest,
    text: entry.text === "" ? "" : erasedText,
    // Arguments are an object wherever models are shown them.
    calls: entry.calls.map(({ index, wireId, name }) => ({
      index,
      wireId,
      name,
      arguments: JSON.stringify({ erased: true }),
    })),
  };
}

function blankResult(entry: ToolEntry): ToolEntry {
  const { changed: _, wordsOf: __, images: ___, ...rest } = entry;
  const { failure } = rest;
  const text = failure === undefined ? erasedText : `${failure}: ${erasedText}`;
  return { ...rest, text };
}
