import { beforeAll, describe, expect, it } from "vitest";
import type { EndReason, LogEntry } from "../../src/core/history.ts";
import type { RecordedRequest } from "../emulators/model/scripted-model.ts";
import { historyProblems } from "../support/parley/history-problems.ts";
import { isClosed } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import {
  expectTexts,
  outcomesIn,
  reads,
  withoutTools,
  type ToolOutcome,
} from "../support/parley/outcomes.ts";
import { openRecords } from "../support/parley/records.ts";
import { openShop } from "../support/parley/shop.ts";
import { type Shown, type TestChat } from "../support/parley/stage.ts";
import { openWires } from "../support/parley/wires.ts";

const world = await openWorld();
const { model, telegram } = world;
const records = openRecords(world);
const wires = await openWires(world);
const shop = await openShop();

const config = `
providers: { ${wires.providers.join(", ")} }
models:
  openai/gpt-4o-mini: { usdPerMillionTokens: { input: 100, output: 100 } }
  ${wires.models.join("\n  ")}
tiers:
  fast: { models: [openai/gpt-4o], temperature: 0.5, turn: { maxModelCalls: 3 } }
  balanced: { models: [openai/gpt-4o-mini] }
  smart: { models: [openai/gpt-4o] }
  deep: { models: [openai/gpt-5-mini] }
  compaction: { models: [openai/gpt-4o] }
turn: { maxModelCalls: 6, loop: { sameCall: 2, hints: 2 } }
context: { protectPairs: 0 }
tools: { rules: [{ match: calculate, deny: true }] }
${shop.config}
`;

/**
 * Whose words end the turn: the model's, asked for the last time without tools; ours; the model's
 * that were cut off.
 */
type LastWords = "model" | "ours" | "partial" | "none";

interface Scenario {
  readonly reason: EndReason;
  /** Commands that its chat was given. */
  readonly set?: readonly (readonly [name: string, argument: string])[];
  /** Characters of the answers that came before. */
  readonly before?: readonly number[];
  /** The last line of the question, or a command. */
  readonly asks: string;
  /** The model stands still in the middle of its answer until the end. */
  readonly isHeld?: boolean;
  /** What happens until the end. */
  readonly during?: (chat: TestChat) => Promise<void>;
  readonly lastWords: LastWords;
  /** The one message that ends the turn, if any. */
  readonly says?: string | RegExp;
  /** What else the person has before their eyes then. */
  readonly besides?: readonly RegExp[];
  /** What became of the turn's calls, in their order. */
  readonly results?: readonly ToolOutcome[];
  /** Names of the models that were asked, in order. */
  readonly models: readonly string[];
  readonly check?: (was: {
    readonly requests: readonly RecordedRequest[];
    readonly turn: readonly LogEntry[];
  }) => void;
}

/** What people read below the model's own last words, also below those that were cut off. */
const lines: Partial<Record<EndReason, RegExp>> = {
  "max-model-calls": /I stopped here because .* limit of \d steps?\./,
  "max-tool-executions": /I stopped here because .* limit of 1 tool use\./,
  "loop-detected": /I was going in circles, so I stopped\./,
  "tool-failure": /I stopped here, because a tool failed\.$/,
  "confirmation-denied": /I stopped here because that wasn't approved\.$/,
  "policy-denied": /I stopped here, because that isn't allowed\.$/,
  cancelled: /\(stopped\)$/,
  superseded: /\(stopped for a newer message\)$/,
};

const twelve = "one two three four five six seven eight nine ten eleven twelve";
const nine = "one two three four five six seven eight nine";

async function cardOf(chat: TestChat): Promise<Shown> {
  return await chat.wait(({ buttons }) => buttons.length > 0);
}

const writeNote = `call write_note {"note":"buy tea"}`;
const noNotes = "read_notes said: There are no notes.";
const mini = "gpt-4o-mini";

