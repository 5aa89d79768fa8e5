import { parentPort } from "node:worker_threads";
import { argumentsMatcher } from "../../src/access/argument-patterns.ts";
import { looksLikeEdit, readEdit } from "../../src/access/edit-input.ts";
import { wildcards } from "../../src/access/wildcards.ts";
import { spokenDecision } from "../../src/core/decision-words.ts";
import { createRedactor } from "../../src/app/redactor.ts";
import { sanitize } from "../../src/bots/console/format/sanitize.ts";
import { render } from "../../src/bots/discord/format/render.ts";
import { whatWasSaid } from "../../src/bots/telegram/receive/addressed.ts";
import { formatMarkdown } from "../../src/bots/telegram/format/format.ts";
import { mask } from "../../src/config/problems.ts";
import { legible } from "../../src/core/hide-secrets.ts";
import { readLimits } from "../../src/core/limit-text.ts";
import { safeFileName } from "../../src/core/outbox.ts";
import { visible } from "../../src/core/visible-text.ts";
import { argumentBlocks } from "../../src/deliver/argument-blocks.ts";
import { plainWords } from "../../src/deliver/plain-words.ts";
import { codeIn } from "../../src/loop/looks-like-code.ts";
import { withoutOurBrackets } from "../../src/core/platform-voice.ts";
import { lookalikes } from "../../src/core/lookalikes.ts";
import { cleanText } from "../../src/tools/mcp/clean-text.ts";
import { hostileMarkdown } from "../support/hostile-markdown.ts";
import { AnswerText } from "../../src/models/answer-text.ts";
import { wishesIn } from "../../src/models/demo/wishes.ts";
import { toolboxIn } from "../../src/loop/named-addresses.ts";
import { QuotedWords } from "../../src/loop/quoted-words.ts";
import { isOpaque } from "../../src/core/destinations.ts";
import { ruleName } from "../../src/tools/mcp/rule-name.ts";

/** Everything that reads text of people, models, tools or servers with patterns of its own. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  redact: createRedactor(["a-secret-of-the-operator"]),
  hideSecrets: (text) => legible(text, String),
  mask,
  visible: (text) => visible(text),
  lookalikes,
  plainWords,
  cleanText: (text) => cleanText(text, 1_000),
  ruleName: (text) => ruleName("server", text),
  safeFileName,
  sanitize,
  withoutOurBrackets,
  codeIn,
  spokenDecision,
  looksLikeEdit,
  readEdit: (text) =>
    readEdit(text, {
      arguments: { a: "•••• (", apiKey: text },
      schema: {},
      charactersOf: String,
      keepsHidden: false,
    }),
  readLimits: (text) => readLimits("cost", text),
  wildcards: (text) => wildcards("*a*a*a*a*b")(text),
  argumentsMatcher: (text) =>
    argumentsMatcher({ path: "*a*a*.b" })({ path: text }),
  argumentBlocks: (text) =>
    argumentBlocks(
      JSON.stringify({ text, before: text, after: `${text}x` }),
      String,
    ),
  addressed: (text) =>
    whatWasSaid(
      { message_id: 1, chat: { id: -1, type: "group" }, text },
      { id: 7, username: "bot", hasCommand: () => true },
    ),
  telegramMarkdown: formatMarkdown,
  discordMarkdown: render,
  isOpaque: (text) => isOpaque(`%${text}`),
  fencedEdit: (text) => looksLikeEdit(`\`\`\`${text}`),
  deltas: (text) => {
    for (const opening of ["", "<think>"]) {
      const answer = new AnswerText();
      answer.text(opening);
      for (const delta of text) answer.text(delta);
    }
  },
  wishesIn,
  quotedWords: (text) => {
    const words = new QuotedWords();
    words.add(text);
    words.areIn(`${text.slice(1)}b`);
  },
  namedAddress: (text) =>
    toolboxIn(noTools, conversationWith(text))
      .conversationFor?.("fetch_url")
      .names(`${text.slice(0, text.length / 2)}b`),
};

const noTools = { specs: [], find: () => undefined };

const conversationWith = (text: string) => ({
  transcript: [
    {
      kind: "message",
      v: 1,
      id: "m1",
      person: { id: "telegram:1", name: "Ann" },
      text,
      atMs: 0,
    } as const,
  ],
  viewStart: 0,
});

const length = 200_000;

/** Long texts of one kind of letter, each of which some pattern could go over again and again. */
const texts: readonly string[] = [
  "a",
  " ",
  "\n",
  "\t",
  "a ",
  "a.",
  "a-",
  "-",
  "_",
  "/",
  "\\",
  ":",
  "=",
  "a=",
  "&a=",
  '"',
  "'",
  "`",
  "*",
  "[",
  "](",
  "<",
  "@",
  "a@",
  "$",
  "|",
  ">",
  "#",
  "{",
  "0",
  "0,",
  "25",
  "://a",
  "bearer ",
  "token: ",
  "eyJ",
  "-----BEGIN ",
  "\u202e",
  "\u0301",
  "a\u0430",
  "👍",
].map((part) => part.repeat(Math.ceil(length / part.length)));

/** Several lines, and structures within each other. */
const nested: readonly string[] = [
  ...Object.values(hostileMarkdown).map((textOf) => textOf(20_000)),
  ...["[From the platform: ", "[[{", '{"a":[', "<p><b>", "yes\n", "/a b\n"].map(
    (part) => part.repeat(20_000 / part.length),
  ),
];

const forms = (text: string): readonly string[] => [
  text,
  `${text}!`,
  `x=${text}`,
  `x=${text}!`,
];

for (const [name, read] of Object.entries(readers))
  for (const whole of [...texts.flatMap(forms), ...nested]) {
    const what = `${name} of ${JSON.stringify(whole.slice(0, 12))}…`;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a worker's port, which has no origin
    parentPort?.postMessage(what);
    read(whole);
  }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- likewise
parentPort?.postMessage("done");
