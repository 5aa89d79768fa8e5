import type { Settings } from "../../config/settings.ts";
import { findingIn } from "../../doctor/check.ts";
import { localeFor } from "../../locales/locale-for.ts";
import { embedOnce } from "../../doctor/memory.ts";
import type { Model, ModelEvent, ModelFailure, ToolSpec } from "../../core/model.ts";
import type { ModelServer } from "./servers.ts";

/** What the model is asked; tests answer these. */
export const greetingQuestion = "Say hello in five words or fewer.";
export const toolQuestion = "Use the tool to look up the current time in Tokyo.";

const clock: ToolSpec = {
  name: "current_time",
  description: "The current date and time in a time zone",
  parameters: {
    type: "object",
    properties: { timeZone: { type: "string", description: "Such as Asia/Tokyo" } },
    required: ["timeZone"],
  },
};

export type CheckedLine =
  | { readonly mark: "ok" | "warn"; readonly text: string }
  | { readonly mark: "fail"; readonly text: string };

/** One real answer, then one real tool call; the second only after the first. Never rejects. */
export async function checkModel(
  model: Model,
  server: ModelServer,
  deps: { readonly signal: AbortSignal; readonly onLine: (line: CheckedLine) => void },
): Promise<boolean> {
  const { signal, onLine } = deps;
  await model.learnCard?.();
  const name = model.card.id.slice(model.card.id.indexOf("/") + 1);
  const startedMs = performance.now();
  const greeting = await ask(model, { question: greetingQuestion, tools: [] }, signal);
  if ("failure" in greeting) {
    onLine({ mark: "fail", text: problemOf(greeting.failure, { server, name }) });
    return false;
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const said = greeting.text.trim().replaceAll(/\s+/g, " ");
  onLine({
    mark: said === "" ? "warn" : "ok",
    text:
      said === ""
        ? `${name} gave an empty answer. Try another model if that happens again.`
        : `${name} answers (${seconds} s): “${said.length > 48 ? `${said.slice(0, 47)}…` : said}”`,
  });
  const call = model.card.tools
    ? await ask(model, { question: toolQuestion, tools: [clock] }, signal)
    : { text: "", calls: [], isPrinted: false };
  onLine(toolLine(call, name));
  return true;
}

function toolLine(call: Answer, name: string): CheckedLine {
  if ("failure" in call)
    return {
      mark: "warn",
      text: `${name} failed when it was offered a tool: ${call.failure.message}\nParley works without tools then. For tools, choose a model that supports them.`,
    };
  if (call.isPrinted)
    return {
      mark: "warn",
      text: `${name} writes its tool calls as text. Switch on the tool parser of its server, or choose another model.`,
    };
  return call.calls.includes(clock.name)
    ? { mark: "ok", text: `${name} calls tools` }
    : {
        mark: "warn",
        text: `${name} didn't call the tool it was offered, so notes, web pages and MCP\nmay not work. Models that do: qwen3, llama3.1, gpt-5-mini.`,
      };
}

/** Milliseconds: a server may have to load its model first. */
const embeddingMs = 60_000;

/** One word's vector, where the settings name a model for them. Without it keywords are searched. */
export async function checkEmbeddings(
  { memory: { embeddings } }: Pick<Settings, "memory">,
  deps: { readonly signal: AbortSignal; readonly onLine: (line: CheckedLine) => void },
): Promise<void> {
  if (embeddings === undefined) return;
  const within = AbortSignal.any([deps.signal, AbortSignal.timeout(embeddingMs)]);
  const { finding } = await embedOnce(embeddings, within);
  const { status, what, why, fix } = findingIn(localeFor())(finding);
  deps.onLine({
    mark: status === "ok" ? "ok" : "warn",
    text: [what, why, fix].filter((line) => line !== undefined).join("\n"),
  });
}

type Answer =
  | {
      readonly text: string;
      readonly calls: readonly string[];
      /** It wrote a call as text. */
      readonly isPrinted: boolean;
    }
  | { readonly failure: ModelFailure };

async function ask(
  model: Model,
  { question, tools }: { readonly question: string; readonly tools: readonly ToolSpec[] },
  signal: AbortSignal,
): Promise<Answer> {
  const events: ModelEvent[] = [];
  await model.stream(
    { messages: [{ role: "user", text: question }], tools, toolChoice: "auto", options: {} },
    signal,
    { onEvent: (event) => void events.push(event) },
  );
  const failure = events.find((event) => event.type === "failure")?.failure;
  if (failure !== undefined) return { failure };
  const restarted = events.findLastIndex(({ type }) =>
    ["text-was-reasoning", "text-replaced"].includes(type),
  );
  return {
    text: events
      .slice(Math.max(0, restarted))
      .map((event) => ("text" in event && event.type !== "reasoning-delta" ? event.text : ""))
      .join(""),
    calls: events.flatMap((event) => (event.type === "tool-call" ? [event.name] : [])),
    isPrinted: events.some(({ type }) => type === "printed-call"),
  };
}

/** What failed, and what to do about it. */
export function problemOf(
  { kind, message }: ModelFailure,
  { server, name }: { readonly server: ModelServer; readonly name: string },
): string {
  const { label, address } = server;
  switch (kind) {
    case "network":
      return `Can't reach ${label} at ${address} (${message}).\n${startHint(server)}`;
    case "auth":
      return server.type === "ollama"
        ? `${label} refused the login (${message}).\nGive it in the address: --ollama-host http://user:password@host`
        : `${label} refused the key (${message}).\nCopy it again from your account's page of API keys.`;
    case "no-credit":
      return `The key works, but the account has no credit (${message}).\nAdd some on ${label}'s billing page, then try again.`;
    case "unknown-model":
      return server.type === "ollama"
        ? `${message}.`
        : `${label} doesn't have ${name} (${message}).\nCheck the model's name.`;
    case "timeout":
      return `${label} took too long to answer (${message}).\nTry again, or choose a smaller model.`;
    case "rate-limited":
    case "overloaded":
      return `${label} is busy (${message}). Wait a minute and try again.`;
    case "invalid-request":
      return /\b404\b/.test(message)
        ? `${label} at ${address} has no such page (${message}).\nCheck the address: most end in /v1.`
        : `${label} refused the request for ${name} (${message}).\nTry another model.`;
    case "broken-call":
    case "context-overflow":
    case "moderated":
    case "refused":
      return `${name} refused a short question (${message}). Choose another model.`;
    default:
      return kind satisfies never;
  }
}

function startHint({ name, type, address }: ModelServer): string {
  if (type === "ollama")
    return "Start it with `ollama serve`, or give another address with --ollama-host.";
  if (name === "lmstudio") return "Open LM Studio, go to Developer, and start the server.";
  return `Check that a server runs at ${address}, and your connection.`;
}
