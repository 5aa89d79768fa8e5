import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readJsonObject, sendJson } from "./http-emulator.ts";

type Answer = readonly (readonly number[])[] | number;

/**
 * Vectors of texts, or the status of a refusal; a promise that never settles hangs. Synthetic: they
 * say nothing of quality.
 */
export type SyntheticEmbeddings = (texts: readonly string[]) => Answer | Promise<Answer>;

const bodySchema = z.object({ model: z.string(), input: z.array(z.string()).min(1).max(2_048) });

/** As OpenAI (`POST /v1/embeddings`) and Ollama (`POST /api/embed`) document them. */
export async function embed(
  incoming: IncomingMessage,
  response: ServerResponse,
  {
    embeddings,
    wire,
  }: { readonly embeddings: SyntheticEmbeddings; readonly wire: "openai" | "ollama" },
): Promise<void> {
  const body = bodySchema.safeParse(await readJsonObject(incoming));
  const answer = body.success ? await embeddings(body.data.input) : 400;
  if (typeof answer === "number") {
    const message = "embeddings are refused";
    return sendJson(response, answer, { error: wire === "openai" ? { message } : message });
  }
  const model = body.data?.model;
  return sendJson(
    response,
    200,
    wire === "ollama"
      ? { model, embeddings: answer, total_duration: 1, load_duration: 1, prompt_eval_count: 1 }
      : {
          object: "list",
          model,
          data: answer.map((embedding, index) => ({ object: "embedding", index, embedding })),
          usage: { prompt_tokens: 1, total_tokens: 1 },
        },
  );
}
