import * as fc from "fast-check";
import { chatKey } from "../../../src/core/chat.ts";
import type { CompactionEntry, LogEntry, Usage } from "../../../src/core/history.ts";
import type { ModelCard } from "../../../src/core/model.ts";
import type { ContextSettings } from "../../../src/loop/compaction/settings.ts";
import type { CompactionRequest } from "../../../src/loop/compaction/request.ts";
import { buildRequestView } from "../../../src/loop/view/build-request-view.ts";
import type { ReducibleTool } from "../../../src/loop/view/reduce-results.ts";
import type { CountTokens } from "../../../src/models/tokens.ts";

export const settings: ContextSettings = {
  compactAt: 0.7,
  compactTo: 0.4,
  keepTurns: 10,
  protectPairs: 5,
  strategy: "summarise",
};

export const card: ModelCard = {
  id: "openai/gpt-4o-mini",
  tools: true,
  vision: true,
  thinking: false,
  toolChoiceNone: true,
  streaming: true,
  jsonMode: true,
  embeddings: false,
  settableTemperature: true,
  settableKeepAlive: false,
  settableContext: false,
  contextWindow: 10_000,
};

/** Four characters a token, as the emulated models count. */
export const quarter: CountTokens = (text) => Math.ceil(text.length / 4);

/**
 * Tools by what becomes of their old results: `login` is kept, `status` is a state, `search` has
 * words of its own.
 */
export const tool: ReducibleTool = (name) => {
  if (name === "login") return { history: "keep" };
  if (name === "status") return { history: "state" };
  if (name === "search") return { history: "action", summarise: (text) => `${text.length} found` };
  return name === "read" ? { history: "action" } : undefined;
};

/** So many tokens, as `quarter` counts them, none of them like another's. */
export const words = (label: string, tokens: number): string => {
  const text = Array.from(
    { length: Math.ceil((tokens * 4) / (label.length + 6)) },
    (_, place) => `${label}-${place + 1000} `,
  );
  return text.join("").slice(0, tokens * 4 - 1) + ".";
};

export interface Round {
  /** Tools that are called, and what they give. */
  readonly results: readonly (readonly [name: string, text: string])[];
  readonly text?: string;
}

/** The entries of one turn as the loop writes them. Without an answer it is open. */
export function turnOf(
  turn: number,
  said: {
    readonly question: string;
    readonly rounds?: readonly Round[];
    readonly answer?: string;
    readonly usage?: Usage;
  },
): LogEntry[] {
  const { question, rounds = [], answer, usage } = said;
  const model = card.id;
  return [
    {
      kind: "message",
      v: 1,
      id: `m${turn}`,
      person: { id: "telegram:1", name: "Ann" },
      text: question,
      atMs: 0,
    },
    ...rounds.flatMap(({ results, text = "" }, place): LogEntry[] => [
      {
        kind: "assistant",
        v: 1,
        turn,
        round: place + 1,
        model,
        text,
        calls: results.map(([name], index) => ({
          index,
          wireId: "call_1",
          name,
          arguments: JSON.stringify({ turn, place, index }),
        })),
      },
      ...results.map(([name, result], index): LogEntry => ({
        kind: "tool",
        v: 1,
        turn,
        round: place + 1,
        index,
        name,
        text: result,
      })),
    ]),
    ...(answer === undefined
      ? []
      : [
          {
            kind: "assistant" as const,
            v: 1 as const,
            turn,
            round: rounds.length + 1,
            model,
            text: answer,
            calls: [],
            ...(usage === undefined ? {} : { usage }),
          },
        ]),
  ];
}

/** Turns from 1 on, each a question and an answer of so many tokens. */
export const chatter = (turns: number, tokens: number): LogEntry[] =>
  Array.from({ length: turns }, (_, place) =>
    turnOf(place + 1, {
      question: words(`q${place + 1}`, Math.ceil(tokens / 2)),
      answer: words(`a${place + 1}`, Math.floor(tokens / 2)),
    }),
  ).flat();

export function requestOf(
  transcript: readonly LogEntry[],
  more: Partial<CompactionRequest> = {},
): CompactionRequest {
  const request = {
    chat: chatKey({ platform: "telegram", bot: "bot", chat: "1" }),
    turn: 1_000,
    transcript,
    viewStart: 0,
    card,
    options: {},
    context: ["You are Parley."],
    tools: [],
    tool,
    why: "checkpoint" as const,
    ...more,
  };
  return { ...request, messages: viewOf(request) };
}

export const viewOf = (
  request: Pick<CompactionRequest, "transcript" | "viewStart" | "card" | "context" | "tool">,
) => buildRequestView({ ...request, keepTurns: settings.keepTurns }).messages;

/** All words of a view. */
export const shownIn = (request: Parameters<typeof viewOf>[0], entry?: CompactionEntry): string =>
  viewOf({
    ...request,
    transcript: [...request.transcript, ...(entry ? [entry] : [])],
  })
    .map(({ text }) => text)
    .join("\n");

const size = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 900 }) },
);
const round = fc
  .array(fc.tuple(fc.constantFrom("read", "read", "search", "status", "login", "gone"), size), {
    minLength: 1,
    maxLength: 3,
  })
  .map((calls) => ({ calls }));
const turnShape = fc.record({
  question: size,
  rounds: fc.array(round, { maxLength: 4 }),
  answer: size,
});

/**
 * Conversations as the loop writes them, with their open turn's number: of any length, any turn as
 * long as it likes.
 */
export const conversations: fc.Arbitrary<{
  readonly entries: readonly LogEntry[];
  readonly turn: number;
}> = fc
  .record({
    turns: fc.array(turnShape, { maxLength: 14 }),
    open: turnShape,
    undone: fc.option(fc.nat({ max: 13 }), { nil: undefined, freq: 3 }),
    reset: fc.option(fc.nat({ max: 13 }), { nil: undefined, freq: 8 }),
  })
  .map(({ turns, open, undone, reset }) => {
    const entries: LogEntry[] = [];
    const shaped = (turn: number, shape: typeof open, isOpen: boolean) =>
      turnOf(turn, {
        question: words(`q${turn}`, shape.question),
        rounds: shape.rounds.map(({ calls }, place) => ({
          results: calls.map(([name, tokens], index) => [
            name,
            words(`${name}${turn}.${place}.${index}`, tokens),
          ]),
        })),
        ...(isOpen ? {} : { answer: words(`a${turn}`, shape.answer) }),
      });
    for (const [place, shape] of turns.entries()) {
      const fromSeq = entries.length;
      entries.push(...shaped(place + 1, shape, false));
      if (place === undone)
        entries.push({
          kind: "undo",
          v: 1,
          id: `u${place}`,
          fromSeq,
          ran: [],
          atMs: 0,
        });
      if (place === reset) entries.push({ kind: "reset", v: 1, id: `r${place}`, atMs: 0 });
    }
    const turn = turns.length + 1;
    return { entries: [...entries, ...shaped(turn, open, true)], turn };
  });
