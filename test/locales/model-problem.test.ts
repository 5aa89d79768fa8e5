import { describe, expect, it } from "vitest";
import type { ModelProblem } from "../../src/core/model.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { modelProblemText } from "../../src/locales/model-problem.ts";

const problem = (server: ModelProblem["server"]): ModelProblem => ({
  id: "lab/big",
  model: "big",
  server,
  isMissing: false,
  failure: { kind: "network", message: "fetch failed" },
});

const saidIn = (language: string, server: ModelProblem["server"]): string =>
  modelProblemText(problem(server), localeFor(language)).what;

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
