import { isDeepStrictEqual } from "node:util";
import { isBlank } from "../../text/blank.ts";
import { unreachable } from "../../core/errors.ts";
import {
  platformModel,
  type AssistantEntry,
  type Extras,
  type LogEntry,
  type ReadingEntry,
} from "../../core/history.ts";
import type { ModelCard, RequestCall, RequestImage, RequestMessage } from "../../core/model.ts";
import { withIds } from "../../models/extras.ts";
import { withoutOurBrackets } from "../../text/platform-voice.ts";
import { syntheticResult } from "../sentences.ts";
import { CallIds, validName } from "./call-ids.ts";
import { callKey, type Exchange, type Part, type Round } from "./group-rounds.ts";
import { maskedRound } from "./masked-round.ts";
import { plainAnswer, plainMessage, withAuthor, wordsOnly } from "./plain-exchanges.ts";
import { cutNote, fromPlatform, noText, unanswered } from "./platform-words.ts";
import { hasObjectArguments } from "./request-problems.ts";
import { editedNote, spokenWords } from "./spoken-words.ts";
import { ViewWriter } from "./view-writer.ts";

interface Writing {
  readonly card: Pick<ModelCard, "id" | "tools" | "thinking">;
  /** The shown text of shortened results. */
  readonly short: ReadonlyMap<Exchange, string>;
  /** What attachments say, by their blobs. */
  readonly readings: ReadonlyMap<string, ReadingEntry>;
  readonly images: ReadonlyMap<string, RequestImage>;
  readonly writer: ViewWriter;
  readonly ids: CallIds;
}

/** The conversation as this model is shown it. Pure. */
export function writeParts(
  parts: readonly Part[],
  options: Pick<Writing, "card" | "short" | "readings" | "images">,
): ViewWriter {
  const hasPerson = parts.some(
    (part) =>
      part.type === "message" ||
      part.type === "edit" ||
      part.type === "cut" ||
      (part.type === "plain" && part.messages.some(({ role }) => role === "user")) ||
      (part.type === "gap" && part.text !== "") ||
      (part.type === "round" && isMasked(part, options.card)),
  );
  const writer = new ViewWriter(hasPerson);
  const writing: Writing = { ...options, writer, ids: new CallIds() };
  for (const part of parts) {
    switch (part.type) {
      case "plain":
        writer.plain(part.messages);
        break;
      case "message":
        writeMessage(part, writing);
        break;
      case "edit":
        strangers(part.entry.text, writer);
        writer.user(editedNote(part.entry));
        break;
      case "gap":
        if (part.text !== "") writer.user(part.text);
        break;
      case "cut":
        writer.user(cutNote(false));
        break;
      case "orphan":
        writer.repair(`result ${part.key} had no call`);
        break;
      case "end":
        if (!isBlank(part.text)) writer.assistant(wordsOnly(part.text));
        else {
          if (part.text !== "") writer.count("blank");
          if (part.unanswered !== undefined) writer.close(unanswered[part.unanswered]);
        }
        break;
      case "round":
        writeRound(part, writing);
        break;
      default:
        unreachable(part);
    }
  }
  return writer;
}

/** A message can be without words; some providers refuse it so. */
function writeMessage(
  { entry, edited }: Part & { type: "message" },
  { writer, readings, images }: Writing,
): void {
  if (edited === undefined && !entry.attachments?.length) {
    const { message, isImitated, hasWords } = plainMessage(entry);
    if (isImitated) writer.count("imitated");
    if (!hasWords) writer.count("blank");
    writer.message(message);
    return;
  }
  const seen: RequestImage[] = [];
  const lost = new Set<string>();
  for (const { kind, blob } of entry.attachments ?? []) {
    if (kind !== "image") continue;
    const image = images.get(blob);
    if (image === undefined) {
      writer.count("images");
      lost.add(blob);
    } else {
      seen.push(image);
    }
  }
  if (edited !== undefined) writer.count("edited");
  const words = spokenWords(entry, { edited, readings, lost });
  const own = edited?.text ?? entry.text;
  strangers(own, writer);
  if (isBlank(own) && !entry.attachments?.length) writer.count("blank");
  writer.user(withAuthor(entry, words), seen);
}

const providerOf = (model: string): string => model.split("/", 1)[0] ?? "";

/**
 * Calls of another provider are shown as text, as are all calls if the model
 * can't make any.
 */
const isMasked = ({ entry, exchanges }: Round, card: Writing["card"]): boolean =>
  exchanges.length > 0 && (!card.tools || providerOf(entry.model) !== providerOf(card.id));

function writeRound(round: Round, writing: Writing): void {
  const { entry, exchanges } = round;
  const { writer } = writing;
  const said = plainAnswer(entry);
  const { text } = said;
  if (exchanges.length > 0) {
    if (text !== entry.text) writer.count("blank");
    if (isMasked(round, writing.card)) writeMasked(round, text, writing);
    else writeCalls(round, text, writing);
    return;
  }
  if (text === "") writer.repair(`the answer of round ${entry.turn}.${entry.round} was empty`);
  else {
    writer.assistant(asBefore(entry, { ...said, ...thoughtsOf(entry, writing) }));
  }
  if (entry.cut !== undefined) writer.user(cutNote(text !== ""));
}

