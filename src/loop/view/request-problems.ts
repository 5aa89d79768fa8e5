import { isBlank } from "../../text/blank.ts";
import { unreachable } from "../../core/errors.ts";
import { hasImages, type RequestCall, type RequestMessage } from "../../core/model.ts";
import { parseJsonObject } from "../../text/json-object.ts";
import { memoised, memoisedInPieces, pieceLength } from "../../util/memoised.ts";

/** Whether a call's arguments are the JSON of an object. */
export const hasObjectArguments = memoised(
  (call: { readonly arguments: string }) => parseJsonObject(call.arguments) !== undefined,
);

const idPattern = /^[A-Za-z0-9_-]{1,40}$/;
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * What breaks the rules of the providers, in words; empty when the request may be sent. A message
 * names its place, from 0, and never quotes a text. Pure.
 */
export function requestProblems(messages: readonly RequestMessage[]): readonly string[] {
  if (messages.length === 0) return ["the request is empty"];
  const problems: string[] = [];
  if (!messages.some(({ role }) => role === "user")) problems.push("no message is a person's");
  if (messages.at(-1)?.role === "assistant") problems.push("the last message is the assistant's");
  const ids = new Set<string>();
  /** Calls without a result, by id, with the name that the result must have. */
  let open = new Map<string, string>();
  let before: RequestMessage["role"] = "system";
  const report = (index: number, problem: string): void => {
    problems.push(`message ${index}: ${problem}`);
  };
  const ofContent = contentProblems(messages);
  messages.forEach((message, index) => {
    if (message.role !== "tool" && open.size > 0) {
      for (const id of open.keys()) report(index, `call ${id} before it has no result`);
      open = new Map();
    }
    const problem = ofContent[Math.floor(index / pieceLength)]?.[index % pieceLength];
    if (problem !== undefined) report(index, problem);
    const order = orderProblem(message, before);
    if (order !== undefined) report(index, order);
    if (message.role === "assistant" && message.calls.length > 0) {
      for (const problem of callProblems(message.calls, ids)) report(index, problem);
      open = new Map(message.calls.map(({ id, name }) => [id, name]));
    }
    if (message.role === "tool") {
      const asked = open.get(message.callId);
      if (asked === undefined) report(index, "its result has no open call, or a second one");
      else if (asked !== message.name) report(index, "its result bears another name than its call");
      open.delete(message.callId);
    }
    before = message.role;
  });
  for (const id of open.keys()) problems.push(`call ${id} has no result`);
  return problems;
}

/**
 * Some providers refuse a message without text in any role; a result may be
 * empty.
 */
function contentProblem(message: RequestMessage): string | undefined {
  const hasWords = !isBlank(message.text);
  switch (message.role) {
    case "system":
      return hasWords ? undefined : "it is empty";
    case "user":
      return hasWords || message.images?.length ? undefined : "it is empty";
    case "assistant":
      if (message.calls.length === 0) return hasWords ? undefined : "it is empty";
      return hasWords || message.text === "" ? undefined : "its text has no words";
    case "tool":
      return undefined;
    default:
      return unreachable(message);
  }
}

const contentProblems = memoisedInPieces(
  (messages: readonly RequestMessage[]) => messages.map(contentProblem),
  hasImages,
);

/**
 * Context first, then a user message, and calls only after user messages or
 * results: Anthropic and Google require it.
 */
function orderProblem(message: RequestMessage, before: RequestMessage["role"]): string | undefined {
  if (message.role === "system")
    return before === "system" ? undefined : "a system message stands in the middle";
  if (message.role !== "assistant") return undefined;
  if (before === "system") return "the assistant begins the conversation";
  return before === "assistant" && message.calls.length > 0
    ? "calls come right behind the assistant's own words"
    : undefined;
}

function callProblems(calls: readonly RequestCall[], ids: Set<string>): readonly string[] {
  return calls.flatMap((call) => {
    const { id, name } = call;
    const problems: string[] = [];
    if (!idPattern.test(id)) problems.push("a call has an invalid id");
    if (ids.has(id)) problems.push(`the call id ${id} is used twice`);
    ids.add(id);
    if (!namePattern.test(name)) problems.push(`call ${id} has an invalid name`);
    if (!hasObjectArguments(call))
      problems.push(`call ${id} has arguments that are not a JSON object`);
    return problems;
  });
}
