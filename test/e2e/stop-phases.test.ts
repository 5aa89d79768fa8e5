import { beforeAll, describe, expect, it } from "vitest";
import type { LogEntry } from "../../src/core/history.ts";
import type { ModelRequest } from "../emulators/model/model-request.ts";
import { historyProblems } from "../support/parley/history-problems.ts";
import { isClosed } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { expectTexts, outcomesIn, type ToolOutcome } from "../support/parley/outcomes.ts";
import { openRecords } from "../support/parley/records.ts";
import { openShop } from "../support/parley/shop.ts";
import { timeoutMs, type Shown, type TestChat } from "../support/parley/stage.ts";
import { openWires } from "../support/parley/wires.ts";

const world = await openWorld();
const { model, telegram } = world;
const records = openRecords(world);
const wires = await openWires(world);
const shop = await openShop();

const config = `
providers: { ${wires.providers.join(", ")} }
models:
  openai/gpt-5-mini: { contextWindow: 5000 }
  ${wires.models.join("\n  ")}
tiers:
  balanced: { models: [openai/gpt-4o-mini] }
  compaction: { models: [openai/gpt-4o] }
context: { protectPairs: 0 }
${shop.config}
`;

/** One conversation on its way into the phase in which it is stopped. */
class Walk implements Disposable {
  readonly chat = telegram.direct("Ann");
  /** Words of this conversation alone. */
  readonly tag: string;
  readonly #gates = new DisposableStack();

  constructor(name: string) {
    this.tag = `[${name}]`;
  }

  /** Sends a message whose last line this is. */
  ask(line: string): void {
    this.chat.say(`${this.tag}\n${line}`);
  }

  /** Its next request of this kind stands still there; fulfils when it does. */
  async hold(
    at: "headers" | number,
    isMeant: (request: ModelRequest) => boolean = () => true,
  ): Promise<void> {
    const gate = this.#gates.use(
      model.hold((request) => this.isShown(request) && isMeant(request), {
        at,
      }),
    );
    await gate.waitUntilHeld({ timeoutMs });
  }

  isShown({ messages }: ModelRequest): boolean {
    return messages.some(({ text }) => text.includes(this.tag));
  }

  /** Makes the conversation longer by about 3,000 tokens. */
  async fill(): Promise<void> {
    for (const count of [1, 2, 3]) {
      this.ask("long 3900");
      await telegram.until(
        () => this.chat.shown().filter(isLong).length === count,
        `${count} long answers`,
      );
      await records.idle(this.chat);
    }
  }

  /** Sends `/stop`, whatever else comes; fulfils with its answer. */
  async stop(): Promise<string> {
    const known = new Set(this.chat.shown().map(({ id }) => id));
    this.chat.say("/stop");
    const { text } = await this.chat.wait((message) => !known.has(message.id) && isTold(message));
    return text;
  }

  /** Fulfils when the model's server has lost a client of this conversation. */
  async aborted(): Promise<void> {
    await model.waitForRequest((request) => request.state === "aborted" && this.isShown(request), {
      timeoutMs,
      what: `an aborted request of ${this.tag}`,
    });
  }

  [Symbol.dispose](): void {
    this.#gates.dispose();
  }
}

/** What a slow machine shows while a call runs beside the question stays, as it ended. */
const isToolLine = (text: string): boolean => text === "⚙ Read notes ✓";
const isLong = ({ text }: Pick<Shown, "text">): boolean => text.length > 3_800;
const isTold = ({ text }: Shown): boolean => /^(Stopped|Nothing is running)/.test(text);

interface Phase {
  /** Fulfils when the turn is in the phase. */
  readonly reach: (walk: Walk) => Promise<void>;
  /** What `/stop` says; that it stopped, if left out. */
  readonly told?: RegExp;
  /** What else the person has before their eyes afterwards. */
  readonly leaves?: readonly (string | RegExp)[];
  /** What became of the turn's calls. */
  readonly results?: readonly ToolOutcome[];
  /** The kinds of the history's last entries. */
  readonly logged: readonly LogEntry["kind"][];
  readonly check?: (walk: Walk, history: readonly LogEntry[]) => void | Promise<void>;
}

/** What stands in the place of a preview that came to nothing. */
const stopped = "(stopped)";
const nine = "one two three four five six seven eight nine";
const called = ["message", "assistant", "tool"] as const;

const cardIn = (chat: TestChat): Promise<Shown> => chat.wait(({ buttons }) => buttons.length > 0);

const isSummary = ({ systemText }: ModelRequest): boolean => systemText.includes("You shorten");

