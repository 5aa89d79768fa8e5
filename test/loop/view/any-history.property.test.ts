import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank } from "../../../src/text/blank.ts";
import type { LogEntry } from "../../../src/core/history.ts";
import type { ModelCard, ModelRequest, RequestMessage } from "../../../src/core/model.ts";
import { buildRequestView, type ViewInput } from "../../../src/loop/view/build-request-view.ts";
import { withoutOurBrackets } from "../../../src/text/platform-voice.ts";
import { quoted } from "../../../src/loop/view/platform-words.ts";
import { requestProblems } from "../../../src/loop/view/request-problems.ts";
import { toChatRequest } from "../../../src/models/ollama/request.ts";
import { toChatBody } from "../../../src/models/openai/chat/request.ts";
import { dialectOf } from "../../../src/models/openai/dialect.ts";
import { toResponsesBody } from "../../../src/models/openai/responses/request.ts";
import { tools } from "../../models/helpers.ts";
import { cards } from "../../models/request-arbitrary.ts";
import {
  sentences,
  validateOllamaMessages,
  validateOpenAiMessages,
} from "../../emulators/model/message-rules.ts";
import { responsesRequestProblems } from "../../emulators/model/responses-rules.ts";
import { histories, tidyHistories } from "../history-arbitrary.ts";
import { asked, card, deepFreeze, round, viewOf } from "./view-input.ts";

const someTool: fc.Arbitrary<ReturnType<ViewInput["tool"]>> = fc.constantFrom(
  undefined,
  { history: "state" },
  { history: "action" },
  { history: "action", summarise: (text: string) => text.slice(0, 3) },
  { history: "action", summarise: (text: string) => `${text}${text}` },
  { history: "action", summarise: () => " " },
  {
    history: "action",
    summarise: () => {
      throw new Error("no summary");
    },
  },
  { history: "keep" },
);

/** A class for every tool that histories name. */
const toolOf = fc.array(someTool, { minLength: 11, maxLength: 11 }).map(
  (all): ViewInput["tool"] =>
    (name) =>
      all[name.length % all.length],
);

const anyCard = fc
  .tuple(cards, fc.constantFrom("test/model", "strange/thing", "third/model"))
  .map(([able, id]): ModelCard => ({ ...able, id }));

const inputs: fc.Arbitrary<ViewInput & { readonly card: ModelCard }> = fc.record({
  transcript: histories,
  viewStart: fc.constantFrom(0, 7),
  card: anyCard,
  context: fc.constant(["You are Parley.", "", "This is a chat."]),
  tool: toolOf,
  keepTurns: fc.constantFrom(0, 1, 2, 10),
  hint: fc.constantFrom(undefined, "", "Try another way."),
  latest: fc.constantFrom("", "Open items."),
  recalled: fc.constantFrom("", "> Ann: seven hens"),
});

const requestOf = (messages: readonly RequestMessage[]): ModelRequest => ({
  messages,
  tools,
  toolChoice: "auto",
  options: {},
});

/** What the vendors would refuse of it, each in its own words. */
function refusals(messages: readonly RequestMessage[], able: ModelCard) {
  const request = requestOf(messages);
  const chat = (url: string, model = "gpt-4o-mini") =>
    toChatBody({
      model,
      card: able,
      request,
      dialect: dialectOf(url),
    });
  const official = chat("https://api.openai.com/v1");
  const compatible = chat("http://127.0.0.1:9/v1", "gemma-3-27b");
  const mistral = chat("https://api.mistral.ai/v1", "mistral-medium-latest");
  const ollama = toChatRequest({ model: "qwen3", card: able, request });
  const responses = toResponsesBody({
    model: "o4",
    card: able,
    request,
    dialect: dialectOf("http://127.0.0.1:9/v1"),
  });
  return {
    openAi: validateOpenAiMessages(official.messages, official.tools),
    compatible: validateOpenAiMessages(compatible.messages, compatible.tools, {
      systemOnlyFirst: true,
      alternating: true,
      compatibleEndpoints: true,
    }),
    mistral: validateOpenAiMessages(mistral.messages, mistral.tools, {
      systemOnlyFirst: true,
      mistral: true,
    }),
    ollama: validateOllamaMessages(ollama.messages, ollama.tools),
    responses: sentences(responsesRequestProblems({ ...responses }, { reasoningModel: true })),
  };
}

const nothing = {
  openAi: [],
  compatible: [],
  mistral: [],
  ollama: [],
  responses: [],
};

