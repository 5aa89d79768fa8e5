import type { Person } from "../../core/chat.ts";
import { unreachable } from "../../core/errors.ts";
import type {
  AssistantEntry,
  CompactionEntry,
  LogEntry,
  MessageEntry,
  Opening,
  UndoEntry,
} from "../../core/history.ts";
import { whyUnreadable } from "../../locales/why-unreadable.ts";
import type { Locale } from "../../locales/locale.ts";

/**
 * One entry of a history for people: a heading, and below it the text word for
 * word, quoted or fenced so that it can't be mistaken for another entry or
 * swallow the following ones. Pure.
 *
 * @param position the entry's place in the log, by which other entries refer to
 * it.
 * @param locale for the text between what people and models said.
 */
export function entryMarkdown(
  position: number,
  entry: LogEntry,
  locale: Pick<Locale, "exported" | "unreadable">,
): string {
  const [title, ...blocks] = blocksOf(position, entry, locale);
  return [`## ${position}. ${title}`, ...blocks].join("\n\n") + "\n\n";
}

type Blocks = readonly [title: string, ...blocks: string[]];
type Say = Locale["exported"];

function blocksOf(
  position: number,
  entry: LogEntry,
  locale: Pick<Locale, "exported" | "unreadable">,
): Blocks {
  const { exported: say } = locale;
  switch (entry.kind) {
    case "message":
      return messageBlocks(entry, say);
    case "edit":
      return [say.edited(nameOf(entry.person), timeOf(entry.atMs)), quoted(entry.text)];
    case "reading": {
      const { failure, text } = entry;
      const said = failure === undefined ? text : whyUnreadable(locale, failure);
      return [say.reading, quoted(said)];
    }
    case "assistant":
      return assistantBlocks(entry, say);
    case "tool": {
      const { index, name, failure, text, images = [] } = entry;
      const title = say.result(index + 1, code(name));
      return [
        withFailure(title, failure, say),
        fenced(text),
        ...images.map((image) => say.attached(code(image.name ?? image.mediaType), image.size)),
      ];
    }
    case "end":
      return [
        entry.persona === undefined
          ? say.ended(entry.reason)
          : say.endedAs(entry.reason, code(entry.persona)),
        ...(entry.text ? [quoted(entry.text)] : []),
        ...(entry.note ? [say.noted, quoted(entry.note)] : []),
      ];
    case "reset":
      return [say.reset(timeOf(entry.atMs)), say.sawNothing];
    case "compaction":
      return compactionBlocks(entry, say);
    case "undo":
      return undoBlocks(position, entry, say);
    default:
      return unreachable(entry);
  }
}

const withFailure = (title: string, failure: string | undefined, say: Say): string =>
  failure === undefined ? title : `${title}, ${say.failed(failure)}`;

function messageBlocks(entry: MessageEntry, say: Say): Blocks {
  const { person, atMs, text, auto, quote, opening, sampleOf, attachments = [] } = entry;
  const who = `${nameOf(person)}, ${timeOf(atMs)}`;
  return [
    sampleOf === undefined ? who : say.sample(code(sampleOf.name), who),
    ...(auto ? [say.auto(auto.step, auto.of), quoted(auto.goal)] : []),
    ...(opening === undefined ? [] : [say.threadBegan, quoted(openingText(opening)), say.said]),
    ...(quote === undefined ? [] : [say.inAnswerTo, quoted(quote.text), say.said]),
    ...(auto ? [say.said] : []),
    ...(text === "" && attachments.length > 0 ? [] : [quoted(text)]),
    ...attachments.map(({ name, mediaType, size }) => say.attached(code(name ?? mediaType), size)),
  ];
}

const openingText = ({ title, tags = [], quote }: Opening): string =>
  [title, tags.join(", "), quote?.text].filter(Boolean).join("\n");

function assistantBlocks(
  { model, persona, partial, reasoning, text, cut, note, calls }: AssistantEntry,
  say: Say,
): Blocks {
  return [
    `${persona === undefined ? code(model) : say.asPersona(code(model), code(persona))}${partial || cut ? `, ${say.cutOff}` : ""}`,
    ...(reasoning ? [say.thinking, quoted(reasoning)] : []),
    ...(reasoning && text !== "" ? [say.answer] : []),
    ...(text === "" ? [] : [quoted(text)]),
    ...(note === undefined ? [] : [say.noted, quoted(note)]),
    ...calls.flatMap((call) => [say.call(call.index + 1, code(call.name)), fenced(call.arguments)]),
  ];
}

function compactionBlocks(entry: CompactionEntry, say: Say): Blocks {
  const { fromSeq, toSeq, summary, kept, results, strategy, model } = entry;
  const by = model === undefined ? "" : `, ${say.by(code(model))}`;
  const positions = results.map(({ seq }) => seq).join(", ");
  return [
    `${say.compaction(strategy)}${by}`,
    ...(toSeq < fromSeq ? [] : [say.inPlaceOf(fromSeq, toSeq)]),
    ...[summary, ...kept].filter((text) => text !== "").map(quoted),
    ...(results.length === 0 ? [] : [say.shortened(positions)]),
  ];
}

function undoBlocks(position: number, entry: UndoEntry, say: Say): Blocks {
  const { fromSeq, ran, atMs } = entry;
  return [
    say.undone(timeOf(atMs)),
    say.sawNothingOf(fromSeq, position - 1),
    ...(ran.length === 0 ? [] : [say.notUndone]),
    ...ran.flatMap(({ name, arguments: given, failure }) => [
      withFailure(code(name), failure, say),
      fenced(given),
    ]),
  ];
}

/** A quote ends every fence, list and comment that begins in it. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Names of tools come from models. */
export const code = (name: string): string => `\`${name.replaceAll(/[`\r\n]/g, "'")}\``;

/** Names of people are chosen by them: nothing in them may become markup. */
const nameOf = ({ name, id }: Person): string =>
  `${name.replaceAll(/[\r\n]/g, " ").replaceAll(/[\\`*_[\]<>#|~&!]/g, "\\$&")} (${id})`;

export const timeOf = (atMs: number): string =>
  new Date(atMs).toISOString().replace("T", " ").replace(/\..*/, " UTC");
