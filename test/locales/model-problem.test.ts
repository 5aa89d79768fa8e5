import { describe, expect, it } from "vitest";
import type { ModelProblem } from "../../src/core/model.ts";
import { vendorFailure } from "../../src/models/failure.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { modelProblemText } from "../../src/locales/model-problem.ts";
import { problemOf } from "../../src/models/check-model.ts";

const problem = (server: ModelProblem["server"]): ModelProblem => ({
  id: "lab/big",
  model: "big",
  server,
  isMissing: false,
  failure: { kind: "network", message: "fetch failed" },
});

const saidIn = (language: string, server: ModelProblem["server"]): string =>
  modelProblemText(problem(server), localeFor(language)).what;

describe("a model that can't be used", () => {
  const ofProvider = { type: "openai", host: "api.example.com" } as const;
  const ofOllama = { type: "ollama", host: "10.0.0.7:11434" } as const;

  it.each<[string, ModelProblem["server"], ModelProblem["failure"], RegExp]>([
    [
      "a wrong key",
      ofProvider,
      { kind: "auth", message: "401" },
      /refuses the key[^]*OPENAI_API_KEY/,
    ],
    [
      "a wrong login of Ollama",
      ofOllama,
      { kind: "auth", message: "401" },
      /refuses the key[^]*OLLAMA_HOST/,
    ],
    [
      "an empty account",
      ofProvider,
      { kind: "no-credit", message: "402" },
      /takes the key[^]*no credit[^]*Top up/,
    ],
    [
      "another model",
      ofProvider,
      { kind: "unknown-model", message: "404 no" },
      /doesn't serve big[^]*OPENAI_MODEL/,
    ],
    [
      "another address",
      ofProvider,
      { kind: "invalid-request", message: "404 page not found" },
      /its address/,
    ],
    [
      "a request that is refused",
      ofProvider,
      { kind: "invalid-request", message: "400 no" },
      /See its log/,
    ],
  ])("is explained with its fix: %s", (_why, server, failure, says) => {
    const failed = { ...problem(server), failure };
    const { what, fix } = modelProblemText(failed, localeFor("en"));
    expect(`${what}\n${fix}`).toMatch(says);
    if (server.type === "ollama") expect(fix).not.toContain("OPENAI");
  });
});

describe("a model whose server doesn't answer", () => {
  it.each([
    ["en", "The model server at the configured address doesn't answer, so lab/big can't: "],
    ["de", "Der Modellserver unter der eingestellten Adresse antwortet nicht, deshalb auch "],
    ["es", "El servidor del modelo en la dirección configurada no responde, así que lab/big "],
    ["fr", "Le serveur du modèle à l'adresse configurée ne répond pas, donc lab/big non plus : "],
    ["ru", "Сервер модели по заданному адресу не отвечает, поэтому и lab/big тоже: "],
    ["zh", "模型服务器（地址无法识别）没有响应，因此 lab/big 无法回答："],
  ])("is described in %s, also where its address can't be read", (language, expected) => {
    expect(saidIn(language, { type: "openai", host: undefined })).toContain(expected);
  });

  it("is named with its host in Chinese", () => {
    expect(saidIn("zh", { type: "openai", host: "10.0.0.7:8000" })).toContain(
      "模型服务器（10.0.0.7:8000）没有响应",
    );
    expect(saidIn("zh", { type: "ollama", host: undefined })).toContain(
      "Ollama (地址无法识别)没有响应",
    );
  });
});

const refusalSaid = (message: string, status: number): string => {
  const id = "lab/big";
  const providers = { lab: { type: "openai", baseUrl: "http://lab.test/v1" } } as never;
  const found = problemOf(id, { providers }, vendorFailure({ status, message }));
  return modelProblemText(found, localeFor("en")).what;
};

describe("a request that its server refuses", () => {
  it.each([
    "The model `big` does not exist or you do not have access to it.",
    "404 model: big",
    "lab/big is not a valid model ID",
    "No endpoints found for lab/big.",
    "No models loaded. Please load a model.",
  ])("is about a model that isn't there: %s", (message) => {
    expect(refusalSaid(message, 404)).toContain("doesn't serve big");
  });

  it.each([
    "Unsupported parameter: 'max_tokens' is not supported with this model.",
    "Invalid schema for function 'write_note'",
    "image input is not supported",
  ])("isn't, where it says something else: %s", (message) => {
    expect(refusalSaid(message, 400)).toBe(
      `The model server lab.test refused a request to lab/big: ${message}`,
    );
  });
});