describe("the view of any history, for any model", () => {
  it("breaks no provider's rule, unless no one has said anything", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { messages } = buildRequestView(input);
        if (messages.some(({ role }) => role === "user")) {
          expect(requestProblems(messages)).toEqual([]);
          expect(refusals(messages, input.card)).toEqual(nothing);
        } else expect(requestProblems(messages)).not.toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("is the same every time, and changes nothing", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const frozen = { ...input, transcript: deepFreeze(input.transcript) };
        const view = buildRequestView(frozen);
        const { transcript } = input;
        expect(buildRequestView(frozen)).toEqual(view);
        expect(
          buildRequestView({
            ...input,
            transcript: structuredClone(transcript),
          }),
        ).toEqual(view);
      }),
    );
  });

  it("is idempotent: what was repaired once needs no repair", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { messages } = viewOf(history, { keepTurns: 1_000 });
        const again = viewOf(historyOf(messages), { keepTurns: 1_000 });
        // What the platform has said comes back here as if people had said it, who may not sound
        // like it.
        const imitated = messages.map((message) =>
          message.role === "assistant"
            ? message
            : { ...message, text: withoutOurBrackets(message.text) },
        );
        expect(again.diagnostics.filter((each) => !each.startsWith("imitation"))).toEqual([]);
        expect(withoutIds(again.messages)).toEqual(withoutIds(imitated));
      }),
    );
  });

  it("says what it changed: without a diagnostic every word is there", () => {
    fc.assert(
      fc.property(fc.oneof(histories, tidyHistories), (history) => {
        const { messages, diagnostics } = viewOf(history);
        const shown = messages.flatMap((message) =>
          message.role === "assistant"
            ? [
                message.text,
                message.reasoning ?? "",
                ...message.calls.flatMap((call) => [call.name, call.arguments]),
              ]
            : [message.text],
        );
        const start = history.findLastIndex(({ kind }) => kind === "reset");
        if (diagnostics.length === 0 && !history.some(hasMore))
          expect(shown.filter(isText)).toEqual(
            history
              .slice(start + 1)
              .flatMap(wordsOf)
              .filter(isText),
          );
      }),
      { numRuns: 400 },
    );
  });
});

describe("calls that are told in words", () => {
  it("lose no argument and no result", () => {
    fc.assert(
      fc.property(
        tidyHistories,
        fc.constantFrom({ ...card, id: "third/model" }, { ...card, tools: false }),
        (history, reader) => {
          const { messages } = viewOf([...history, asked()], {
            card: reader,
            keepTurns: 1_000,
          });
          expect(
            messages.filter(
              (message) =>
                message.role === "tool" ||
                (message.role === "assistant" && message.calls.length > 0),
            ),
          ).toEqual([]);
          const told = messages
            .filter(({ role }) => role === "user")
            .map(({ text }) => text)
            .join("\n");
          for (const entry of history)
            for (const text of textsOfCalls(entry)) expect(told).toContain(quoted(text));
        },
      ),
    );
  });

  it("are calls again for the provider that made them", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const before = viewOf([...history, asked("before")]);
        const elsewhere = round(99, [{ name: "state_of_it", text: "there" }], {
          model: "strange/model",
        });
        const after = viewOf([...history, asked("before"), ...elsewhere, asked("after")], {
          keepTurns: 11,
        });
        expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
      }),
    );
  });
});

const textsOfCalls = (entry: LogEntry): readonly string[] => {
  if (entry.kind === "assistant") return entry.calls.map((call) => call.arguments);
  return entry.kind === "tool" && !isBlank(entry.text) ? [entry.text] : [];
};

/** What the view shows in words of its own. */
const hasMore = (entry: LogEntry): boolean =>
  entry.kind === "edit" || (entry.kind === "message" && entry.attachments !== undefined);

const isText = (text: string): boolean => text !== "";

/** What of an entry anybody said. */
function wordsOf(entry: LogEntry): readonly string[] {
  switch (entry.kind) {
    case "edit":
    case "reading":
      return [];
    case "message":
      return [entry.group ? `${entry.person.name}: ${entry.text}` : entry.text];
    case "assistant":
      return [
        entry.text,
        entry.reasoning ?? "",
        ...entry.calls.flatMap((call) => [call.name, call.arguments]),
      ];
    case "tool":
      return [entry.text];
    case "end":
      return entry.text && entry.reason !== "model-failed" && entry.reason !== "compacted"
        ? [entry.text]
        : [];
    case "reset":
    case "compaction":
    case "undo":
      return [];
    default:
      return entry satisfies never;
  }
}

/** A view's messages as the history that needs no repair. */
function historyOf(messages: readonly RequestMessage[]): LogEntry[] {
  let turn = 1_000;
  let open: readonly { readonly id: string }[] = [];
  return messages.flatMap((message): LogEntry[] => {
    switch (message.role) {
      case "system":
        return [];
      case "user":
        return [asked(message.text)];
      case "assistant":
        turn += 1;
        open = message.calls;
        return [
          {
            kind: "assistant",
            v: 1,
            turn,
            round: 1,
            model: card.id,
            text: message.text,
            ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
            calls: message.calls.map((call, index) => ({
              index,
              wireId: "",
              name: call.name,
              arguments: call.arguments,
              ...(call.extras === undefined ? {} : { extras: call.extras }),
            })),
          },
        ];
      case "tool":
        return [
          {
            kind: "tool",
            v: 1,
            turn,
            round: 1,
            index: open.findIndex(({ id }) => id === message.callId),
            name: message.name,
            text: message.text,
          },
        ];
      default:
        return message satisfies never;
    }
  });
}

const withoutIds = (messages: readonly RequestMessage[]): unknown =>
  messages.map((message) =>
    message.role === "tool"
      ? { ...message, callId: "" }
      : message.role === "assistant"
        ? {
            ...message,
            calls: message.calls.map((call) => ({ ...call, id: "" })),
          }
        : message,
  );
