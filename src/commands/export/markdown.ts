import type { Person } from "../../core/chat.ts";
import { unreachable } from "../../core/errors.ts";
import type {
  AssistantEntry,
  CompactionEntry,
  LogEntry,
  MessageEntry,
  UndoEntry,
} from "../../core/history.ts";

/**
 * One entry of a history for people: a heading of its own, and below it what was said, word for word, quoted or fenced so
 * that nothing in it can pass for another entry or swallow those behind it. Pure.
 *
 * @param position the entry's place in the log, by which other entries refer to it.
 */
export function entryMarkdown(position: number, entry: LogEntry): string {
  const [title, ...blocks] = blocksOf(position, entry);
  return [`## ${position}. ${title}`, ...blocks].join("\n\n") + "\n\n";
}

type Blocks = readonly [title: string, ...blocks: string[]];

function blocksOf(position: number, entry: LogEntry): Blocks {
  switch (entry.kind) {
    case "message":
      return messageBlocks(entry);
    case "edit":
      return [
        `${nameOf(entry.person)} edited a message, ${timeOf(entry.atMs)}`,
        quoted(entry.text),
      ];
    case "reading":
      return ["Text of what was attached", quoted(entry.failure ?? entry.text)];
    case "assistant":
      return assistantBlocks(entry);
    case "tool": {
      const failure = entry.failure ? `, failed: ${entry.failure}` : "";
      return [
        `Result of call ${entry.index + 1}, ${code(entry.name)}${failure}`,
        fenced(entry.text),
      ];
    }
    case "end":
      return [
        `The turn ended: ${entry.reason}`,
        ...(entry.text ? [quoted(entry.text)] : []),
      ];
    case "reset":
      return [
        `A new conversation, ${timeOf(entry.atMs)}`,
        "From here on the model saw nothing of what stands above.",
      ];
    case "compaction":
      return compactionBlocks(entry);
    case "undo":
      return undoBlocks(position, entry);
    default:
      return unreachable(entry);
  }
}

function messageBlocks(entry: MessageEntry): Blocks {
  const { person, atMs, text, auto, quote, attachments = [] } = entry;
  return [
    `${nameOf(person)}, ${timeOf(atMs)}`,
    ...(auto
      ? [`Turn ${auto.step} of at most ${auto.of} towards:`, quoted(auto.goal)]
      : []),
    ...(quote === undefined
      ? []
      : ["In answer to:", quoted(quote.text), "What was said:"]),
    ...(auto ? ["What was said:"] : []),
    ...(text === "" && attachments.length > 0 ? [] : [quoted(text)]),
    ...attachments.map(
      ({ kind, name, mediaType, size }) =>
        `Attached ${kind}: ${code(name ?? mediaType)}, ${size} bytes`,
    ),
  ];
}

function assistantBlocks({
  model,
  partial,
  reasoning,
  text,
  calls,
}: AssistantEntry): Blocks {
  return [
    `${code(model)}${partial ? ", cut off" : ""}`,
    ...(reasoning ? ["Thinking:", quoted(reasoning)] : []),
    ...(reasoning && text !== "" ? ["Answer:"] : []),
    ...(text === "" ? [] : [quoted(text)]),
    ...calls.flatMap((call) => [
      `Call ${call.index + 1}: ${code(call.name)}`,
      fenced(call.arguments),
    ]),
  ];
}

function compactionBlocks(entry: CompactionEntry): Blocks {
  const { fromSeq, toSeq, summary, kept, results, strategy, model } = entry;
  const by = model === undefined ? "" : `, by ${code(model)}`;
  const positions = results.map(({ seq }) => seq).join(", ");
  return [
    `Compaction: ${strategy}${by}`,
    ...(toSeq < fromSeq
      ? []
      : [
          `From here on the model saw this in the place of the entries ${fromSeq} to ${toSeq}, which stand above as they were:`,
        ]),
    ...[summary, ...kept].filter((text) => text !== "").map(quoted),
    ...(results.length === 0
      ? []
      : [`It saw these results shortened: ${positions}.`]),
  ];
}

function undoBlocks(position: number, entry: UndoEntry): Blocks {
  const { fromSeq, ran, atMs } = entry;
  return [
    `Undone, ${timeOf(atMs)}`,
    `From here on the model saw nothing of the entries ${fromSeq} to ${position - 1}.`,
    ...(ran.length === 0 ? [] : ["What these calls did was not undone:"]),
    ...ran.flatMap(({ name, arguments: given, failure }) => [
      `${code(name)}${failure ? `, failed: ${failure}` : ""}`,
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
  for (const [run] of text.matchAll(/`+/g))
    longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Names of tools come from models. */
export const code = (name: string): string =>
  `\`${name.replaceAll(/[`\r\n]/g, "'")}\``;

/** Names of people are chosen by them: nothing in them may become markup. */
const nameOf = ({ name, id }: Person): string =>
  `${name.replaceAll(/[\r\n]/g, " ").replaceAll(/[\\`*_[\]<>#|~&!]/g, "\\$&")} (${id})`;

export const timeOf = (atMs: number): string =>
  new Date(atMs).toISOString().replace("T", " ").replace(/\..*/, " UTC");
