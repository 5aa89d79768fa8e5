import { z } from "zod";
import { PermanentError } from "../core/errors.ts";
import type { Embedder } from "../core/memory.ts";
import { ollamaEmbeddings } from "./ollama/embed.ts";
import { openAiEmbeddings } from "./openai/embed.ts";

const vectorsSchema = z.array(z.array(z.number()).min(1).max(8_192));

interface EmbedderSettings {
  readonly provider: string;
  readonly model: string;
  readonly endpoint:
    | { readonly type: "openai"; readonly baseUrl: string; readonly apiKey: string | undefined }
    | { readonly type: "ollama"; readonly host: string };
}

/** The model of `memory.embeddings` behind one interface. */
export function createEmbedder({ provider, model, endpoint }: EmbedderSettings): Embedder {
  const ask =
    endpoint.type === "openai"
      ? openAiEmbeddings({ ...endpoint, model })
      : ollamaEmbeddings({ ...endpoint, model });
  return {
    model: `${provider}/${model}`,
    async embed(texts, signal) {
      const parsed = vectorsSchema.safeParse(await ask(texts, signal));
      const dimensions = new Set(parsed.data?.map(({ length }) => length));
      if (parsed.data?.length !== texts.length || dimensions.size !== 1)
        throw new PermanentError(
          `expected ${texts.length} vectors of one dimension from ${provider}/${model}`,
        );
      return parsed.data;
    },
  };
}
