import { keptOf } from "./kept-memory.ts";
import { MessageType } from "discord.js";
import { argumentsMatcher } from "../../src/approvals/argument-patterns.ts";
import { looksLikeEdit, readEdit } from "../../src/approvals/edit-input.ts";
import { readTarget } from "../../src/approvals/waiting-cards.ts";
import { wildcards } from "../../src/text/wildcards.ts";
import { createRedactor } from "../../src/logging/redactor.ts";
import { parseLine } from "../../src/bots/console/receive/parse-line.ts";
import { sanitize } from "../../src/bots/console/format/sanitize.ts";
import { messageSchema } from "../../src/bots/discord/receive/payloads.ts";
import { quoted } from "../../src/bots/discord/receive/quoted.ts";
import { titleOf, translateMessage } from "../../src/bots/discord/receive/translate-message.ts";
import { byName } from "../../src/bots/keyed-queue/priority.ts";
import { isPlain } from "../../src/bots/markdown/parse.ts";
import { sourcesOf } from "../../src/bots/markdown/pieces.ts";
import { contentKinds } from "../../src/bots/telegram/receive/content-kinds.ts";
import { contentWords } from "../../src/bots/telegram/receive/content-words.ts";
import { richWords } from "../../src/bots/telegram/receive/rich-words.ts";
import { translate } from "../../src/bots/telegram/receive/translate.ts";
import { entryMarkdown } from "../../src/commands/export/markdown.ts";
import { nearest } from "../../src/config/nearest.ts";
import { mask } from "../../src/config/problems.ts";
import { chatKey } from "../../src/core/chat.ts";
import { argumentLine, decisionLine } from "../../src/text/argument-line.ts";
import { isBlank } from "../../src/text/blank.ts";
import { spokenDecision, spokenEdit } from "../../src/text/decision-words.ts";
import { isOpaque } from "../../src/text/destinations.ts";
import { legible, secretsIn } from "../../src/text/hide-secrets.ts";
import type { AssistantEntry, LogEntry, MessageEntry, ToolEntry } from "../../src/core/history.ts";
import { lineDiff, nearChanges } from "../../src/text/line-diff.ts";
import { readWhen } from "../../src/text/when.ts";
import { findZone } from "../../src/text/zones.ts";
import { readLimits } from "../../src/text/limit-text.ts";
import { lookalikes, spelledOut } from "../../src/text/lookalikes.ts";
import { safeFileName, type Card } from "../../src/core/outbox.ts";
import { withoutOurBrackets } from "../../src/text/platform-voice.ts";
import { visible } from "../../src/text/visible-text.ts";
import { argumentBlocks } from "../../src/delivery/argument-blocks.ts";
import { plain } from "../../src/delivery/card-outcome.ts";
import { callMarkdown, callOf, cardsMarkdown, type CardStyle } from "../../src/delivery/card.ts";
import { shownHead } from "../../src/delivery/long-answer.ts";
import { plainWords } from "../../src/delivery/plain-words.ts";
import { AuthorEraser } from "../../src/loop/inbox/forget-author.ts";
import { codeIn } from "../../src/loop/model/looks-like-code.ts";
import { observe } from "../../src/loop/machine/loop-detection/observe.ts";
import { toolboxIn } from "../../src/loop/tools/named-addresses.ts";
import { withoutToolLine } from "../../src/loop/machine/tool-line.ts";
import { QuotedWords } from "../../src/loop/tools/quoted-words.ts";
import { buildRequestView } from "../../src/loop/view/build-request-view.ts";
import { contextBlocks } from "../../src/loop/view/context-blocks.ts";
import { AnswerText } from "../../src/models/answer-text.ts";
import { intentsIn } from "../../src/models/demo/intents.ts";
import { loadTokenizer } from "../../src/models/tokens.ts";
import { traceJson } from "../../src/store/traces/trace-json.ts";
import { cleanText } from "../../src/tools/mcp/clean-text.ts";
import { readResult } from "../../src/tools/mcp/read-result.ts";
import { ruleName } from "../../src/tools/mcp/rule-name.ts";
import { localeFor } from "../../src/locales/locale-for.ts";