const scenarios: Record<string, Scenario> = {
  "the model has answered": {
    reason: "answered",
    asks: `call read_notes {} and shop_look {}`,
    lastWords: "model",
    says: `${noNotes}\nshop_look said: look done`,
    results: ["done", "done"],
    models: [mini, mini],
  },
  "the limit of model calls": {
    reason: "max-model-calls",
    set: [["settings", "maxModelCalls 2"]],
    asks: "call read_notes {} then read_notes {}",
    lastWords: "model",
    says: /^read_notes said: There are no notes\.\n/,
    results: ["done"],
    models: [mini, mini],
  },
  "the limit of model calls that the chosen tier has": {
    reason: "max-model-calls",
    set: [["tier", "fast"]],
    asks: "call read_notes {} then shop_look {} then read_notes {}",
    lastWords: "model",
    says: /^shop_look said: look done\n/,
    results: ["done", "done"],
    models: ["gpt-4o", "gpt-4o", "gpt-4o"],
  },
  "the limit of model calls that all have": {
    reason: "max-model-calls",
    asks: `call ${[1, 2, 3, 4, 5].map((way) => `shop_look {"for":"way ${way}"}`).join(" then ")} then read_notes {}`,
    lastWords: "model",
    says: /^shop_look said: look done\n/,
    results: ["done", "done", "done", "done", "done"],
    models: [mini, mini, mini, mini, mini, mini],
  },
  "the limit of model calls, by a model that goes on calling": {
    reason: "max-model-calls",
    set: [["settings", "maxModelCalls 2"]],
    asks: "call read_notes {} then stubborn {}",
    lastWords: "ours",
    says: 'I stopped here because I reached the limit of 2 steps. Say "go on" to continue.',
    results: ["done"],
    models: [mini, mini],
  },
  "the limit of tool executions": {
    reason: "max-tool-executions",
    set: [["settings", "maxToolExecutions 1"]],
    asks: "call read_notes {} and shop_look {} and shop_pay {}",
    lastWords: "model",
    says: /^read_notes said: There are no notes\.\nshop_look said: limit-reached: [^]*\nshop_pay said: limit-reached: /,
    results: ["done", "limit-reached", "limit-reached"],
    models: [mini, mini],
  },
  "the limit of tokens": {
    reason: "max-tokens",
    set: [["settings", "maxTokens 100"]],
    asks: "call read_notes {}",
    lastWords: "ours",
    says: "I stopped here because I reached the limit of 100 tokens for one answer.",
    results: ["done"],
    models: [mini],
  },
  "the limit of its cost": {
    reason: "max-cost",
    set: [["settings", "maxCost 0.01usd"]],
    asks: "call read_notes {}",
    lastWords: "ours",
    says: "I stopped here because I reached the cost limit of $0.01 for one answer.",
    results: ["done"],
    models: [mini],
  },
  "the deadline, while the model is silent": {
    reason: "deadline",
    set: [["settings", "deadline 700ms"]],
    asks: "hang",
    lastWords: "ours",
    says: "I stopped here because I reached the time limit of 0.7 seconds for one answer.",
    results: [],
    models: [mini],
  },
  "the deadline, while one tool runs and another waits": {
    reason: "deadline",
    set: [["settings", "deadline 2s"]],
    asks: `call shop_look {"hold":"look late"} and shop_pay {"for":"look late"}`,
    lastWords: "ours",
    says: /^I stopped here because I reached the time limit/,
    results: ["deadline", "deadline"],
    models: [mini],
    check: () => expect(shop.callsFor("look late")).toEqual(["look"]),
  },
  "the deadline, while a tool runs that may have worked": {
    reason: "deadline",
    set: [["settings", "deadline 2s"]],
    asks: `call shop_look {} and shop_pay {"hold":"pay late"}`,
    lastWords: "ours",
    says: /^I stopped here because I reached the time limit/,
    results: ["done", "outcome-unknown"],
    models: [mini],
  },
  "a loop": {
    reason: "loop-detected",
    asks: "loop read_notes {}",
    lastWords: "model",
    says: /^read_notes said: There are no notes\./,
    results: ["done", "done", "done", "done"],
    models: [mini, mini, "gpt-4o", "gpt-5-mini", "gpt-5-mini"],
    check: ({ requests }) => {
      const hints = requests.map(({ toolResults }) =>
        toolResults.map(({ text }) => text).join("\n"),
      );
      expect(hints.map((text) => /in circles/.test(text))).toEqual([
        false,
        false,
        true,
        true,
        true,
      ]);
      expect(hints[3]).toContain("One more repetition ends this turn.");
    },
  },
  "a tool that fails": {
    reason: "tool-failure",
    set: [["settings", "toolFailure on"]],
    asks: `call shop_look {"fail":true} and read_notes {}`,
    lastWords: "model",
    says: /^shop_look said: tool-error: sold out\nread_notes said: There are no notes\.\n/,
    results: ["tool-error", "done"],
    models: [mini, mini],
  },
  "a confirmation that is denied": {
    reason: "confirmation-denied",
    asks: writeNote,
    during: async (chat) => {
      await chat.tap(await cardOf(chat), "Deny");
    },
    lastWords: "model",
    says: /^write_note said: confirmation-denied: /,
    besides: [/denied by Ann\n[^]*buy tea$/],
    results: ["confirmation-denied"],
    models: [mini, mini],
  },
  "an answer to a denial, where that is no reason to stop": {
    reason: "answered",
    set: [["settings", "confirmationDenied off"]],
    asks: writeNote,
    during: async (chat) => {
      await chat.tap(await cardOf(chat), "Deny");
    },
    lastWords: "model",
    says: /^write_note said: confirmation-denied: /,
    besides: [/denied by Ann\n[^]*buy tea$/],
    results: ["confirmation-denied"],
    models: [mini, mini],
    check: ({ requests }) => expect(requests[1]?.mayCallTools).toBe(true),
  },
  "a confirmation that expires": {
    reason: "confirmation-denied",
    asks: `${writeNote} and read_notes {}`,
    during: async (chat) => {
      await cardOf(chat);
      await records.expireApprovals(chat);
    },
    lastWords: "model",
    says: /^write_note said: confirmation-expired: [^]*\nread_notes said: /,
    besides: [/ · expired, no one decided in time\n[^]*buy tea$/],
    results: ["confirmation-expired", "done"],
    models: [mini, mini],
  },
  "a call that is not allowed": {
    reason: "policy-denied",
    set: [["settings", "policyDenied on"]],
    asks: `call calculate {"expression":"1+1"} and read_notes {}`,
    lastWords: "model",
    says: /^calculate said: policy-denied: [^]*\nread_notes said: /,
    results: ["policy-denied", "superseded"],
    models: [mini, mini],
  },
  "/stop": {
    reason: "cancelled",
    asks: `say ${twelve}`,
    isHeld: true,
    during: async (chat) => {
      expect(await chat.command("stop")).toBe("Stopped.");
    },
    lastWords: "partial",
    says: new RegExp(`^${nine}(?:\\n+\\(stopped\\))?$`),
    besides: [/^Stopped\.$/],
    models: [mini],
  },
  "a newer message instead of a decision": {
    reason: "superseded",
    asks: writeNote,
    during: async (chat) => {
      const card = await cardOf(chat);
      chat.say("say never mind");
      await chat.wait(isClosed(card, "because of a newer message"));
      await chat.wait("never mind");
    },
    lastWords: "none",
    besides: [/ · cancelled because of a newer message\n[^]*buy tea$/, /^never mind$/],
    results: ["superseded"],
    models: [mini],
  },
  "a newer message where that interrupts": {
    reason: "superseded",
    set: [["settings", "whileBusy interrupt"]],
    asks: `say ${twelve}`,
    isHeld: true,
    during: async (chat) => {
      chat.say("say something else");
      await chat.wait("something else");
    },
    lastWords: "partial",
    says: new RegExp(`^${nine}(?:\\n+\\(stopped for a newer message\\))?$`),
    besides: [/^something else$/],
    models: [mini],
  },
  "a model that fails behind a tool": {
    reason: "model-failed",
    asks: "call read_notes {} then failure {}",
    lastWords: "ours",
    // Who asks is an owner, who reads why as well.
    says: /^Sorry, my API key was rejected\. \(error [a-z2-9]{6}\)\nCause: openai\/gpt-4o-mini: 401 .*\nCheck the API key .*$/,
    results: ["done"],
    models: [mini, mini],
  },
  "workers that die of it": {
    reason: "poisoned",
    asks: writeNote,
    during: async (chat) => {
      await cardOf(chat);
      await records.killWorkers(chat);
      chat.say("say still there");
      await chat.wait("still there");
    },
    lastWords: "ours",
    says: /^Sorry, I tried this three times and failed\. .* \(error [a-z2-9]{6}\)\nA process died three times .*$/,
    besides: [/cancelled\n[^]*buy tea$/, /^still there$/],
    results: ["cancelled"],
    models: [mini],
  },
  "/compact": {
    reason: "compacted",
    before: [3_000, 3_000],
    asks: "/compact",
    during: async (chat) => {
      await chat.wait("I summarized");
    },
    lastWords: "none",
    besides: [/^One moment\.$/, /^I summarized the earlier part/],
    models: ["gpt-4o"],
    check: ({ turn }) =>
      expect(turn).toMatchObject([
        {
          kind: "compaction",
          strategy: "summarise",
          model: "openai/gpt-4o",
          summary: expect.stringContaining("gave them"),
        },
        { kind: "end" },
      ]),
  },
};

