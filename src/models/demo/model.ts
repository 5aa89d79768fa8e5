import type { Model, ModelCard, ModelRequest } from "../../core/model.ts";
import type { Sleep } from "../../util/sleep.ts";
import { decide } from "./decide.ts";

/** Slow enough to see that it streams. */
const defaultWordDelayMs = 15;
/** A number takes as long as so many words, so that there is time to stop a count. */
const wordsPerNumber = 7;
/** A token is about so many characters. */
const charactersPerToken = 4;

/** The built-in model: needs no network, answers by rules, says that it is a demo. */
export function createDemoModel(deps: {
  /** `provider/model`; default `demo/demo`. */
  readonly id?: string;
  readonly sleep: Sleep;
  readonly wordDelayMs?: number;
}): Model {
  const card: ModelCard = {
    id: deps.id ?? "demo/demo",
    tools: true,
    vision: false,
    thinking: false,
    toolChoiceNone: true,
    streaming: true,
    jsonMode: false,
    embeddings: false,
    settableTemperature: false,
    settableKeepAlive: false,
    settableContext: false,
    contextWindow: 128_000,
    usdPerMillionTokens: { input: 0, output: 0 },
  };
  const { sleep, wordDelayMs = defaultWordDelayMs } = deps;
  return {
    card,
    async stream(request, signal, { onEvent }) {
      if (signal.aborted) return;
      const { text, calls } = decide(request);
      for (const word of text.toWellFormed().match(/\s*\S+\s*/g) ?? []) {
        const delayMs = /^\s*\d+\s*$/.test(word) ? wordDelayMs * wordsPerNumber : wordDelayMs;
        await sleep(delayMs, signal).catch(() => undefined); // Aborted.
        if (signal.aborted) return;
        onEvent({ type: "text-delta", text: word });
      }
      for (const call of calls) onEvent({ type: "tool-call", id: "", ...call });
      onEvent({
        type: "usage",
        usage: {
          inputTokens: tokens(promptOf(request)),
          outputTokens: tokens(text + JSON.stringify(calls)),
        },
      });
      onEvent({ type: "finish", reason: calls.length > 0 ? "tool-calls" : "stop" });
    },
  };
}

function promptOf({ messages }: ModelRequest): string {
  return messages.map(({ text }) => text).join("\n");
}

function tokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