/** Reads a text of people, models, tools or servers. */
export type TextReader = (text: string) => unknown;

const locale = localeFor("en");
const redact = createRedactor(["a-secret-of-the-operator"]);

const style: CardStyle = {
  maxArguments: 1_200,
  asksBelow: false,
  moment: undefined,
  locale,
};

const cardWith = (json: string): Card => ({
  approvalId: "s1-abcdefghijklmnopqrstuv",
  tool: "files.write",
  about: "Writes.",
  arguments: json,
  requesterName: "Ann",
  approvers: "requester",
  expiresAtMs: 1,
});

const person = { id: "telegram:1", name: "Ann" };

const messageWith = (text: string): MessageEntry => ({
  kind: "message",
  v: 1,
  id: "m1",
  person,
  text,
  atMs: 0,
});

const answerWith = (text: string): AssistantEntry => ({
  kind: "assistant",
  v: 1,
  turn: 1,
  round: 0,
  model: "demo/demo",
  text,
  reasoning: text,
  calls: [
    {
      index: 0,
      wireId: "c1",
      name: "lookup",
      arguments: JSON.stringify({ text }),
    },
  ],
});

const resultWith = (text: string): ToolEntry => ({
  kind: "tool",
  v: 1,
  turn: 1,
  round: 0,
  index: 0,
  name: "lookup",
  text,
});

/** Arguments with as much of the text as fits: their JSON is as long as the text at most. */
function asked(text: string, given: (text: string) => unknown): string {
  let json = JSON.stringify(given(text));
  for (let length = text.length; json.length > text.length && length > 0;) {
    length = Math.floor(Math.min(0.9, text.length / json.length) * length);
    json = JSON.stringify(given(text.slice(0, length)));
  }
  return json;
}

/** A conversation with the text in every place. */
const historyWith = (text: string): readonly LogEntry[] => [
  { ...messageWith(text), group: true, quote: { text } },
  answerWith(text),
  resultWith(text),
];

const noTools = { specs: [], find: () => undefined };

function erase(entries: readonly LogEntry[]): void {
  const eraser = new AuthorEraser(person.id);
  for (const [position, entry] of entries.entries()) eraser.next(position, entry);
}

/** Longer than what a line for approvers shows of a text. */
const prose = "some words of an ordinary text ".repeat(4);

/** What an approver is shown. */
const ofCards: Readonly<Record<string, TextReader>> = {
  legible: (text) => legible(text, String),
  secretsIn: (text) => secretsIn({ token: text }),
  isOpaque: (text) => isOpaque(`%${text}`),
  visible: (text) => visible(text),
  lookalikes: (text) => lookalikes(text).map(spelledOut),
  plainWords,
  plain,
  argumentBlocks: (text) =>
    argumentBlocks(
      asked(text, (part) => ({ before: part, after: `${part}x` })),
      String,
    ),
  "argumentBlocks of lines": (text) =>
    argumentBlocks(
      asked(text, (part) => Object.fromEntries(part.split(/\s/).entries())),
      String,
    ),
  argumentLine: (text) =>
    argumentLine(
      asked(text, (part) => ({ text: part })),
      { characters: String, maxLength: 60 },
    ),
  "decisionLine within prose": (text) =>
    decisionLine(
      asked(text, (part) => ({ text: `${prose}${part}1 ${prose}` })),
      { characters: String },
    ),
  "lineDiff of a skill": (text) => nearChanges(lineDiff(text, text.slice(1_000)), 2),
  "card of one call": (text) => cardOf(asked(text, (part) => ({ text: part }))),
  "card of a list": (text) => cardOf(asked(text, (part) => ({ list: part.split(/\s/) }))),
  "card with a long name": (text) => cardOf(asked(text, (part) => ({ [part]: { [part]: 1 } }))),
  "card of two calls": (text) => {
    const calls = [text, `password=${text}`].map((each) =>
      callOf(cardWith(asked(each, (part) => ({ text: part.slice(part.length / 2) })))),
    );
    return cardsMarkdown(calls, style);
  },
};