const chats = new Map(Object.keys(scenarios).map((name) => [name, telegram.direct("Ann")]));

beforeAll(async () => {
  model
    .when(
      ({ lastRole, lastUserText }) => lastRole === "tool" && lastUserText.includes("then stubborn"),
      { toolCalls: [{ name: "read_notes", arguments: {} }] },
    )
    .when(
      ({ lastRole, lastUserText }) => lastRole === "tool" && lastUserText.includes("then failure"),
      { failure: { status: 401 } },
    )
    .when(({ systemText }) => systemText.includes("You shorten"), {
      text: "user: asked for numbers\nassistant: gave them",
    });
  const admins = [...chats.values()].map(({ personId }) => personId);
  await world
    .start({
      environment: {
        ...world.services,
        ...telegram.environment,
        PARLEY_ADMINS: admins.join(","),
      },
      config,
      tolerates: [/the model failed/, /a turn keeps killing its worker/],
    })
    .ready();
  await telegram.connected();
});

describe("a turn ends, and its chat goes on, behind", () => {
  it.concurrent.each(Object.entries(scenarios))("%s", async (name, scenario) => {
    const chat = chats.get(name);
    if (chat === undefined) throw new Error("every scenario has a chat");
    const tag = `[${name}]`;
    await prepare(chat, tag, scenario);
    const shownBefore = chat.shown().length;
    const requestsBefore = wires.requestsWith(tag).length;
    const loggedBefore = (await records.history(chat)).length;
    const { asks, isHeld, during, says, besides = [] } = scenario;
    const question = asks.startsWith("/") ? asks : `${tag}\n${asks}`;
    {
      using gate = isHeld ? model.hold(tag, { at: 9 }) : undefined;
      chat.say(question);
      if (gate) await chat.wait("nine");
      await during?.(chat);
      if (says !== undefined) await chat.wait(({ text }) => reads(says)(text));
      await records.idle(chat);
    }
    const turn = firstTurn((await records.history(chat)).slice(loggedBefore));
    checkTurn(turn, scenario);
    const requests = wires
      .requestsWith(tag)
      .slice(requestsBefore)
      .filter(({ lastUserText }) => lastUserText.includes(tag));
    checkRequests(requests, scenario);
    scenario.check?.({ requests, turn });
    await wires.goOn(chat, tag);
    expect(historyProblems(await records.history(chat))).toEqual([]);
    // Everyone here is an owner, and hears that the model failed in the scenario before.
    const isNews = /^People get no answers from |^\S+ answers again, after /;
    const shown = wires.shownSince(chat, shownBefore).filter((text) => !isNews.test(text));
    expectTexts(shown, [...besides, ...(says === undefined ? [] : [says])]);
    const line = lineOf(scenario);
    if (line !== undefined && says !== undefined)
      expect(withoutTools(shown.find(reads(says)) ?? "")).toMatch(line);
  });
});

