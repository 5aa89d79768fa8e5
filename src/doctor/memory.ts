import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import { createEmbedder } from "../models/create-embedder.ts";
import { createVectorStore } from "../store/memory/vectors.ts";
import type { Store } from "../store/redis/redis.ts";
import { ok, type Check, type Examined } from "./check.ts";

/** Chats with vectors that are looked at. */
const maxChats = 100;

/** One word's vector, where a model is set for them, and whether the stored ones are like it. */
export function memoryCheck(
  { memory: { embeddings } }: Pick<Settings, "memory">,
  /** Undefined: Redis can't be used. */
  store: Store | undefined,
): readonly Check[] {
  if (embeddings === undefined) return [];
  const what = `The embeddings of ${embeddings.provider}/${embeddings.model}`;
  const run: Check["run"] = async (signal) => {
    const { finding, model } = await embedOnce(embeddings, signal);
    if (store === undefined || model === undefined) return [finding];
    const stored = await createVectorStore(store).models(maxChats, signal);
    return [finding, ...likeStored(model, stored)];
  };
  return [{ id: "memory", what, withinMs: 15_000, run }];
}

/** One word's vector. @returns also the model and its dimensions, as stored vectors name them. */
export async function embedOnce(
  embeddings: Embeddings,
  signal: AbortSignal,
): Promise<{ readonly finding: Examined; readonly model?: string }> {
  const embedder = createEmbedder(embeddings);
  try {
    const [vector] = await embedder.embed(["hello"], signal);
    const dimensions = vector?.length ?? 0;
    const what = `The embeddings of ${embeddings.provider}/${embeddings.model} are made (${dimensions} dimensions).`;
    return { finding: ok("memory.embeddings", what), model: `${embedder.model} ${dimensions}` };
  } catch (error) {
    return { finding: failing(embeddings, messageOf(error)) };
  }
}

type Embeddings = NonNullable<Settings["memory"]["embeddings"]>;

/** @param cause begins with the kind of the failure. */
function failing({ provider, model, endpoint }: Embeddings, cause: string): Examined {
  const isOllama = endpoint.type === "ollama";
  const kind = /^[a-z-]+(?=: )/.exec(cause)?.[0];
  const fixes: Readonly<Record<string, string>> = {
    network: isOllama
      ? "Start it (ollama serve), or correct OLLAMA_HOST."
      : "Start it, or correct its address (OPENAI_BASE_URL, or providers in parley.yaml).",
    auth: "Correct OPENAI_API_KEY (or apiKey of the provider in parley.yaml), or top up the account.",
    "invalid-request": isOllama
      ? `Run: ollama pull ${model}`
      : "Correct memory.embeddings in parley.yaml to a model that makes embeddings.",
  };
  const fix = fixes[kind === "timeout" ? "network" : (kind ?? "")];
  return {
    id: "memory.embeddings",
    status: "warning",
    what: `${provider}/${model} makes no embeddings: ${cause.slice(0, 300)}`,
    why: "What was said is found by keywords alone.",
    fix: fix ?? "See the server's log, and memory.embeddings in parley.yaml.",
  };
}

/** @param stored how many chats have vectors of each model and dimension. Pure. */
function likeStored(named: string, stored: ReadonlyMap<string, number>): readonly Examined[] {
  const id = "memory.vectors";
  const others = [...stored].filter(([each]) => each !== named);
  if (stored.size === 0) return [];
  if (others.length === 0) return [ok(id, `The stored vectors are of ${shown(named)}.`)];
  const list = others.map(([each, chats]) => `${shown(each)} in ${chats}`).join("; ");
  return [
    {
      id,
      status: "note",
      what: `Not all chats have vectors of ${shown(named)}. Others: ${list}.`,
      why: "Until they are made again, those chats are searched by keywords alone.",
      fix: "Nothing, if memory.embeddings was changed on purpose: a chat's vectors are made again after its next answer.",
    },
  ];
}

const shown = (named: string): string => named.replace(/ (\d+)$/, " ($1 dimensions)");
