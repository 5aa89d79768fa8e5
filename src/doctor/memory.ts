import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import type { Locale } from "../locales/locale.ts";
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
  const name = `${embeddings.provider}/${embeddings.model}`;
  const run: Check["run"] = async (signal) => {
    const { finding, model } = await embedOnce(embeddings, signal);
    if (store === undefined || model === undefined) return [finding];
    const stored = await createVectorStore(store).models(maxChats, signal);
    return [finding, ...likeStored(model, stored)];
  };
  return [{ id: "memory", what: (checks) => checks.embeddings(name), withinMs: 15_000, run }];
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
    const name = `${embeddings.provider}/${embeddings.model}`;
    return {
      finding: ok("memory.embeddings", ({ memory }) => memory.made(name, dimensions)),
      model: `${embedder.model} ${dimensions}`,
    };
  } catch (error) {
    return { finding: failing(embeddings, messageOf(error)) };
  }
}

type Embeddings = NonNullable<Settings["memory"]["embeddings"]>;

/** @param cause begins with the kind of the failure. */
function failing({ provider, model, endpoint }: Embeddings, cause: string): Examined {
  const kind = /^[a-z-]+(?=: )/.exec(cause)?.[0];
  return {
    id: "memory.embeddings",
    status: "warning",
    say({ findings }) {
      const { what, why, fix, fixModel } = findings.memory.failing;
      const { startOllama, start, key, login, credit, pull } = findings.model.fix;
      const isOllama = endpoint.type === "ollama";
      const network = isOllama ? startOllama : start;
      const fixes: Readonly<Record<string, string>> = {
        network,
        timeout: network,
        auth: isOllama ? login : key,
        "no-credit": credit,
        "unknown-model": isOllama ? pull(model) : fixModel,
        "invalid-request": isOllama ? pull(model) : fixModel,
      };
      return {
        what: what(`${provider}/${model}`, cause.slice(0, 300)),
        why,
        fix: fixes[kind ?? ""] ?? fix,
      };
    },
  };
}

/** @param stored how many chats have vectors of each model and dimension. Pure. */
function likeStored(named: string, stored: ReadonlyMap<string, number>): readonly Examined[] {
  const id = "memory.vectors";
  const others = [...stored].filter(([each]) => each !== named);
  if (stored.size === 0) return [];
  if (others.length === 0) return [ok(id, ({ memory }) => memory.stored(vectorsOf(named, memory)))];
  return [
    {
      id,
      status: "note",
      say({ findings: { memory } }) {
        const list = others.map(([each, chats]) => memory.inChats(vectorsOf(each, memory), chats));
        const { what, why, fix } = memory.otherStored;
        return { what: what(vectorsOf(named, memory), list.join("; ")), why, fix };
      },
    },
  ];
}

/** @param named `model dimensions`, as stored. */
function vectorsOf(named: string, { vectorsOf: said }: Locale["findings"]["memory"]): string {
  const [, model = named, dimensions = "0"] = /^(.*) (\d+)$/.exec(named) ?? [];
  return said(model, Number(dimensions));
}
