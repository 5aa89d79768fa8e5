import type { TraceRecord } from "../../../src/core/trace.ts";
import { createModels, type ModelCatalogue } from "../../../src/models/create-models.ts";
import { OllamaServer } from "../../emulators/model/ollama-server.ts";
import type { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { expect } from "vitest";
import { openScene, type Scene, type SceneOptions } from "../scene.ts";

type Description = Parameters<typeof createModels>[0];

/** Tiers by the keys of their models; what an operator says of a model. */
export interface Catalogue {
  readonly tiers?: Readonly<Record<string, readonly string[]>>;
  readonly overrides?: NonNullable<Description["overrides"]>;
}

/** Real clients of emulated servers, without the pauses between two attempts. */
export function modelsOf(
  servers: { readonly openai: OpenAiServer; readonly local?: OllamaServer },
  { tiers = { balanced: ["openai/gpt-4o-mini"] }, overrides = {} }: Catalogue,
): ModelCatalogue {
  const { openai, local } = servers;
  return createModels(
    {
      providers: {
        openai: {
          type: "openai",
          baseUrl: openai.baseUrl,
          apiKey: "sk-a-very-secret-key",
        },
        ...(local === undefined ? {} : { local: { type: "ollama", host: local.baseUrl } }),
      },
      tiers: Object.fromEntries(
        Object.entries(tiers).map(([tier, keys]) => [tier, { models: keys.map(partsOf) }]),
      ),
      overrides,
    },
    { sleep: () => Promise.resolve(), random: () => 0 },
  );
}

function partsOf(key: string): { provider: string; model: string } {
  const at = key.indexOf("/");
  return { provider: key.slice(0, at), model: key.slice(at + 1) };
}

/** The model of OpenAI's wire and the one of Ollama's, `local/qwen3`. */
export const openaiKey = "openai/gpt-4o-mini";
export const localKey = "local/qwen3";

/** A scene with a second provider, each with a script of its own. */
export async function openTwo(options: SceneOptions & { readonly catalogue?: Catalogue }) {
  await using parts = new AsyncDisposableStack();
  const scene: Scene = parts.use(await openScene(options));
  const local = parts.use(await OllamaServer.start());
  const traces: TraceRecord[] = [];
  scene.with({
    models: modelsOf(
      { openai: scene.parts.server, local },
      options.catalogue ?? { overrides: { [localKey]: {} } },
    ),
    trace: { write: (record) => traces.push(record) },
    ...options.deps,
  });
  const owned = parts.move();
  return {
    scene,
    /** What stands behind OpenAI's wire, and behind Ollama's. */
    openai: scene.model,
    local: local.model,
    localUrl: local.baseUrl,
    /** Every model call as it was sent and answered. */
    traces,
    async expectAtRest(): Promise<void> {
      await scene.expectAtRest();
      expect(local.violations).toEqual([]);
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
