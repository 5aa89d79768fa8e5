import { formatMarkdown } from "../../../src/bots/telegram/format/format.ts";
import { memoryConfig } from "./memory-records.ts";
import { refusals } from "./refusals.ts";
import { answered, ask, behind, exactly, type Act, type Line, type Scenario } from "./scenario.ts";
import {
  timeoutMs as stageTimeoutMs,
  type Shown,
  type TestChat,
} from "../../support/parley/stage.ts";

/** A person who sees nothing happen for so long taps again. Milliseconds. */
const timeoutMs = 5_000;

const call = (tool: string) => ask((tag) => `call shop_${tool} {"for":"${tag}"}`);

/** Forwards and a comment behind them are one turn, whatever dies while they come. */
const gesture: Scenario = {
  name: "gesture",
  platform: "telegram",
  async play({ chat, tag }) {
    chat.forward([`${tag} first`, `${tag} second`]);
    chat.say(`say ${tag} both`);
    await chat.wait(`${tag} both`);
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  lines: ({ tag }) => [
    // A process that dies between them answers the forwards alone before it hears of the comment.
    { reads: /^You said: \[forwarded/, optional: true },
    exactly(`${tag} both`),
    exactly(behind(tag)),
  ],
};

/** Taps it on whatever card is there, as often as it takes. */
async function approve(chat: TestChat, label: "Approve" | "Keep" = "Approve"): Promise<void> {
  const tapped = new Set<string>();
  for (;;) {
    const card = await chat.wait(({ id, buttons }) => buttons.includes(label) && !tapped.has(id));
    const told = await tapOnce(chat, card, label);
    if (/^Approved|^Kept|approved by /.test(told)) return;
    // Nothing for someone whose tap got lost, as it may on Discord; else the card is not the one
    // that counts.
    if (told !== "" && !told.includes("tap again")) tapped.add(card.id);
    if (isDecided(chat)) return;
  }
}

const isDecided = (chat: TestChat): boolean =>
  chat.shown().some(({ text }) => /approved by|kept by/.test(text));

async function tapOnce(chat: TestChat, card: Shown, label: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(""), timeoutMs);
  // A button that is gone meanwhile, or an interaction that no one answered, tells a person
  // nothing.
  chat.tap(card, label).then(resolve, () => resolve(""));
  const told = await promise;
  clearTimeout(timer);
  return told;
}

const askedAndApproved = async ({ chat, tag }: Act): Promise<void> => {
  chat.say(`call shop_buy {"for":"${tag}"}`);
  await approve(chat);
  chat.say(`say ${behind(tag)}`);
  await chat.wait(behind(tag));
};

const approvedLines = ({ tag }: Pick<Act, "tag">): readonly Line[] => [
  exactly(/approved by Ann\n`?shop\.buy/),
  exactly(/^shop_buy said: (?:buy done$|outcome-unknown: )/),
  exactly(behind(tag)),
];

const words = "one two three four five six seven eight nine ten";

const longAnswer = 9_000;
/** What `long <n>` says. */
const numbers = Array.from({ length: longAnswer }, (_, index) => index + 1)
  .join(" ")
  .slice(0, longAnswer);

const plain: Scenario = {
  name: "plain",
  platform: "telegram",
  play: ask((tag) => `say ${tag} it is`),
  lines: answered((tag) => `${tag} it is`),
};

const approval: Scenario = {
  name: "approval",
  platform: "telegram",
  play: askedAndApproved,
  lines: approvedLines,
  tool: { name: "buy", effect: "once" },
};

/** A fact that a person agreed to is kept once. */
const fact: Scenario = {
  name: "fact",
  platform: "telegram",
  async play({ chat, tag }) {
    chat.say(`call remember {"about":"me","fact":"${tag} likes tea"}`);
    await approve(chat, "Keep");
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  lines: ({ tag }) => [
    exactly(/kept by Ann\n/),
    exactly("remember said: Kept."),
    exactly(behind(tag)),
  ],
  left: ({ chat, tag, records }) => records.memory.factProblems(chat.personId, tag),
};

/** The index is as it would be without a death. */
const indexing: Scenario = {
  name: "indexing",
  platform: "telegram",
  config: memoryConfig,
  async play({ chat, tag, records }) {
    chat.say(`say ${tag} begins`);
    await chat.wait(`${tag} begins`);
    await records.memory.index(await records.chatWith(tag));
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  lines: ({ tag }) => [exactly(`${tag} begins`), exactly(behind(tag))],
  left: async ({ tag, records }) => records.memory.indexProblems(await records.chatWith(tag)),
};

/** What `/new` has ended has one summary. */
const summary: Scenario = {
  name: "summary",
  platform: "telegram",
  async prepare({ chat, tag }) {
    chat.say(`say ${tag} begins`);
    await chat.wait(`${tag} begins`);
  },
  async play({ chat, tag, records }) {
    chat.say("/new");
    await chat.wait(isNewTold);
    await records.memory.summarise(await records.chatWith(tag));
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  lines: ({ tag }) => [exactly(newTold), exactly(behind(tag))],
  left: async ({ tag, records }) => records.memory.summaryProblems(await records.chatWith(tag)),
};

/** What a schedule brings is there once, whatever step of firing it the process dies at. */
const scheduled = (type: "ask" | "remind", reads: (tag: string) => string): Scenario => ({
  name: `schedule-${type}`,
  platform: "telegram",
  script: (model) => void model.when(/(k\S+ is due)$/, (_request, [, text = ""]) => ({ text })),
  async prepare({ chat, tag }) {
    chat.say(`say ${tag} begins`);
    await chat.wait(`${tag} begins`);
  },
  async play({ chat, tag, records }) {
    await records.schedule(tag, { type, text: `${tag} is due` });
    await chat.wait(reads(tag));
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  lines: ({ tag }) => [exactly(reads(tag)), exactly(behind(tag))],
});

/** A change that a watch sees is answered once. */
const watched: Scenario = {
  ...scheduled("ask", (tag) => `${tag} is due`),
  name: "schedule-watch",
  async play({ chat, tag, records }) {
    const text = `${tag} is due`;
    const given = { for: tag };
    const schedule = await records.schedule(tag, { type: "watch", tool: "shop.look", given, text });
    await chat.wait(text);
    await schedule.remove();
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  tool: { name: "look", effect: "read" },
};

export const scenarios: readonly Scenario[] = [
  plain,
  {
    name: "growing",
    platform: "telegram",
    play: ask((tag) => `slow 120 ${tag} ${words}`),
    lines: answered((tag) => `${tag} ${words}`),
  },
  {
    name: "once",
    platform: "telegram",
    play: call("pay"),
    lines: answered(() => /^shop_pay said: (?:pay done$|outcome-unknown: )/),
    tool: { name: "pay", effect: "once" },
  },
  {
    name: "keyed",
    platform: "telegram",
    play: call("book"),
    lines: answered(() => "shop_book said: book done"),
    tool: { name: "book", effect: "keyed" },
  },
  {
    name: "read",
    platform: "telegram",
    play: call("look"),
    lines: answered(() => "shop_look said: look done"),
    tool: { name: "look", effect: "read" },
  },
  approval,
  {
    name: "fallback",
    platform: "telegram",
    config: `tiers: { balanced: { models: [openai/gpt-5-mini, openai/gpt-4o-mini] } }`,
    script: (model) =>
      void model.when((request) => request.model === "gpt-5-mini", {
        failure: { status: 401 },
      }),
    play: plain.play,
    lines: plain.lines,
  },
  {
    name: "kept",
    platform: "telegram",
    tolerates: [/^the model failed$/],
    script: (model) => void model.when(/is away$/, { failure: { status: 503 } }),
    async play({ chat, tag }) {
      chat.say(`${tag} is away`);
      await chat.wait("message is saved");
      chat.say(`say ${behind(tag)}`);
      await chat.wait(behind(tag));
    },
    lines: answered(() => /^Sorry, my AI model isn't answering right now\. Your message is saved/),
  },
  {
    name: "compaction",
    platform: "telegram",
    config: `
models: { openai/gpt-5-mini: { contextWindow: 5000 } }
tiers: { balanced: { models: [openai/gpt-4o-mini] }, compaction: { models: [openai/gpt-4o] } }
context: { protectPairs: 0 }`,
    async prepare({ chat }) {
      for (const count of [1, 2, 3]) {
        chat.say("long 3900");
        await chat.wait(
          () => chat.shown().filter(({ text }) => text.length > 3_800).length === count,
        );
      }
      await chat.command("model", "openai/gpt-5-mini");
    },
    play: plain.play,
    lines: (act) => [
      // While it takes long the answer's own message says so, and then stands above.
      {
        reads: /^I summarized the earlier part/,
        anywhere: true,
      },
      ...plain.lines(act),
    ],
  },
  {
    name: "three-chunks",
    platform: "telegram",
    play: ask(() => `long ${longAnswer}`),
    lines: ({ tag }) => [
      ...formatMarkdown(numbers).map(({ text }) => exactly(text.trim())),
      exactly(behind(tag)),
    ],
  },
  {
    name: "stop",
    platform: "telegram",
    async play({ chat, tag, model }) {
      using gate = model.hold(tag, { at: 3 });
      chat.say(`say ${words} ${tag}`);
      await gate.waitUntilHeld({ timeoutMs: stageTimeoutMs });
      chat.say("/stop");
      await chat.wait(isStopTold);
      gate.release();
      chat.say(`say ${behind(tag)}`);
      await chat.wait(behind(tag));
    },
    lines: ({ tag }) => [
      { reads: /^(?:one two three\s*)?(?:\(stopped\))?$/, optional: true },
      exactly(stopTold),
      exactly(behind(tag)),
    ],
  },
  gesture,
  fact,
  indexing,
  summary,
  scheduled("ask", (tag) => `${tag} is due`),
  scheduled("remind", (tag) => `⏰ ${tag} is due`),
  watched,
  ...refusals,
  { ...plain, name: "discord-plain", platform: "discord" },
  { ...approval, name: "discord-approval", platform: "discord" },
  {
    ...scheduled("remind", (tag) => `⏰ ${tag} is due`),
    name: "discord-schedule",
    platform: "discord",
  },
];

const newTold = /^(?:New conversation\.|I.ll finish the current answer)/;
const isNewTold = ({ text }: Shown): boolean => newTold.test(text);

const stopTold = /^(?:Stopped|Nothing is running)/;
const isStopTold = ({ text }: Shown): boolean => stopTold.test(text);
