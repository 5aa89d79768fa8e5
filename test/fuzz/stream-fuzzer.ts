import { readdirSync, readFileSync } from "node:fs";
import { modelFailureKinds, type Model, type ModelEvent } from "../../src/core/model.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import type { Random } from "../chaos/storm/random.ts";
import { eventsOf, request, tools } from "../models/helpers.ts";
import { evilString } from "./evil.ts";
import { must, type Fuzzer, type FuzzResult } from "./fuzzer.ts";
import { mutated, type Json } from "./mutate.ts";

/** No one listens there: every answer is made here. */
const host = "http://127.0.0.1:9";
const secret = "sk-planted-key-that-must-not-come-back";
const wires = ["chat", "responses", "ollama"] as const;
type Wire = (typeof wires)[number];

/** An answer's bytes as text, and where the connection cuts them. */
interface Given {
  readonly wire: Wire;
  readonly body: string;
  /** Lengths of the pieces, in bytes, over and over. */
  readonly pieces: readonly number[];
}

const words = [
  "current_time",
  "write_note",
  '{"timeZone":"Asia/Tokyo"}',
  "stop",
  "length",
  "tool_calls",
  "content_filter",
  "error",
  "<think>",
  "</think>",
  "response.completed",
  "response.failed",
  "response.output_text.delta",
  "response.function_call_arguments.delta",
  "function_call",
  secret,
];

/** Answers of model servers: Chat Completions and Responses as SSE, Ollama's lines. */
export function streamFuzzer(): Promise<Fuzzer> {
  let given: Given = { wire: "chat", body: "", pieces: [1] };
  const fetcher = (() =>
    Promise.resolve(
      new Response(streamOf(given), {
        headers: { "content-type": typeOf(given.wire) },
      }),
    )) as typeof fetch;
  const models: Readonly<Record<Wire, Model>> = {
    chat: openAi("chat", fetcher),
    responses: openAi("responses", fetcher),
    ollama: createOllamaModel({
      settings: { host },
      id: "a/m",
      card: { tools: true, contextWindow: 8_192 },
      fetch: fetcher,
    }),
  };
  return Promise.resolve({
    name: "streams",
    covers:
      "bytes → the vendor's client → our reader → events; each stream ends once, never throws, never repeats the key",
    mustReach: ["stop", "tool-calls", "network", "rate-limited"],
    make: (random) => JSON.stringify(makeStream(random)),
    async run(input): Promise<FuzzResult> {
      given = JSON.parse(input) as Given;
      const asked = request("go", { tools });
      const events = await eventsOf(models[given.wire], asked);
      judge(events);
      const last = events.at(-1);
      const outcome =
        last?.type === "failure"
          ? last.failure.kind
          : last?.type === "finish"
            ? last.reason
            : "nothing";
      return { passed: hasFrame(given), outcome };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

const openAi = (api: "chat" | "responses", fetcher: typeof fetch): Model =>
  createOpenAiModel({
    settings: { baseUrl: `${host}/v1`, api, apiKey: secret },
    id: "a/m",
    fetch: fetcher,
  });

/** What `core/model.ts` promises of every stream. */
function judge(events: readonly ModelEvent[]): void {
  const ends = events.filter(({ type }) => type === "finish" || type === "failure");
  must(ends.length === 1, `the stream ended ${ends.length} times`);
  must(events.at(-1) === ends[0], "something came behind the end");
  for (const event of events)
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "text-replaced":
      case "printed-call":
        must(event.text.isWellFormed(), "half a character was passed on");
        break;
      case "tool-call":
        must(event.name !== "", "a call names no tool");
        for (const text of [event.id, event.name, event.arguments])
          must(typeof text === "string", "a call is not made of texts");
        break;
      case "usage":
        for (const count of [event.usage.inputTokens, event.usage.outputTokens])
          must(Number.isFinite(count) && count >= 0, `usage of ${count} was passed on`);
        break;
      case "text-was-reasoning":
      case "finish":
        break;
      case "failure":
        must(modelFailureKinds.includes(event.failure.kind), "a failure has no kind");
        must(!event.failure.message.includes(secret), "a failure repeats the key");
        break;
      default:
        event satisfies never;
    }
}

const typeOf = (wire: Wire): string =>
  wire === "ollama" ? "application/x-ndjson" : "text/event-stream";

function streamOf({ body, pieces }: Given): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  let at = 0;
  let piece = 0;
  return new ReadableStream({
    pull(controller) {
      const length = Math.max(1, pieces[piece % pieces.length] ?? bytes.length);
      piece += 1;
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + length)));
      at += length;
    },
  });
}

/** Whether at least one frame is what its wire calls a frame: an object. */
const hasFrame = ({ wire, body }: Given): boolean =>
  body.split("\n").some((line) => {
    const json = wire === "ollama" ? line : line.replace(/^data: ?/, "");
    return json !== line || wire === "ollama" ? isObject(json) : false;
  });

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

const folder = new URL("../models/fixtures/", import.meta.url);
const fixtures: Readonly<Record<Wire, readonly string[]>> = {
  chat: read("chat"),
  responses: read("responses"),
  ollama: read("ollama"),
};

function read(wire: Wire): readonly string[] {
  const inside = new URL(`${wire}/`, folder);
  return readdirSync(inside)
    .toSorted()
    .map((name) => readFileSync(new URL(name, inside), "utf8"));
}

function makeStream(random: Random): Given {
  const wire = random.pick(wires);
  const lines = random.pick(fixtures[wire]).split("\n");
  for (let left = random.whole(0, 4); left > 0; left -= 1) changeLine(lines, random);
  const pieces = Array.from({ length: random.whole(1, 3) }, () =>
    random.pick([1, 7, 100, 5_000, 1_000_000]),
  );
  // A byte at a time, but not for what is long.
  const body = lines.join("\n");
  const isLong = body.length > 20_000;
  return { wire, body, pieces: isLong ? [4_096] : pieces };
}

function changeLine(lines: string[], random: Random): void {
  const at = random.whole(0, Math.max(0, lines.length - 1));
  const line = lines[at] ?? "";
  const dice = random.next();
  if (dice < 0.6) lines[at] = withChangedJson(line, random);
  else if (dice < 0.7) lines.splice(at, 1);
  else if (dice < 0.8)
    lines.splice(at, 0, ...Array.from({ length: random.whole(1, 3) }, () => line));
  else if (dice < 0.86) lines.splice(at);
  else if (dice < 0.94)
    lines.splice(
      at,
      0,
      random.pick([": ping", "", "event: error", "data:", "data: [DONE]", "data: {}", "retry: 1"]),
    );
  else lines[at] = evilString(random, line);
}

function withChangedJson(line: string, random: Random): string {
  const start = line.indexOf("{");
  if (start < 0) return line;
  try {
    const value = JSON.parse(line.slice(start)) as Json;
    return line.slice(0, start) + JSON.stringify(mutated(value, { random, words }, 2));
  } catch {
    return line;
  }
}
