import type { ModelRequest, RequestMessage } from "../../core/model.ts";
import { goalIn } from "./goal.ts";
import type { CallResult } from "./results.ts";
import { resultSentence } from "./results.ts";
import { smallTalk } from "./small-talk.ts";
import type { Intent } from "./intents.ts";
import { intentsIn } from "./intents.ts";

/** Either words or calls. */
export interface DemoAnswer {
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    /** JSON. */
    readonly arguments: string;
  }[];
}

/** The first line of the demo's first answer in a conversation. */
export const demoNotice =
  "You're talking to the built-in demo. To use a real model, put OPENAI_API_KEY and OPENAI_MODEL, or OLLAMA_MODEL, into .env and restart.";

/**
 * The demo's answer. Pure and deterministic: it remembers nothing, since the request contains the
 * conversation.
 */
export function decide(request: ModelRequest): DemoAnswer {
  const given = lastUserText(request.messages);
  const goal = goalIn(given);
  const { text, calls } = work(request, goal ?? given);
  // The demo is done after one turn: more turns of `/auto` would repeat it.
  return goal === undefined || calls.length > 0
    ? { text, calls }
    : { text: `${text}\n\nDONE`, calls };
}

/** @param text the request */
function work(request: ModelRequest, text: string): DemoAnswer {
  const { messages } = request;
  const results = resultsSinceUser(messages);
  if (results.length > 0) {
    return words(messages, results.map(resultSentence).join("\n"));
  }
  const intents = intentsIn(text);
  if (intents.length === 0) return words(messages, smallTalk(text));
  const calls = intents.map(toCall);
  const offered = new Set(
    request.toolChoice === "none" ? [] : request.tools.map(({ name }) => name),
  );
  const missing = calls.find(({ name }) => !offered.has(name));
  return missing === undefined
    ? { text: "", calls }
    : words(messages, `I'd call ${missing.name} for that, but I can't use that tool now.`);
}

/** Who the system prompt says that it is, in its first sentence; Parley itself is no persona. */
const personaShape = /^You are (?!Parley\b|in a\b)(.{3,120}?)\.(?:\s|$)/;

/** What two of the examples in `personas/` say before and after each answer. */
const voices: ReadonlyMap<string, readonly [before: string, after: string]> = new Map([
  ["tutor", ["Let's take it step by step.", "What would you try first?"]],
  ["proofreader", ["First your text, then what I changed.", "I changed nothing: a model would."]],
]);

/** The demo is no model, but it shows which persona answers. */
function inPersona(messages: readonly RequestMessage[], text: string): string {
  const first = messages.find(({ role }) => role === "system")?.text ?? "";
  const persona = personaShape.exec(first)?.[1];
  if (persona === undefined) return text;
  const name = /^the (\w+)/.exec(persona)?.[1] ?? "";
  const [before, after] = voices.get(name) ?? [];
  if (before === undefined) return `A real model would now be ${persona}.\n\n${text}`;
  return [`The demo plays the ${name}. ${before}`, text, after].join("\n\n");
}

function toCall(request: Intent): DemoAnswer["calls"][number] {
  switch (request.type) {
    case "time":
      return {
        name: "current_time",
        arguments: JSON.stringify({ timeZone: request.timeZone }),
      };
    case "note":
      return {
        name: "write_note",
        arguments: JSON.stringify({ note: request.note }),
      };
    case "remember":
      return {
        name: "remember",
        arguments: JSON.stringify({ about: "me", fact: request.fact }),
      };
    case "read-notes":
      return { name: "read_notes", arguments: "{}" };
    case "recall":
      return { name: "recall", arguments: JSON.stringify({ query: request.query }) };
    case "remind": {
      const { when, text } = request;
      const given = { action: "create", kind: "remind", when, text };
      return { name: "schedule", arguments: JSON.stringify(given) };
    }
    default:
      return request satisfies never;
  }
}

function words(messages: readonly RequestMessage[], text: string): DemoAnswer {
  const said = messages.some(
    (message) => message.role === "assistant" && message.text.includes(demoNotice),
  );
  const answer = inPersona(messages, text);
  return { text: said ? answer : `${demoNotice}\n\n${answer}`, calls: [] };
}

function lastUserText(messages: readonly RequestMessage[]): string {
  return messages.findLast(({ role }) => role === "user")?.text ?? "";
}

/** Every call of the turn with its result, in the order of the results. */
function resultsSinceUser(messages: readonly RequestMessage[]): CallResult[] {
  const start = messages.findLastIndex(({ role }) => role === "user");
  const turn = messages.slice(start + 1);
  const asked = new Map(
    turn.flatMap((message) =>
      message.role === "assistant"
        ? message.calls.map((call) => [call.id, call.arguments] as const)
        : [],
    ),
  );
  return turn.flatMap((message) =>
    message.role === "tool"
      ? [
          {
            name: message.name,
            arguments: asked.get(message.callId) ?? "{}",
            text: message.text,
          },
        ]
      : [],
  );
}