const phases: Record<string, Phase> = {
  "before the answer's first word": {
    async reach(walk) {
      walk.ask("say nothing at all");
      await walk.hold("headers");
    },
    logged: ["message", "end"],
    check: (walk) => walk.aborted(),
  },
  "after its first words, which no one has seen yet": {
    async reach(walk) {
      walk.ask("say one two");
      await walk.hold(2);
    },
    logged: ["message", "assistant", "end"],
    check: (walk) => walk.aborted(),
  },
  "in the middle of the answer": {
    async reach(walk) {
      walk.ask(`say ${nine} ten eleven twelve`);
      await walk.hold(9);
      await walk.chat.wait("nine");
    },
    leaves: [new RegExp(`^${nine}\\n[^]*\\(stopped\\)`)],
    logged: ["message", "assistant", "end"],
    async check(walk, history) {
      const part = history.find((entry) => entry.kind === "assistant");
      expect(part).toMatchObject({ partial: true, calls: [] });
      expect(part?.text.trim()).toBe(nine);
      await walk.aborted();
    },
  },
  "between two attempts at an answer": {
    async reach({ tag, chat }) {
      model.when(`${tag}\nsay it now`, {
        failure: { status: 429, retryAfterSeconds: 30 },
      });
      chat.say(`${tag}\nsay it now`);
      await model.waitForRequest(
        ({ lastUserText, state }) => lastUserText.includes(tag) && state === "failed",
      );
    },
    logged: ["message", "end"],
  },
  "while a tool reads": {
    async reach({ tag, chat }) {
      chat.say(`${tag}\ncall shop_look {"hold":"${tag}"}`);
      await shop.held(tag);
      await chat.wait("shop: Look");
    },
    leaves: [stopped],
    results: ["cancelled"],
    logged: [...called, "end"],
    check: async ({ tag }) => (await shop.held(tag)).cancelled,
  },
  "while a tool runs that may have worked": {
    async reach({ tag, chat }) {
      chat.say(`${tag}\ncall shop_pay {"hold":"${tag}"}`);
      await shop.held(tag);
      await chat.wait("shop: Pay");
    },
    leaves: [stopped],
    results: ["outcome-unknown"],
    logged: [...called, "end"],
    check: async ({ tag }) => (await shop.held(tag)).cancelled,
  },
  "while some of its tools have run and others have not": {
    async reach({ tag, chat }) {
      chat.say(
        `${tag}\ncall shop_look {"for":"${tag}"} and shop_look {"hold":"${tag}"} and shop_pay {"for":"${tag}"}`,
      );
      await shop.held(tag);
      await chat.wait("shop: Look");
    },
    leaves: [stopped],
    results: ["done", "cancelled", "cancelled"],
    logged: [...called, "tool", "tool", "end"],
    check: ({ tag }) => expect(shop.callsFor(tag)).toEqual(["look", "look"]),
  },
  "while it waits for an approval": {
    async reach({ tag, chat }) {
      chat.say(`${tag}\ncall read_notes {} and write_note {"note":"tea"}`);
      await cardIn(chat);
    },
    leaves: [/cancelled\n[^]*tea/],
    results: ["done", "cancelled"],
    logged: [...called, "tool", "end"],
    async check({ chat }) {
      const [card] = chat.shown();
      if (card === undefined) throw new Error("the card was shown");
      await chat.wait(isClosed(card, "cancelled"));
      expect(chat.shown().flatMap(({ buttons }) => buttons)).toEqual([]);
    },
  },
  "while a tool runs that was approved": {
    async reach({ tag, chat }) {
      chat.say(`${tag}\ncall shop_buy {"hold":"${tag}"}`);
      await chat.tap(await cardIn(chat), "Approve");
      await shop.held(tag);
      await chat.wait("⚙ shop: Buy");
    },
    leaves: [/approved by Ann\n`?shop\.buy/, stopped],
    results: ["outcome-unknown"],
    logged: [...called, "end"],
  },
  "between two rounds": {
    async reach(walk) {
      walk.ask("call read_notes {} then read_notes {}");
      await walk.hold("headers", ({ lastRole }) => lastRole === "tool");
      await walk.chat.wait("✓");
    },
    leaves: [stopped],
    results: ["done"],
    logged: [...called, "end"],
  },
  "before the last words of a turn that ends anyway": {
    async reach(walk) {
      const { chat } = walk;
      walk.ask(`call write_note {"note":"tea"}`);
      const card = await cardIn(chat);
      // The model may be asked before the tap is answered.
      const held = walk.hold("headers", ({ lastRole }) => lastRole === "tool");
      await Promise.all([held, chat.tap(card, "Deny")]);
    },
    leaves: [/denied by Ann\n[^]*tea/],
    results: ["confirmation-denied"],
    logged: [...called, "end"],
  },
  "while the conversation is shortened before an answer": {
    async reach(walk) {
      await walk.fill();
      await walk.chat.command("model", "gpt-5-mini");
      walk.ask("say something short");
      await walk.hold("headers", isSummary);
      await walk.chat.wait("summarizing our conversation");
    },
    // What was not done then is done when the chat goes on.
    leaves: [stopped, /^I summarized the earlier part/],
    logged: ["assistant", "message", "end"],
    check: (walk) => walk.aborted(),
  },
  "while the conversation is shortened by /compact": {
    async reach(walk) {
      await walk.fill();
      walk.chat.say("/compact");
      await walk.hold("headers", isSummary);
      await walk.chat.wait("summarizing our conversation");
    },
    leaves: [/^One moment\.$/, stopped],
    logged: ["message", "assistant", "end"],
    check: (walk) => walk.aborted(),
  },
  "while other messages wait behind": {
    async reach(walk) {
      walk.ask("say nothing at all");
      await walk.hold("headers");
      walk.ask("say the second");
      walk.ask("say the third");
      await records.waiting(walk.chat, 2);
    },
    told: /^Stopped\. I also discarded 2 waiting messages\.$/,
    logged: ["message", "end", "message", "end", "message", "end"],
    check: ({ tag }) =>
      expect(wires.requestsWith(tag).map(({ lastUserText }) => lastUserText)).toEqual([
        `${tag}\nsay nothing at all`,
      ]),
  },
  "in the middle of /auto": {
    async reach(walk) {
      const { tag, chat } = walk;
      model.when(
        ({ lastUserText }) => lastUserText.includes(tag) && lastUserText.includes("turn 1 of 5"),
        { text: "The first step is done." },
      );
      chat.say(`/auto ${tag} 5`);
      await walk.hold("headers", ({ lastUserText }) => lastUserText.includes("turn 2 of 5"));
    },
    leaves: [/^On it\. I'll work on this/, "The first step is done."],
    logged: ["message", "assistant", "message", "end"],
  },
  "when nothing runs": {
    async reach(walk) {
      walk.ask("say all is well");
      await walk.chat.wait("all is well");
      await records.idle(walk.chat);
    },
    told: /^Nothing is running\.$/,
    leaves: ["all is well"],
    logged: ["message", "assistant"],
  },
};

/** Someone who writes before there is a worker. */
const early = new Walk("before anybody works");
let earlyAnswer = "";

beforeAll(async () => {
  model.when(isSummary, { text: "user: long\nassistant: numbers" });
  const platform = telegram.environment;
  // Who hears of the stop never works on the turn: it has to cross from one process to the other.
  await world
    .start({
      environment: { ...world.services, ...platform, PARLEY_ROLE: "bots" },
      config,
    })
    .ready();
  await telegram.connected();
  early.ask("say hello");
  await records.waiting(early.chat, 1);
  earlyAnswer = await early.stop();
  await world
    .start({
      environment: { ...world.services, PARLEY_ROLE: "worker" },
      config,
    })
    .ready();
});

describe("/stop", () => {
  it.concurrent.each(Object.entries(phases))(
    "%s ends the turn, and the chat goes on",
    async (name, { reach, told = /^Stopped\.$/, leaves = [], ...phase }) => {
      using walk = new Walk(name);
      const { chat, tag } = walk;
      await reach(walk);
      expect(await walk.stop()).toMatch(told);
      const history = await records.idle(chat);
      expect(history.slice(-phase.logged.length).map(({ kind }) => kind)).toEqual(phase.logged);
      checkHistory(history, phase.results);
      await phase.check?.(walk, history);
      walk[Symbol.dispose]();
      await wires.goOn(chat, tag);
      const texts = wires.shownSince(chat, 0);
      expectTexts(
        texts.filter((text) => !isLong({ text }) && !isToolLine(text)),
        [told, ...leaves],
      );
      expect(historyProblems(await records.history(chat))).toEqual([]);
    },
  );

  it.concurrent("twice at once ends the turn once", async () => {
    using walk = new Walk("twice");
    const { chat, tag } = walk;
    walk.ask("say nothing at all");
    await walk.hold("headers");
    chat.say("/stop");
    chat.say("/stop");
    await telegram.until(() => chat.shown().some(isTold), "an answer");
    const history = await records.idle(chat);
    expect(history.map(({ kind }) => kind)).toEqual(["message", "end"]);
    checkHistory(history);
    walk[Symbol.dispose]();
    await wires.goOn(chat, tag);
    const shown = wires.shownSince(chat, 0);
    // Two that end the same turn within three seconds are answered once; one that finds it ended
    // already says so.
    expect(shown).toContain("Stopped.");
    expect(shown.filter((text) => text === "Stopped.")).toHaveLength(1);
  });

  it("before anybody works drops the message that waits", async () => {
    const { chat, tag } = early;
    expect(earlyAnswer).toBe("Stopped. I also discarded 1 waiting message.");
    const history = await records.idle(chat);
    expect(history.map(({ kind }) => kind)).toEqual(["message", "end"]);
    checkHistory(history);
    expect(wires.requestsWith(tag)).toEqual([]);
    await wires.goOn(chat, tag);
    expectTexts(wires.shownSince(chat, 0), [earlyAnswer]);
  });
});

/** Every end is the stop's, and every call has its result. */
function checkHistory(history: readonly LogEntry[], results: readonly ToolOutcome[] = []): void {
  expect(historyProblems(history)).toEqual([]);
  expect(outcomesIn(history)).toEqual(results);
  const ends = history.filter((entry) => entry.kind === "end");
  expect(ends.filter(({ reason }) => reason !== "cancelled")).toEqual([]);
}
