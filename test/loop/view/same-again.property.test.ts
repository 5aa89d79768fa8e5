import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import type { ModelCard, ModelRequest } from "../../../src/core/model.ts";
import { buildRequestView, type ViewInput } from "../../../src/loop/view/build-request-view.ts";
import { requestProblems } from "../../../src/loop/view/request-problems.ts";
import { overflow, toChatRequest } from "../../../src/models/ollama/request.ts";
import { toChatBody } from "../../../src/models/openai/chat/request.ts";
import { dialectOf, type Dialect } from "../../../src/models/openai/dialect.ts";
import { requestJson } from "../../../src/models/openai/request-json.ts";
import { toResponsesBody } from "../../../src/models/openai/responses/request.ts";
import { tools } from "../../models/helpers.ts";
import { cards } from "../../models/request-arbitrary.ts";
import { histories } from "../history-arbitrary.ts";

const dialects: readonly Dialect[] = [
  "https://api.openai.com/v1",
  "https://api.deepseek.com/v1",
  "https://api.mistral.ai/v1",
  "http://127.0.0.1:9/v1",
].map((url) => dialectOf(url));

const dialectsOf = (isFresh: boolean): readonly Dialect[] =>
  isFresh ? dialects.map((dialect) => ({ ...dialect })) : dialects;

/** All that is made of a chat for a model. */
function made(input: ViewInput & { readonly card: ModelCard }, isFresh: boolean) {
  const { messages, diagnostics } = buildRequestView(input);
  const { card } = input;
  const request: ModelRequest = {
    messages,
    tools: isFresh ? structuredClone(tools) : tools,
    toolChoice: "auto",
    options: {},
  };
  const json = (body: Readonly<Record<string, unknown>>) =>
    isFresh ? JSON.stringify(body) : requestJson(body).toString();
  const ollama = toChatRequest({ model: "qwen3", card, request });
  return {
    diagnostics,
    problems: requestProblems(messages),
    chat: dialectsOf(isFresh).map((dialect) =>
      json(toChatBody({ model: "mistral-small", card, request, dialect })),
    ),
    responses: json(
      toResponsesBody({ model: "o4", card, request, dialect: dialectOf("http://host:1/v1") }),
    ),
    ollama: JSON.stringify(ollama),
    overflow: overflow({ ...ollama, options: { num_ctx: 1 } }),
  };
}

/** What happens to a chat between two requests. */
const event = fc.record({
  /** Entries that come, with edits, undos, compactions and resets among them. */
  come: histories,
  /** How many of the oldest entries are no longer kept. */
  dropped: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 40 })),
  /** The newest that were taken for another time. */
  kept: fc.oneof({ weight: 4, arbitrary: fc.constant(Infinity) }, fc.nat({ max: 80 })),
  card: fc
    .tuple(cards, fc.constantFrom("test/model", "test/other", "strange/thing"))
    .map(([able, id]): ModelCard => ({ ...able, id })),
  context: fc.constantFrom(["You are Parley."], ["You are another.", "This is a chat."]),
  keepTurns: fc.constantFrom(1, 2, 10),
  hint: fc.constantFrom(undefined, "Try another way."),
  latest: fc.constantFrom("", "Open items."),
  recalled: fc.constantFrom("", "> Ann: seven hens"),
});

const tool: ViewInput["tool"] = (name) =>
  name === "gone" ? undefined : { history: name === "write_note" ? "state" : "action" };

describe("a chat's next request", () => {
  it("is byte for byte what it would be without the ones before", () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 2, maxLength: 8 }), (events) => {
        let transcript: readonly LogEntry[] = [];
        let viewStart = 0;
        for (const { come, dropped, kept, ...asked } of events) {
          transcript = [...transcript.slice(dropped), ...come].slice(0, kept);
          viewStart += dropped;
          const input = { ...asked, tool, viewStart };
          const again = made({ ...input, transcript }, false);
          const alone = made({ ...input, transcript: structuredClone([...transcript]) }, true);
          expect(again).toEqual(alone);
        }
      }),
      { numRuns: 200 },
    );
  });
});
