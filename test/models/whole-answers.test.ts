import { describe, expect, it } from "vitest";
import type { Model } from "../../src/core/model.ts";
import { localLimits, withTimeLimits } from "../../src/models/limits.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import type { ScriptedModel } from "../emulators/model/scripted-model.ts";
import type { Step } from "../emulators/model/step.ts";
import { ask, card, ListedModel, request, said, timer, tools } from "./helpers.ts";

type Started = AsyncDisposable & {
  readonly baseUrl: string;
  readonly model: ScriptedModel;
};

const wires: readonly {
  readonly name: string;
  start(): Promise<Started>;
  model(address: string): Model;
}[] = [
  ...(["chat", "responses"] as const).map((api) => ({
    name: `openai ${api}`,
    start: () => OpenAiServer.start(),
    model: (baseUrl: string) =>
      createOpenAiModel({
        settings: { baseUrl, api },
        id: "a/gpt-4o",
        card: { streaming: false },
      }),
  })),
  {
    name: "ollama",
    start: () => OllamaServer.start(),
    model: (host) =>
      createOllamaModel({
        settings: { host },
        id: "a/qwen3",
        card: { streaming: false },
      }),
  },
];

const step: Step = {
  reasoning: "I think.",
  text: "Here it is.",
  toolCalls: [
    { name: "current_time", arguments: { timeZone: "Asia/Tokyo" } },
    { name: "read_notes", arguments: {} },
  ],
  usage: { inputTokens: 12, outputTokens: 34 },
};

describe.each(wires)("answers of $name that come whole", (wire) => {
  it("say everything that a stream says", async () => {
    await using server = await wire.start();
    server.model.reply(step);
    const answer = await ask(wire.model(server.baseUrl), request("go", { tools }));
    expect(server.model.requests[0]?.stream).toBe(false);
    expect(answer).toMatchObject({
      text: step.text,
      reasoning: step.reasoning,
      usage: step.usage,
      finish: "tool-calls",
    });
    expect(
      answer.calls.map(({ name, arguments: given }) => ({
        name,
        arguments: JSON.parse(given),
      })),
    ).toEqual(step.toolCalls);
  });

  it("tell how they ended", async () => {
    await using server = await wire.start();
    server.model.reply({ text: "half", finish: "length" }, { text: "whole" });
    const model = wire.model(server.baseUrl);
    expect(await ask(model, request("go"))).toMatchObject({
      text: "half",
      finish: "length",
    });
    expect((await ask(model, request("go"))).finish).toBe("stop");
  });

  it.each([
    [{ status: 429 }, "rate-limited"],
    [{ status: 502, body: "<html>Bad gateway</html>" }, "overloaded"],
    ["cut-before-headers", "network"],
  ] as const)("fail by %j as %s", async (failure, kind) => {
    await using server = await wire.start();
    server.model.reply({ failure });
    const { failure: failed } = await ask(wire.model(server.baseUrl), request("go"));
    expect(failed?.kind).toBe(kind);
  });

  it("end their request when they are aborted", async () => {
    await using server = await wire.start();
    server.model.reply({ failure: "hang-before-headers" });
    const stopping = new AbortController();
    const asking = ask(wire.model(server.baseUrl), request("go"), stopping.signal);
    await server.model.waitForRequest(() => true);
    stopping.abort();
    expect((await asking).events).toEqual([]);
    await server.model.waitForRequest(({ state }) => state === "aborted");
  });
});

describe("an answer that comes whole", () => {
  it("fails when its body is an error", async () => {
    const model = createOpenAiModel({
      settings: { baseUrl: "http://host:1/v1" },
      id: "a/m",
      card: { streaming: false },
      fetch: () => Promise.resolve(Response.json({ error: { code: 429, message: "slow down" } })),
    });
    expect((await ask(model, request("go"))).failure).toMatchObject({
      kind: "rate-limited",
    });
  });

  it("may be silent until its end", async () => {
    const limits = { ...localLimits, firstEventMs: 7, totalMs: 99 };
    const timersOf = async (streaming: boolean): Promise<number[]> => {
      const timers: number[] = [];
      const inner = new ListedModel("a/m", said("hello"));
      const model: Model = {
        card: { ...card, streaming },
        stream: (...asked) => inner.stream(...asked),
      };
      const limited = withTimeLimits(model, limits, {
        schedule: (_, ms) => {
          timers.push(ms);
          return timer();
        },
      });
      await ask(limited, request("go"));
      return timers;
    };
    expect(await timersOf(true)).toContain(7);
    expect(await timersOf(false)).not.toContain(7);
  });
});