function writeMasked({ entry, exchanges }: Round, text: string, writing: Writing): void {
  const { writer } = writing;
  const isFirst = writer.count("masked") === 1;
  if (entry.reasoning) writer.count("reasoning");
  if (text !== "") writer.assistant(plainAnswer(entry));
  const told = exchanges.map((exchange) => {
    const { index, name, arguments: given } = exchange.call;
    const key = callKey({ ...entry, index });
    const result = resultOf(exchange, key, writing);
    return { name: validName(name), arguments: given, result };
  });
  if (entry.model === platformModel) {
    // No model made this call: its result is what a person's command brought.
    const begun = fromPlatform("a person began this with /skill.");
    for (const { result } of told) writer.user(`${begun}\n${strangers(result, writer)}`);
    return;
  }
  const { images } = imagesOf(exchanges, writing);
  writer.user(maskedRound(told, isFirst), images);
}

/** The images of a round's results that this request shows, oldest first, and what to call them. */
function imagesOf(
  exchanges: readonly Exchange[],
  { short, images, writer }: Writing,
): { readonly names: readonly string[]; readonly images: RequestImage[] } {
  const names: string[] = [];
  const seen: RequestImage[] = [];
  for (const exchange of exchanges)
    for (const { blob, name = "image" } of exchange.result?.images ?? []) {
      const image = short.has(exchange) ? undefined : images.get(blob);
      if (image === undefined) {
        writer.count("images");
        continue;
      }
      names.push(`${validName(exchange.call.name)}: ${name}`);
      seen.push(image);
    }
  return { names, images: seen };
}

function writeCalls({ entry, exchanges }: Round, text: string, writing: Writing): void {
  const { writer } = writing;
  const asked = exchanges.map((exchange) => ({
    exchange,
    call: requestCall(entry, exchange.call, writing),
  }));
  const calls = asked.map(({ call }) => call);
  const ids = new Map(asked.map(({ exchange, call }) => [exchange.call.wireId, call.id]));
  const thoughts = thoughtsOf(entry, writing, ids);
  writer.assistant(asBefore(entry, { role: "assistant", text, calls, ...thoughts }));
  for (const { exchange, call } of asked) {
    const { id, name } = call;
    const result = resultOf(exchange, id, writing);
    // Providers match names, too: the result has the name of its call.
    if (exchange.result && validName(exchange.result.name) !== name)
      writer.repair(`result ${id} bore another name than its call`);
    const isShort = writing.short.has(exchange);
    const text = isShort ? result : strangers(result, writer);
    const message = { role: "tool", callId: id, name, text } as const;
    writer.result(exchange.result ? asBefore(exchange.result, message) : message);
  }
  // No wire takes images in a result from every model: they follow in the person's role.
  const { names, images } = imagesOf(exchanges, writing);
  if (images.length > 0)
    writer.resultImages(fromPlatform(`images of the results above: ${names.join(", ")}.`), images);
}

const before = new WeakMap<LogEntry, RequestMessage>();

/**
 * The message that the entry was written as last, where it still is: what others keep of it, such
 * as its JSON, stays known.
 */
function asBefore<Message extends RequestMessage>(entry: LogEntry, message: Message): Message {
  const last = before.get(entry);
  if (isDeepStrictEqual(last, message)) return last as Message;
  before.set(entry, message);
  return message;
}

/** What a tool has returned or a person has written, which may imitate the platform. */
function strangers(text: string, writer: ViewWriter): string {
  const shown = withoutOurBrackets(text);
  if (shown !== text) writer.count("imitated");
  return shown;
}

type Thoughts = Pick<RequestMessage & { role: "assistant" }, "reasoning" | "own">;

/**
 * Only the provider of reasoning and extras accepts them.
 * @param ids of the round's calls: the request's by the provider's
 */
function thoughtsOf(
  { model, reasoning = "", extras: given }: AssistantEntry,
  { card, writer }: Writing,
  ids?: ReadonlyMap<string, string>,
): Thoughts {
  const isOwn = providerOf(model) === providerOf(card.id);
  const hasWords = !isBlank(reasoning);
  if (!hasWords && reasoning !== "") writer.count("blank");
  if (hasWords && !(card.thinking && isOwn)) writer.count("reasoning");
  if (!isOwn) return {};
  const extras = given && ids ? (withIds(given, ids) as Extras) : given;
  const own = {
    ...(hasWords ? { reasoning } : {}),
    ...(extras === undefined ? {} : { extras }),
  };
  return {
    ...(hasWords && card.thinking ? { reasoning } : {}),
    ...(hasWords || extras !== undefined ? { own } : {}),
  };
}

function requestCall(
  { turn, round }: AssistantEntry,
  call: Exchange["call"],
  { writer, ids }: Writing,
): RequestCall {
  const key = callKey({ turn, round, index: call.index });
  const id = ids.take(key);
  if (id !== key) writer.repair(`call ${key} could not have this id, now ${id}`);
  const name = validName(call.name);
  if (name !== call.name) writer.repair(`call ${id} named an invalid tool`);
  const isValid = hasObjectArguments(call);
  if (!isValid) writer.repair(`call ${id} had arguments that are not a JSON object`);
  const { extras } = call;
  return {
    id,
    name,
    arguments: isValid ? call.arguments : "{}",
    ...(extras === undefined ? {} : { extras }),
  };
}

function resultOf(exchange: Exchange, id: string, { short, writer }: Writing): string {
  if (exchange.result === undefined) {
    writer.repair(`call ${id} had no result`);
    return syntheticResult("outcome-unknown");
  }
  const reduced = short.get(exchange);
  if (reduced !== undefined) writer.count("reduced");
  const text = reduced ?? exchange.result.text;
  if (!isBlank(text)) return text;
  writer.count("blank");
  return noText;
}