const cardOf = (json: string): string => callMarkdown(callOf(cardWith(json)), style);

/** A longer one is refused unread. UTF-16 units. */
const longestEdit = 50_000;

const editable = (given: Readonly<Record<string, unknown>>) => ({
  arguments: given,
  schema: {},
  charactersOf: String,
  keepsHidden: false,
});

/** What is done with a person's words before a model reads them. */
const ofPeople: Readonly<Record<string, TextReader>> = {
  isBlank,
  spokenDecision,
  spokenEdit: (text) => spokenEdit(text, looksLikeEdit),
  looksLikeEdit,
  "looksLikeEdit with a fence": (text) => looksLikeEdit(`\`\`\`${text}`),
  readEdit: (text) =>
    readEdit(
      text.slice(0, longestEdit),
      editable({ a: "•••• (", "=": 1, apiKey: text.slice(0, longestEdit) }),
    ),
  "readEdit of fields": (text) =>
    readEdit(`a.x=${text}`.slice(0, longestEdit), editable({ a: {} })),
  readTarget: (text) => readTarget(text.split(/\s+/), []),
  readLimits: (text) => readLimits("cost", text),
  readWhen: (text) => {
    for (const given of [text, `in ${text}`, `every ${text}`, `9:00 ${text}`, `"${text}`])
      readWhen(given, { words: localeFor("fr").schedules.when, zone: "UTC", nowMs: 1 });
  },
  findZone: (text) => findZone(text, nearest),
  parseLine: (text) => parseLine(`/${text}`),
  sanitize,
  codeIn,
  intentsIn,
  telegram: (text) =>
    translate(
      {
        update_id: 1,
        message: {
          message_id: 1,
          date: 1,
          chat: { id: -1, type: "group", title: text.slice(0, 100) },
          from: { id: 1, is_bot: false, first_name: "Ann" },
          text: `@bot ${text}`,
          entities: [
            { type: "mention", offset: 0, length: 4 },
            ...["bold", "spoiler", "text_link", "blockquote", "pre"].map((type, index) => ({
              type,
              offset: 5 + index,
              length: text.length,
              url: text,
              language: text,
            })),
          ],
          quote: { text, position: 0 },
          reply_to_message: {
            message_id: 2,
            date: 1,
            chat: { id: -1, type: "group" },
            text,
          },
        },
      },
      {
        bot: { id: 7, username: "bot", hasCommand: () => true },
        nowMs: 1,
        files: { fetcher: () => () => Promise.reject(new Error("no files")) },
      },
    ),
  contentWords: (text) => {
    for (const kind of Object.keys(contentKinds))
      contentWords({ [kind]: { title: text, question: text, vcard: text, emoji: text } });
  },
  richWords: (text) =>
    richWords({
      blocks: text.split("\n").map((line) => ({ type: "p", text: [line] })),
    }),
  discord: (text) => {
    const message = messageSchema.parse({
      id: "5",
      channel_id: "7",
      type: MessageType.Default,
      author: { id: "2", username: "ann" },
      content: `<@700> ${text}`,
      mentions: [{ id: "700", username: "parley" }],
    });
    titleOf(message, "700");
    return translateMessage(message, {
      botId: "700",
      commands: byName([]),
      place: { chat: "7" },
      atMs: 1,
      fetchFile: () => Promise.reject(new Error("no files")),
    });
  },
  "discord's echo of a question": quoted,
};

