import type { RequestMessage } from "../core/model.ts";

type Of<Role extends RequestMessage["role"]> = RequestMessage & { readonly role: Role };

/** Between a tool's result and a person's message. */
const acknowledged: Of<"assistant"> = { role: "assistant", text: "OK.", calls: [] };

/**
 * The same messages for chat templates that want user and assistant to alternate: neighbours of one
 * side are one message, and the assistant speaks between a tool and a person. Calls and results stay
 * as they are, since templates don't count them. Pure.
 */
export function alternating(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  const written: RequestMessage[] = [];
  for (const message of messages) {
    const last = written.at(-1);
    const joined = last === undefined ? undefined : join(last, message);
    if (joined !== undefined) {
      written[written.length - 1] = joined;
      continue;
    }
    if (message.role === "user" && last?.role === "tool") written.push(acknowledged);
    written.push(message);
  }
  return written;
}

/** Undefined where both may stay. */
function join(first: RequestMessage, second: RequestMessage): RequestMessage | undefined {
  if (first.role === "user" && second.role === "user") return joinedUsers(first, second);
  return first.role === "assistant" && first.calls.length === 0 && second.role === "assistant"
    ? joinedAnswers(first, second)
    : undefined;
}

const joinedUsers = joiner((first: Of<"user">, second: Of<"user">): Of<"user"> => {
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  return {
    role: "user",
    text: joinedText(first, second),
    ...(images.length === 0 ? {} : { images }),
  };
});

const joinedAnswers = joiner((first: Of<"assistant">, second: Of<"assistant">): Of<"assistant"> => {
  const reasoning = paragraphs(first.reasoning, second.reasoning);
  return {
    ...first,
    ...second,
    text: joinedText(first, second),
    ...(reasoning === "" ? {} : { reasoning }),
  };
});

const joinedText = (first: RequestMessage, second: RequestMessage): string =>
  paragraphs(first.text, second.text);

const paragraphs = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== "").join("\n\n");

/** The same two are joined in each of a chat's requests: the message that they become is written once. */
function joiner<Message extends object>(
  compute: (first: Message, second: Message) => Message,
): (first: Message, second: Message) => Message {
  const known = new WeakMap<Message, { readonly second: Message; readonly value: Message }>();
  return (first, second) => {
    const kept = known.get(first);
    if (kept?.second === second) return kept.value;
    const value = compute(first, second);
    known.set(first, { second, value });
    return value;
  };
}
