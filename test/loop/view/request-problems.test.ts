import { describe, expect, it } from "vitest";
import type { RequestCall, RequestMessage } from "../../../src/core/model.ts";
import { requestProblems } from "../../../src/loop/view/request-problems.ts";

const system: RequestMessage = { role: "system", text: "Be brief." };
const user: RequestMessage = { role: "user", text: "Hello." };
const said: RequestMessage = { role: "assistant", text: "Hi.", calls: [] };
const asks = (...calls: readonly Partial<RequestCall>[]): RequestMessage => ({
  role: "assistant",
  text: "",
  calls: calls.map((call) => ({
    id: "a",
    name: "look",
    arguments: "{}",
    ...call,
  })),
});
const result = (callId = "a", name = "look"): RequestMessage => ({
  role: "tool",
  callId,
  name,
  text: "",
});

describe("the problems of a request", () => {
  it("are none where every rule is kept", () => {
    const image = { mediaType: "image/png", data: "AAAA" };
    expect(
      requestProblems([
        system,
        system,
        user,
        said,
        { role: "user", text: "", images: [image] },
        asks({ id: "a" }, { id: "b", arguments: ' {"a": 1}' }),
        result("b"),
        result("a"),
        asks({ id: "c" }),
        result("c"),
        user,
      ]),
    ).toEqual([]);
  });

  it.each<[string, readonly RequestMessage[], readonly string[]]>([
    ["nothing", [], ["the request is empty"]],
    ["no person", [system], ["no message is a person's"]],
    ["the assistant's last word", [user, said], ["the last message is the assistant's"]],
    [
      "the assistant's first word",
      [system, said, user],
      ["message 1: the assistant begins the conversation"],
    ],
    ["a late system message", [user, system], ["message 1: a system message stands in the middle"]],
    [
      "calls behind the assistant's own words",
      [user, said, asks({}), result()],
      ["message 2: calls come right behind the assistant's own words"],
    ],
    [
      "a call without a result",
      [user, asks({}), user],
      ["message 2: call a before it has no result"],
    ],
    [
      "a call without a result at the end",
      [user, asks({}, { id: "b" }), result("b")],
      ["call a has no result"],
    ],
    [
      "a result without a call",
      [user, result()],
      ["message 1: its result has no open call, or a second one"],
    ],
    [
      "a second result",
      [user, asks({}), result(), result()],
      ["message 3: its result has no open call, or a second one"],
    ],
    [
      "a result of another name",
      [user, asks({}), result("a", "see")],
      ["message 2: its result bears another name than its call"],
    ],
    [
      "an id twice",
      [user, asks({}), result(), asks({}), result()],
      ["message 3: the call id a is used twice"],
    ],
    [
      "an id that is too long",
      [user, asks({ id: "a".repeat(41) }), result("a".repeat(41))],
      ["message 1: a call has an invalid id"],
    ],
    [
      "a name with a blank",
      [user, asks({ name: "look up" }), result("a", "look up")],
      ["message 1: call a has an invalid name"],
    ],
    [
      "arguments that are a list",
      [user, asks({ arguments: "[]" }), result()],
      ["message 1: call a has arguments that are not a JSON object"],
    ],
    [
      "empty texts",
      [
        { role: "system", text: " " },
        { role: "user", text: "\n" },
        { role: "assistant", text: "", calls: [] },
        user,
      ],
      ["message 0: it is empty", "message 1: it is empty", "message 2: it is empty"],
    ],
    [
      "a text without words beside a call",
      [user, { ...asks({}), text: "\n" }, result()],
      ["message 1: its text has no words"],
    ],
  ])("are found: %s", (_case, messages, expected) => {
    expect(requestProblems(messages)).toEqual(expected);
  });
});
