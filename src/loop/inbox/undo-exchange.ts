import type { Person } from "../../core/chat.ts";
import { factIdOf } from "../../core/facts.ts";
import type {
  AssistantEntry,
  ControlEntry,
  FailureKind,
  LogEntry,
  MessageEntry,
  UndoEntry,
} from "../../core/history.ts";
import { sampleTurns } from "../../core/sample-turns.ts";
import { rememberTool, type Effect } from "../../core/tool.ts";
import { journalKey } from "../../core/turn.ts";
import { spokenIn } from "../../core/outbox.ts";
import type { LoopDeps } from "../deps.ts";
import { newestEdits } from "../../core/open-messages.ts";
import { takenBack } from "../../core/taken-back.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { localeFor } from "../../locales/locale-for.ts";
import { toolTitle } from "../../locales/tool-title.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * With these a call that has effects once did nothing: of one that was running the outcome is
 * unknown.
 */
const neverBegan: ReadonlySet<FailureKind> = new Set<FailureKind>(["cancelled", "deadline"]);

/** With these a call certainly did nothing. */
const neverRan: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "invalid-arguments",
  "unknown-tool",
  "policy-denied",
  "confirmation-denied",
  "confirmation-expired",
  "superseded",
  "limit-reached",
]);

/**
 * `/undo` and `/retry`: from now on the view omits the last exchange; the
 * history keeps it. Facts that were kept in it are deleted; other effects of its tools remain, and
 * the model is informed.
 * Reports the result. Returns the messages to ask again; empty if there are
 * none.
 */
export function undoExchange(
  { deps, session }: TurnContext,
  control: ControlEntry,
): readonly MessageEntry[] {
  const found = lastExchange(session);
  const locale = localeFor(control.person.language, control.person.id);
  const words = locale.turn;
  if (found === undefined) {
    const { nothingToUndo, nothingToRetry } = words;
    const isUndo = control.control === "undo";
    notify(session, control, isUndo ? nothingToUndo : nothingToRetry);
    return [];
  }
  if (found.messages.length === 0 && control.control === "retry") {
    notify(session, control, words.cannotRetry);
    return [];
  }
  const { ownOnly, person } = control;
  const [author] = found.authors;
  if (ownOnly && author !== undefined && found.authors.every(({ id }) => id !== person.id)) {
    const { onlyTheirs } = localeFor(person.language, person.id).control;
    const kind = control.control === "undo" ? "undo" : "retry";
    notify(session, control, onlyTheirs[kind](author.name));
    return [];
  }
  const exchange = session.transcript.slice(found.start);
  const ran = effectsOf(deps, exchange);
  const people = [person, ...found.authors];
  session.first(() => takeFactsBack({ deps, session }, exchange, people));
  session.append({
    kind: "undo",
    v: 1,
    id: control.id,
    fromSeq: session.viewStart + found.start,
    ran,
    forgets: true,
    atMs: control.atMs,
  });
  if (control.control === "undo") {
    const titles = ran.map(({ name }) => {
      const tool = deps.toolbox.find(name);
      return toolTitle({ tool: tool?.name ?? name, title: tool?.title }, locale);
    });
    const names = [...new Set(titles)].join(", ");
    const other = otherAuthor(found, control);
    const undone = other === undefined ? words.undone : words.undoneOf(other);
    const stays = names === "" ? [] : [words.staysDone(names)];
    notify(session, control, [undone, ...stays].join(" "));
  }
  const placed = session.transcript.map((entry, index) => ({
    position: session.viewStart + index,
    entry,
  }));
  const editOf = newestEdits(placed);
  return found.messages.map((message, index) => {
    // An /auto that was taken back does not go on by itself.
    const { author = message.person.id, preference: _, auto: __, role: ___, ...rest } = message;
    const position = session.viewStart + session.transcript.indexOf(message);
    return {
      ...rest,
      ...(author === person.id ? {} : { author }),
      text: (editOf(message, position) ?? message).text,
      id: `${control.id}-${index}`,
      // The person who retries is responsible for it and decides its approvals.
      person: control.person,
      ...(control.role === undefined ? {} : { role: control.role }),
      ...(control.preference === undefined ? {} : { preference: control.preference }),
    };
  });
}

/** Repeated after a crash, it deletes nothing else. @throws what the store throws. */
async function takeFactsBack(
  { deps, session: { chat } }: Pick<TurnContext, "deps" | "session">,
  exchange: readonly LogEntry[],
  people: readonly Person[],
): Promise<void> {
  const kept = new Set(
    exchange.flatMap((entry) =>
      entry.kind === "tool" && entry.name === rememberTool
        ? [factIdOf(`${chat}/${journalKey(entry.turn, entry.round, entry.index)}`)]
        : [],
    ),
  );
  if (kept.size === 0) return;
  const owners = [...new Set(people.map(({ id }) => id))].map((person) => ({ person }));
  await deps.personFacts.removeWhere([{ chat }, ...owners], ({ id }) => kept.has(id));
}