/** What is done with the words of models and tools, and with a conversation. */
const ofModels: Readonly<Record<string, TextReader>> = {
  deltas: (text) => {
    for (const opening of ["", "<think>", "[TOOL_CALLS]", "<tool_call>", "<thinking>"]) {
      const answer = new AnswerText();
      answer.text(opening);
      for (const delta of text) answer.text(delta);
      answer.flush();
    }
  },
  "deltas of unopened thoughts": (text) => {
    const answer = new AnswerText();
    answer.text("a");
    for (const delta of text) answer.text(delta);
    answer.flush();
  },
  withoutToolLine: (text) => withoutToolLine(`a${text}\u2699x`),
  "a single delta": (text) => {
    const answer = new AnswerText();
    answer.text(`<think>${text}`);
    answer.flush();
  },
  "printed calls in a single delta": (text) => {
    for (const opening of ["", "<|channel|>commentary", "```\n"]) {
      const answer = new AnswerText();
      answer.text(`${opening}${text}`);
      answer.flush();
    }
  },
  isPlain,
  sourcesOf,
  shownHead,
  withoutOurBrackets,
  requestView: (text) =>
    buildRequestView({
      transcript: historyWith(text.slice(text.length * 0.75)),
      viewStart: 0,
      card: { id: "demo/demo", tools: true, thinking: true },
      context: [],
      tool: () => undefined,
      keepTurns: 1,
    }),
  contextBlocks: (text) =>
    contextBlocks({
      systemPrompt: text,
      skills: [],
      notes: [text],
      kept: keptOf(text),
      place: { platform: "console", group: false },
    }),
  namedAddress: (text) =>
    toolboxIn(noTools, { transcript: historyWith(text), viewStart: 0 })
      .conversationFor?.("fetch_url")
      .names(`${text.slice(0, text.length / 2)}b`),
  "namedAddress of a short one": (text) =>
    toolboxIn(noTools, { transcript: historyWith(text), viewStart: 0 })
      .conversationFor?.("fetch_url")
      .names(`${text.slice(0, 1_000)}b`),
  observe: (text) =>
    observe({
      wireName: "lookup",
      arguments: JSON.stringify({ text }),
      resultText: text,
      failed: false,
      tool: undefined,
    }),
  quotedWords: (text) => {
    new QuotedWords().add(text);
  },
  "quotedWords of others": (text) => {
    const quotedWords = new QuotedWords();
    quotedWords.add(`${text.slice(0, 50)}x${text.slice(0, 50)}`);
    quotedWords.areIn(text);
  },
  erase: (text) => erase(historyWith(text)),
  "erase of others' words": (text) =>
    erase([messageWith("a short sentence to look for"), answerWith(text)]),
  export: (text) => historyWith(text).map((entry) => entryMarkdown(1, entry, locale)),
  cleanText: (text) => cleanText(text, 1_000),
  ruleName: (text) => ruleName("server", text),
  safeFileName,
  mcpResult: (text) => readResult({ content: [{ type: "text", text }] }),
};

/** What is done with texts for operators. */
const ofOperators: Readonly<Record<string, TextReader>> = {
  redact,
  mask,
  wildcards: (text) => wildcards("*a*a*a*a*b")(text),
  argumentsMatcher: (text) => argumentsMatcher({ path: "*a*a*.b" })({ path: text }),
  trace: (text) =>
    traceJson(
      {
        v: 1,
        chat: chatKey({ platform: "console", bot: "1", chat: "1" }),
        turn: 1,
        call: 1,
        purpose: "answer",
        atMs: 1,
        tier: "fast",
        model: "demo/demo",
        why: "",
        request: {
          messages: [{ role: "user", text }],
          tools: [],
          toolChoice: "auto",
          options: {},
        },
        diagnostics: [],
        response: { text: "", reasoning: "", calls: [] },
        attempts: [],
        timing: { totalMs: 1 },
      },
      redact,
    ),
};

/**
 * A conversation is counted ahead, in pieces; at once only summaries are, which are no longer than
 * this. What was counted is remembered, so each time it is another text.
 */
function summaryCounter(count: TextReader): TextReader {
  let times = 0;
  return (text) => count(`${times++}${text.slice(0, 20_000)}`);
}

/**
 * Everything that reads a text of people, models, tools or servers at once, by name. Renderers are
 * not among them.
 */
export const textReaders: Readonly<Record<string, TextReader>> = {
  ...ofCards,
  ...ofPeople,
  ...ofModels,
  ...ofOperators,
  tokens: summaryCounter(await loadTokenizer()),
};
