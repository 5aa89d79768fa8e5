import type {
  Model,
  ModelCard,
  ModelEvent,
  ModelFailure,
  ModelObserver,
  ModelRequest,
  RequestMessage,
  ToolSpec,
} from "../../src/core/model.ts";
import type { ChainObserver } from "../../src/models/chain-observer.ts";
import type { Schedule } from "../../src/models/limits.ts";
import type { ChainOptions, ModelChain } from "../../src/models/chain.ts";

export const card: ModelCard = {
  id: "test/model",
  tools: true,
  vision: false,
  thinking: false,
  toolChoiceNone: true,
  streaming: true,
  jsonMode: true,
  embeddings: false,
  settableTemperature: true,
  settableKeepAlive: true,
  settableContext: true,
  contextWindow: 8192,
};

export const currentTime: ToolSpec = {
  name: "current_time",
  description: "The current date and time in a time zone.",
  parameters: {
    type: "object",
    properties: { timeZone: { type: "string" } },
    required: ["timeZone"],
  },
};
const writeNote: ToolSpec = {
  name: "write_note",
  description: "Writes a note.",
  parameters: { type: "object", properties: { note: { type: "string" } } },
};
const readNotes: ToolSpec = {
  name: "read_notes",
  description: "The notes.",
  parameters: { type: "object", properties: {} },
};
export const tools = [currentTime, writeNote, readNotes];

export const user = (text: string): RequestMessage => ({ role: "user", text });

export function request(
  messages: string | readonly RequestMessage[],
  overrides: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    messages: typeof messages === "string" ? [user(messages)] : messages,
    tools: [],
    toolChoice: "auto",
    options: {},
    ...overrides,
  };
}

export const never = (): AbortSignal => new AbortController().signal;

/** All events of an answer, put together as a caller would. */
export interface Answer {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Extract<ModelEvent, { type: "tool-call" }>[];
  readonly usage: { inputTokens: number; outputTokens: number } | undefined;
  readonly finish: string | undefined;
  readonly failure: ModelFailure | undefined;
}

export async function ask(
  model: Model,
  asked: ModelRequest,
  signal: AbortSignal = never(),
): Promise<Answer> {
  return answerOf(await eventsOf(model, asked, { signal }));
}

interface Listening extends Partial<ChainObserver> {
  readonly signal?: AbortSignal;
  readonly options?: ChainOptions;
}

/** All events of an answer. */
export async function eventsOf(
  model: ChainModel,
  asked: ModelRequest,
  { signal = never(), options, ...observer }: Listening = {},
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const told = { ...observer, onEvent: (event: ModelEvent) => void events.push(event) };
  await model.stream(asked, signal, told, options);
  return events;
}

interface ChainModel {
  stream: (...given: Parameters<ModelChain["stream"]>) => Promise<void>;
}

/** The events one by one, as they come; leaving early aborts the request. */
export async function* streamOf(
  model: ChainModel,
  asked: ModelRequest,
  { signal = never(), options, ...observer }: Listening = {},
): AsyncGenerator<ModelEvent> {
  const leaving = new AbortController();
  const events: ModelEvent[] = [];
  let next = Promise.withResolvers<void>();
  let isOver = false;
  const either = AbortSignal.any([signal, leaving.signal]);
  const onEvent = (event: ModelEvent): void => {
    events.push(event);
    next.resolve();
  };
  const end = (): void => {
    isOver = true;
    next.resolve();
  };
  void model.stream(asked, either, { ...observer, onEvent }, options).finally(end);
  try {
    for (;;) {
      next = Promise.withResolvers<void>();
      for (let event = events.shift(); event !== undefined; event = events.shift()) yield event;
      if (isOver) return;
      if (events.length === 0) await next.promise;
    }
  } finally {
    leaving.abort();
  }
}

/** A model's stream that is written as a generator. */
export const generated =
  (
    generate: (
      ...given: Parameters<Model["stream"]>
    ) => AsyncIterable<ModelEvent> | Iterable<ModelEvent>,
  ): Model["stream"] =>
  async (asked, signal, observer) => {
    for await (const event of generate(asked, signal, observer)) observer.onEvent(event);
  };

export function answerOf(events: readonly ModelEvent[]): Answer {
  const taken = events.findLastIndex(({ type }) => type === "text-was-reasoning");
  const replaced = events.findLastIndex(({ type }) => type === "text-replaced");
  const whole = events[replaced];
  const of = <Type extends ModelEvent["type"]>(type: Type): Extract<ModelEvent, { type: Type }>[] =>
    events.filter((event): event is Extract<ModelEvent, { type: Type }> => event.type === type);
  return {
    events,
    text:
      (whole?.type === "text-replaced" ? whole.text : "") +
      wordsOf(events.slice(Math.max(taken, replaced) + 1), "text-delta"),
    reasoning:
      wordsOf(events, "reasoning-delta") +
      wordsOf(events.slice(0, taken + 1), "text-delta").trimEnd(),
    calls: of("tool-call"),
    usage: of("usage").at(-1)?.usage,
    finish: of("finish").at(-1)?.reason,
    failure: of("failure").at(-1)?.failure,
  };
}

const wordsOf = (events: readonly ModelEvent[], type: "text-delta" | "reasoning-delta"): string =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

/** A model whose every stream is the next of these lists; it notes what it was asked. */
export class ListedModel implements Model {
  readonly card: ModelCard;
  readonly requests: ModelRequest[] = [];
  readonly #answers: (readonly ModelEvent[])[];

  constructor(id: string, ...answers: (readonly ModelEvent[])[]) {
    this.card = { ...card, id };
    this.#answers = answers;
  }

  async stream(
    asked: ModelRequest,
    signal: AbortSignal,
    { onEvent }: ModelObserver,
  ): Promise<void> {
    this.requests.push(asked);
    for (const event of this.#answers.shift() ?? []) {
      await Promise.resolve();
      if (signal.aborted) return;
      onEvent(event);
    }
  }
}

/** Says its first words, if any, and then nothing until it is aborted. */
export class HangingModel implements Model {
  readonly card: ModelCard;
  asked = 0;
  readonly words: readonly ModelEvent[];

  constructor(id: string, ...words: ModelEvent[]) {
    this.card = { ...card, id };
    this.words = words;
  }

  async stream(_: unknown, signal: AbortSignal, { onEvent }: ModelObserver): Promise<void> {
    this.asked += 1;
    for (const event of this.words) onEvent(event);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

export const said = (text: string): readonly ModelEvent[] => [
  { type: "text-delta", text },
  { type: "finish", reason: "stop" },
];

export const failing = (
  kind: ModelFailure["kind"],
  more: Partial<ModelFailure> = {},
): readonly ModelEvent[] => [
  { type: "failure", failure: { kind, message: `it was ${kind}`, ...more } },
];

/** Each quirk by itself, and each two of them at once where they can be. */
export const pairsOf = <Quirk>(
  quirks: readonly Quirk[],
  isTried: (first: Quirk, second: Quirk) => boolean = () => true,
): Quirk[][] =>
  quirks.flatMap((first, index) =>
    quirks
      .slice(index)
      .filter((second) => isTried(first, second))
      .map((second) => [...new Set([first, second])]),
  );

/** A timer for a schedule of the test's own. */
export const timer = (
  cancel = (): void => undefined,
  refresh = (): void => undefined,
): ReturnType<Schedule> => ({ refresh, [Symbol.dispose]: cancel });
