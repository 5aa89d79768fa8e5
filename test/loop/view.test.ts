import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../src/core/history.ts";
import type { ModelRequest, RequestMessage } from "../../src/core/model.ts";
import { buildRequestView } from "../../src/loop/view.ts";
import { toChatRequest } from "../../src/models/ollama/request.ts";
import { toChatBody } from "../../src/models/openai/chat/request.ts";
import { dialectOf } from "../../src/models/openai/dialect.ts";
import {
  validateOllamaMessages,
  validateOpenAiMessages,
} from "../support/models/message-rules.ts";
import { card, tools } from "../models/helpers.ts";
import { histories } from "./history-arbitrary.ts";

const context = ["You are Parley.", "", "Today is a day."];

const requestOf = (messages: readonly RequestMessage[]): ModelRequest => ({
  messages,
  tools,
  toolChoice: "auto",
  options: {},
});

/** A view's messages as the history that needs no repair. */
function historyOf(messages: readonly RequestMessage[]): LogEntry[] {
  let turn = 1_000;
  let open: readonly { id: string }[] = [];
  return messages.flatMap((message): LogEntry[] => {
    switch (message.role) {
      case "system":
        return [];
      case "user":
        return [
          {
            kind: "message",
            v: 1,
            id: "m",
            person: { id: "telegram:1", name: "Ann" },
            text: message.text,
            atMs: 0,
          },
        ];
      case "assistant":
        turn += 1;
        open = message.calls;
        return [
          {
            kind: "assistant",
            v: 1,
            turn,
            round: 1,
            model: "test/model",
            text: message.text,
            calls: message.calls.map((call, index) => ({
              index,
              wireId: "",
              name: call.name,
              arguments: call.arguments,
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

describe("the view of any history", () => {
  it("satisfies every provider's rules", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const request = requestOf(buildRequestView(history, context).messages);
        const openAi = toChatBody({
          model: "gpt-4o-mini",
          card,
          request,
          dialect: dialectOf("http://127.0.0.1:9/v1"),
        });
        expect(validateOpenAiMessages(openAi.messages, openAi.tools)).toEqual(
          [],
        );
        const ollama = toChatRequest({ model: "qwen3", card, request });
        expect(validateOllamaMessages(ollama.messages, ollama.tools)).toEqual(
          [],
        );
      }),
      { numRuns: 400 },
    );
  });

  it("is deterministic and changes nothing", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const before = structuredClone(history);
        const view = buildRequestView(history, context);
        expect(buildRequestView(structuredClone(history), context)).toEqual(
          view,
        );
        expect(history).toEqual(before);
      }),
    );
  });

  it("is idempotent: what was repaired once needs no repair", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { messages } = buildRequestView(history, []);
        const again = buildRequestView(historyOf(messages), []);
        expect(again.diagnostics).toEqual([]);
        expect(withoutIds(again.messages)).toEqual(withoutIds(messages));
      }),
    );
  });

  it("says what it changed: without a diagnostic every word is there", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { messages, diagnostics } = buildRequestView(history, []);
        const expected = history.flatMap((entry): string[] => {
          switch (entry.kind) {
            case "message":
              return [
                entry.group
                  ? `${entry.person.name}: ${entry.text}`
                  : entry.text,
              ];
            case "assistant":
              return [
                entry.text,
                ...entry.calls.flatMap((call) => [call.name, call.arguments]),
              ];
            case "tool":
              return [entry.text];
            case "end":
              return entry.text && entry.reason !== "model-failed"
                ? [entry.text]
                : [];
            case "reset":
              return [];
            default:
              return entry satisfies never;
          }
        });
        const shown = messages.flatMap((message) =>
          message.role === "assistant"
            ? [
                message.text,
                ...message.calls.flatMap((call) => [call.name, call.arguments]),
              ]
            : [message.text],
        );
        if (diagnostics.length === 0) expect(shown).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});

const ann = { id: "telegram:1", name: "Ann" };
const asked: LogEntry = {
  kind: "message",
  v: 1,
  id: "m1",
  person: ann,
  text: "time?",
  atMs: 0,
};
const called = (
  calls: readonly { name?: string; arguments?: string; index?: number }[],
): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn: 1,
  round: 1,
  model: "test/model",
  text: "",
  calls: calls.map((call, index) => ({
    index,
    wireId: "w",
    name: "current_time",
    arguments: "{}",
    ...call,
  })),
});
const answered = (index: number, text: string, name = "current_time") =>
  ({
    kind: "tool",
    v: 1,
    turn: 1,
    round: 1,
    index,
    name,
    text,
  }) satisfies LogEntry;

const ended = (reason: "model-failed" | "deadline"): LogEntry => ({
  kind: "end",
  v: 1,
  turn: 1,
  reason,
  text: "I stopped.",
});
describe("repairs, one by one", () => {
  it("a missing result is unknown, and says so", () => {
    const view = buildRequestView([asked, called([{}]), asked], []);
    expect(view.messages[2]).toMatchObject({
      role: "tool",
      callId: "t1_1_0",
      text: expect.stringMatching(/^outcome-unknown: /),
    });
    expect(view.diagnostics).toEqual(["call t1_1_0 had no result"]);
  });

  it("a result without a call is left out, and says so", () => {
    const view = buildRequestView([asked, answered(0, "noon")], []);
    expect(view.messages).toHaveLength(1);
    expect(view.diagnostics).toEqual(["result t1_1_0 had no call"]);
  });

  it("an invented name is made sendable, on the call and on its result", () => {
    const view = buildRequestView(
      [asked, called([{ name: "tell time!" }]), answered(0, "?", "tell time!")],
      [],
    );
    expect(view.messages.slice(1)).toMatchObject([
      { calls: [{ name: "tell_time_" }] },
      { name: "tell_time_" },
    ]);
    expect(view.diagnostics).toEqual(["call t1_1_0 named an invalid tool"]);
  });

  it("two calls with one index get ids of their own", () => {
    const view = buildRequestView(
      [asked, called([{ index: 0 }, { index: 0 }]), answered(0, "noon")],
      [],
    );
    expect(view.messages.slice(2)).toMatchObject([
      { callId: "t1_1_0", text: "noon" },
      { callId: "t1_1_0_2", text: expect.stringMatching(/^outcome-unknown/) },
    ]);
    expect(view.diagnostics).toHaveLength(2);
  });

  it.each([
    "{",
    "",
    "[1]",
    "null",
    `{"a":${"[".repeat(500)}${"]".repeat(500)}}`,
  ])("arguments no. %# become {}", (given) => {
    const view = buildRequestView(
      [asked, called([{ arguments: given }]), answered(0, "no")],
      [],
    );
    expect(view.messages[1]).toMatchObject({ calls: [{ arguments: "{}" }] });
    expect(view.diagnostics).toHaveLength(1);
  });

  it("an apology for the model is not the model's word, an end by a limit is", () => {
    expect(
      buildRequestView([asked, ended("model-failed"), asked], []).messages,
    ).toHaveLength(2);
    expect(
      buildRequestView([asked, ended("deadline"), asked], []).messages[1],
    ).toMatchObject({ role: "assistant", text: "I stopped." });
  });

  it("in a group the model is told who speaks", () => {
    expect(
      buildRequestView([{ ...asked, group: true }], []).messages,
    ).toMatchObject([{ text: "Ann: time?" }]);
  });
});
