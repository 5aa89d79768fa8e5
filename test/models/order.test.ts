import { describe, expect, it } from "vitest";
import type { Model, ModelCard, ModelEvent } from "../../src/core/model.ts";
import { Breakers } from "../../src/models/breaker.ts";
import type { ChainOptions, ModelChain } from "../../src/models/chain.ts";
import { createModelChain } from "../../src/models/chain.ts";
import { createModels } from "../../src/models/create-models.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { answerOf, eventsOf, failing, ListedModel, request, said } from "./helpers.ts";

const look = request([
  {
    role: "user",
    text: "What is this?",
    images: [{ mediaType: "image/png", data: "aGVsbG8=" }],
  },
]);

const chainOf = (...models: Model[]): ModelChain =>
  createModelChain({
    models,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    breakers: new Breakers({ now: () => 0 }),
  });

const seeing = (id: string, ...answers: (readonly ModelEvent[])[]): Model => {
  const model = new ListedModel(id, ...answers);
  return {
    card: { ...model.card, vision: true },
    stream: (...asked) => model.stream(...asked),
  };
};

async function askAvoiding(
  chain: ModelChain,
  options: ChainOptions,
): Promise<{ by: readonly string[]; failure: string | undefined }> {
  const by: string[] = [];
  const onAttempt = ({ card }: { card: ModelCard }): void => void by.push(card.id);
  const { failure } = answerOf(await eventsOf(chain, request("hi"), { onAttempt, options }));
  return { by, failure: failure?.kind };
}

const three = (): ModelChain =>
  chainOf(
    new ListedModel("a/1", said("yes")),
    new ListedModel("b/2", failing("auth")),
    new ListedModel("c/3", said("yes")),
  );

describe("models to avoid", () => {
  it.each<[string, string[], string[]]>([
    ["none", [], ["a/1"]],
    ["the first", ["a/1"], ["b/2", "c/3"]],
    ["the last", ["c/3"], ["a/1"]],
    ["all but one", ["a/1", "b/2"], ["c/3"]],
    ["all", ["a/1", "b/2", "c/3"], ["a/1"]],
    ["an unknown one", ["x/9"], ["a/1"]],
  ])("%s", async (_what, avoid, by) => {
    expect(await askAvoiding(three(), { avoid: new Set(avoid) })).toEqual({
      by,
      failure: undefined,
    });
  });

  it("are not asked even when the others fail", async () => {
    const chain = chainOf(
      new ListedModel("a/1", said("no")),
      new ListedModel("b/2", failing("auth")),
    );
    expect(await askAvoiding(chain, { avoid: new Set(["a/1"]) })).toEqual({
      by: ["b/2"],
      failure: "auth",
    });
  });
});

describe("a request with images", () => {
  it("asks the models that see first, each kind in the chain's order", async () => {
    const asked: string[] = [];
    const chain = chainOf(
      new ListedModel("blind/1", said("A picture.")),
      seeing("seeing/1", failing("auth")),
      new ListedModel("blind/2"),
      seeing("seeing/2", failing("auth")),
    );
    const answer = answerOf(
      await eventsOf(chain, look, {
        onAttempt: ({ card }) => asked.push(card.id),
      }),
    );
    expect(asked).toEqual(["seeing/1", "seeing/2", "blind/1"]);
    expect(answer.text).toBe("A picture.");
  });

  it("asks the server what a model can do before it decides", async () => {
    await using ollama = await OllamaServer.start();
    const models = createModels({
      providers: { ollama: { type: "ollama", host: ollama.baseUrl } },
      tiers: {
        balanced: {
          models: ["qwen3", "gemma3"].map((model) => ({
            provider: "ollama",
            model,
          })),
        },
      },
    });
    const chain = models.chain("balanced");
    const shown: string[] = [];
    const onModel = ({ id }: ModelCard): void => void shown.push(id);
    await eventsOf(chain, look, { onModel });
    await eventsOf(chain, request("hi"), { onModel });
    expect(shown).toEqual(["ollama/gemma3", "ollama/qwen3"]);
    expect(JSON.stringify(ollama.model.requests[0]?.body)).toContain("aGVsbG8=");
    expect(ollama.violations).toEqual([]);
  });

  it("is answered by words alone where no model sees", async () => {
    await using ollama = await OllamaServer.start();
    const models = createModels({
      providers: { ollama: { type: "ollama", host: ollama.baseUrl } },
      tiers: {
        fast: {
          models: ["qwen3", "llama3.2"].map((model) => ({
            provider: "ollama",
            model,
          })),
        },
      },
    });
    await eventsOf(models.chain("fast"), look);
    expect(ollama.model.requests[0]?.model).toBe("qwen3");
    expect(ollama.model.requests[0]?.lastUserText).toBe(
      "What is this?\n[image: not visible to this model]",
    );
  });

  it("is not kept waiting by a stop", async () => {
    const deaf: Model = {
      card: new ListedModel("a/1").card,
      learnCard: () => new Promise(() => undefined),
      stream: () => {
        throw new Error("asked after the stop");
      },
    };
    const stopping = new AbortController();
    const events = eventsOf(chainOf(deaf, deaf), look, stopping);
    stopping.abort();
    expect(await events).toEqual([]);
  });
});