/** The author's name; undefined: the person who undoes it. */
function otherAuthor({ messages }: Exchange, { person }: ControlEntry): string | undefined {
  const [first] = messages;
  return first === undefined || first.person.id === person.id ? undefined : first.person.name;
}

interface Exchange {
  /** Where it begins in the transcript. */
  readonly start: number;
  /**
   * Its person's messages, including those sent while it ran; empty if a
   * compaction replaced them.
   */
  readonly messages: readonly MessageEntry[];
  /** Everyone who wrote in it; empty in the same case. */
  readonly authors: readonly Person[];
}

/**
 * The newest visible exchange. Waiting messages that were dropped by the same
 * stop belong to the stopped turn: they are undone with it and aren't an
 * exchange of their own.
 */
function lastExchange(session: TurnSession): Exchange | undefined {
  const { transcript, begun } = session;
  const isHidden = hiddenIn(session);
  const before = begun.transcript.length;
  const ran = wereStoppedTogether(transcript, before) && !isHidden(before - 1);
  const until = ran ? before : transcript.length;
  const start = startBefore(until, transcript, isHidden);
  if (start === undefined) return undefined;
  const first = transcript[start];
  if (first?.kind !== "message") return { start, messages: [], authors: [] };
  const written = transcript
    .slice(0, until)
    .filter(
      (entry, index): entry is MessageEntry =>
        index >= start && !isHidden(index) && entry.kind === "message",
    );
  return {
    start,
    messages: written.filter(({ person }) => person.id === first.person.id),
    authors: written.map(({ person }) => person),
  };
}

/**
 * Whether the turn that ended before a position was stopped by what has dropped the messages after
 * it.
 */
function wereStoppedTogether(transcript: readonly LogEntry[], position: number): boolean {
  const stopped = transcript[position - 1];
  const dropped = transcript.slice(position).find(({ kind }) => kind === "end");
  return (
    stopped?.kind === "end" &&
    dropped?.kind === "end" &&
    stopped.stopAt !== undefined &&
    stopped.stopAt >= dropped.turn
  );
}

/**
 * The first message of the newest turn, all pieces of a burst included; else where the rest of a
 * summed-up turn begins.
 */
function startBefore(
  end: number,
  transcript: readonly LogEntry[],
  isHidden: (index: number) => boolean,
): number | undefined {
  let rest: number | undefined;
  for (let index = end - 1; index >= 0; index -= 1) {
    if (isHidden(index)) continue;
    const kind = transcript[index]?.kind;
    if (kind === "assistant" || kind === "tool") rest = index;
    if (kind !== "message") continue;
    const before = transcript
      .slice(0, index)
      .findLast((each) => each.kind !== "reading" && each.kind !== "edit")?.kind;
    // Behind a result stands only a message that joined a running turn.
    if (before !== "message" && before !== "tool") return index;
  }
  return rest;
}

/** What was taken back before is not seen any more, and a persona's sample is no one's exchange. */
function hiddenIn({ transcript, viewStart }: TurnSession): (index: number) => boolean {
  const isSample = sampleTurns(transcript);
  const isTakenBack = takenBack(transcript, viewStart);
  return (index) => isSample[index] === true || isTakenBack[index] === true;
}

function effectsOf(
  { toolbox }: Pick<LoopDeps, "toolbox">,
  exchange: readonly LogEntry[],
): UndoEntry["ran"] {
  const results = new Map(
    exchange
      .filter((entry) => entry.kind === "tool")
      .map((entry) => [journalKey(entry.turn, entry.round, entry.index), entry]),
  );
  return exchange
    .filter((entry): entry is AssistantEntry => entry.kind === "assistant")
    .flatMap(({ turn, round, calls }) =>
      calls.flatMap(({ index, name, arguments: given }) => {
        const key = journalKey(turn, round, index);
        const { failure, changed } = results.get(key) ?? {};
        const { effect, name: ruled } = toolbox.find(name) ?? {};
        if (ruled === rememberTool || effect === "read" || didNothing(effect, failure)) return [];
        return [
          {
            name,
            arguments: changed ?? given,
            ...(failure === undefined ? {} : { failure }),
          },
        ];
      }),
    );
}

const didNothing = (effect: Effect | undefined, failure: FailureKind | undefined): boolean =>
  failure !== undefined &&
  (neverRan.has(failure) || (effect === "once" && neverBegan.has(failure)));

function notify(session: TurnSession, control: ControlEntry, text: string): void {
  session.post({
    kind: "notice",
    v: 1,
    id: `${control.control}-${control.id}`,
    ...spokenIn(control.person.language),
    ...(control.group ? { person: control.person.id, patient: true } : {}),
    text,
    silent: true,
    ...(control.group && control.messageId !== undefined ? { replyTo: control.messageId } : {}),
  });
}