async function prepare(
  chat: TestChat,
  tag: string,
  { set = [], before = [] }: Scenario,
): Promise<void> {
  for (const [name, argument] of set)
    expect(await chat.command(name, argument)).toContain(" is now ");
  for (const [index, length] of before.entries()) {
    chat.say(`${tag}\nlong ${length}`);
    await telegram.until(
      () => chat.shown().filter(({ text }) => text.trim().length > length - 10).length > index,
      `${index + 1} long answers`,
    );
    await records.idle(chat);
  }
}

/** Up to its end, or all of it where it was answered. */
function firstTurn(entries: readonly LogEntry[]): readonly LogEntry[] {
  const end = entries.findIndex(({ kind }) => kind === "end");
  return entries.slice(0, end < 0 ? undefined : end + 1);
}

const lineOf = ({ lastWords, reason }: Scenario): RegExp | undefined =>
  lastWords === "model" || lastWords === "partial" ? lines[reason] : undefined;

/** Every call has its result, and the turn the end that it should have. */
function checkTurn(turn: readonly LogEntry[], scenario: Scenario): void {
  const { reason, results = [], lastWords, says } = scenario;
  expect(historyProblems(turn)).toEqual([]);
  expect(outcomesIn(turn)).toEqual(results);
  const end = turn.find((entry) => entry.kind === "end");
  expect(end?.reason).toBe(reason === "answered" ? undefined : reason);
  const [last, ...others] = turn.filter(
    (entry) => entry.kind === "assistant" && entry.calls.length === 0,
  );
  expect(others).toEqual([]);
  const spoken = last?.kind === "assistant" ? last : undefined;
  const isModels = lastWords === "model" || lastWords === "partial";
  expect(spoken !== undefined).toBe(isModels);
  expect(spoken?.partial ?? false).toBe(lastWords === "partial");
  expect(end?.text !== undefined).toBe(lastWords === "ours");
  const line = lineOf(scenario);
  // With a line above it: the tools are named in the last one.
  const note = withoutTools(`\n${spoken?.note ?? ""}`).trim();
  if (line === undefined) expect(note).toBe("");
  else expect(note).toMatch(line);
  const text = spoken?.text.trim() ?? end?.text ?? "";
  if (says !== undefined) expect(text).toSatisfy(reads(says));
}

function checkRequests(
  requests: readonly RecordedRequest[],
  { reason, models, lastWords }: Scenario,
): void {
  expect(requests.map((request) => request.model)).toEqual(models);
  const isLastCall = lastWords === "model" && reason !== "answered";
  if (isLastCall) expect(requests.at(-1)?.mayCallTools).toBe(false);
}
