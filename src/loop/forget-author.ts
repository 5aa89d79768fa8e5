import { unreachable } from "../core/errors.ts";
import {
  erasedPersonId,
  erasedText,
  type AssistantEntry,
  type CompactionEntry,
  type LogEntry,
  type MessageEntry,
  type ToolEntry,
  type UndoEntry,
} from "../core/history.ts";

const erasedPerson = { id: erasedPersonId, name: erasedText };

/**
 * Finds in a history what the turns of one person left there: their messages, the answers, calls and results that came of
 * them, and the summaries that stand for any of it. Told every entry, oldest first, it says what takes its place. The
 * kinds, turns and places stay, so that no call loses its result.
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
  /** Log positions of others' messages that lost a quotation, and of what their files say. */
  readonly #quoting: number[] = [];
  /** The turn of the entry before. */
  #turn: number | undefined;
  /** Whether that turn is theirs. */
  #isTheirs = false;
  /** Whether the newest message, which opens the next turn, is theirs. */
  #opensTheirs = false;
  /** Whether the newest message was erased before. */
  #opensErased = false;
  /** Whether the newest summary says something of theirs: the next one is made of it. */
  #summaryHolds = false;
  /** What the messages that `/retry` repeats have before their ids, where they repeat theirs. */
  #repeatsOf: string | undefined;

  constructor(personId: string) {
    this.#personId = personId;
  }

  /**
   * The turns that were theirs, so far; and those that were erased before, since whoever did that may have died before
   * anything else of these turns was erased.
   */
  get turns(): readonly number[] {
    return [...this.#turns];
  }

  /** What is to stand in the place of an entry; undefined: it stays. */
  next(position: number, entry: LogEntry): LogEntry | undefined {
    this.#first ??= position;
    const blank = this.#blankOf(entry);
    if (blank !== undefined)
      (this.#isQuotation(entry) ? this.#quoting : this.#blanked).push(position);
    return blank;
  }

  /** Of what is blanked: whether it is somebody else's. */
  #isQuotation(entry: LogEntry): boolean {
    return entry.kind === "message"
      ? !this.#opensTheirs
      : entry.kind === "reading" && !this.#messages.has(entry.of);
  }

  #blankOf(entry: LogEntry): LogEntry | undefined {
    switch (entry.kind) {
      case "message":
        return this.#message(entry);
      case "edit":
        return entry.person.id === this.#personId
          ? { ...entry, person: erasedPerson, text: erasedText }
          : undefined;
      case "reading":
        return this.#messages.has(entry.of) ||
          this.#quotingMessages.has(entry.of)
          ? { ...entry, text: erasedText }
          : undefined;
      case "assistant":
        return this.#isOfTheirs(entry.turn) ? blankAnswer(entry) : undefined;
      case "tool":
        return this.#isOfTheirs(entry.turn) ? blankResult(entry) : undefined;
      case "end":
        return this.#isOfTheirs(entry.turn) && entry.text !== undefined
          ? { ...entry, text: erasedText }
          : undefined;
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
    const repeats =
      this.#repeatsOf !== undefined && entry.id.startsWith(this.#repeatsOf);
    this.#opensTheirs = entry.person.id === this.#personId || repeats;
    this.#opensErased = entry.person.id === erasedPersonId;
    if (!this.#opensTheirs) return this.#withoutQuote(entry);
    this.#messages.add(entry.id);
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
   * What somebody else said, without the words of theirs that it answers, and without the files, some of which may be
   * from there. What the bot is quoted with may be from an answer to them: nobody can tell.
   */
  #withoutQuote(entry: MessageEntry): MessageEntry | undefined {
    const { quote, attachments: _, ...rest } = entry;
    if (quote?.authorId === this.#personId) {
      this.#quotingMessages.add(entry.id);
      return { ...rest, quote: { text: erasedText } };
    }
    return quote?.own === true && this.#turns.size > 0
      ? { ...entry, quote: { text: erasedText } }
      : undefined;
  }

  /** A turn belongs to whoever wrote the message in front of its first entry. */
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

  /** What came there may have been theirs: nobody can tell any more. */
  #isGone(fromSeq: number): boolean {
    return fromSeq < (this.#first ?? 0);
  }

  #compaction(entry: CompactionEntry): CompactionEntry | undefined {
    const { fromSeq, toSeq, results } = entry;
    this.#summaryHolds ||=
      this.#holds(fromSeq, toSeq) ||
      isWithin(this.#quoting, fromSeq, toSeq) ||
      this.#isGone(fromSeq);
    const cuts = results.map((cut) =>
      this.#blanked.includes(cut.seq) ? { ...cut, text: erasedText } : cut,
    );
    if (this.#summaryHolds)
      return { ...entry, summary: erasedText, kept: [], results: cuts };
    return cuts.some((cut, index) => cut !== results[index])
      ? { ...entry, results: cuts }
      : undefined;
  }

  #undo(entry: UndoEntry): UndoEntry | undefined {
    const holds = this.#holds(entry.fromSeq, Infinity);
    this.#repeatsOf = holds ? `${entry.id}-` : undefined;
    if (!holds && !this.#isGone(entry.fromSeq)) return undefined;
    if (entry.ran.length === 0) return undefined;
    const ran = entry.ran.map((call) => ({ ...call, arguments: erasedText }));
    return { ...entry, ran };
  }
}

const isWithin = (
  positions: readonly number[],
  from: number,
  to: number,
): boolean => positions.some((seq) => seq >= from && seq <= to);

function blankAnswer(entry: AssistantEntry): AssistantEntry {
  const { reasoning: _, ...rest } = entry;
  return {
    ...rest,
    text: entry.text === "" ? "" : erasedText,
    // Arguments are an object wherever models are shown them.
    calls: entry.calls.map((call) => ({
      ...call,
      arguments: JSON.stringify({ erased: true }),
    })),
  };
}

function blankResult(entry: ToolEntry): ToolEntry {
  const { changed: _, ...rest } = entry;
  const { failure } = rest;
  const text = failure === undefined ? erasedText : `${failure}: ${erasedText}`;
  return { ...rest, text };
}
