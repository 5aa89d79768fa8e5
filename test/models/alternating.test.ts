import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { RequestMessage } from "../../src/core/model.ts";
import { alternating } from "../../src/models/alternating.ts";
import { requests } from "./request-arbitrary.ts";
import { user } from "./helpers.ts";

const said = (text: string, calls: readonly string[] = []): RequestMessage => ({
  role: "assistant",
  text,
  calls: calls.map((id) => ({ id, name: "clock", arguments: "{}" })),
});
const result = (callId: string): RequestMessage => ({
  role: "tool",
  callId,
  name: "clock",
  text: "noon",
});

it.each<[string, RequestMessage[], RequestMessage[]]>([
  [
    "people's messages become one",
    [user("a"), user("b"), said("c"), user("d")],
    [user("a\n\nb"), said("c"), user("d")],
  ],
  ["answers become one", [user("a"), said("b"), said("c")], [user("a"), said("b\n\nc")]],
  [
    "calls join the words before them",
    [user("a"), said("b"), said("", ["1"]), result("1")],
    [user("a"), said("b", ["1"]), result("1")],
  ],
  [
    "rounds of calls stay apart",
    [user("a"), said("", ["1"]), result("1"), said("", ["2"]), result("2"), said("b")],
    [user("a"), said("", ["1"]), result("1"), said("", ["2"]), result("2"), said("b")],
  ],
  [
    "the assistant speaks between a result and a person",
    [user("a"), said("", ["1"]), result("1"), user("b"), user("c")],
    [user("a"), said("", ["1"]), result("1"), said("OK."), user("b\n\nc")],
  ],
])("%s", (_case, given, expected) => {
  expect(alternating(given)).toEqual(expected);
});

it("keeps the images of messages that become one", () => {
  const image = { mediaType: "image/png", data: "iVBORw0KGgo=" };
  const seen: RequestMessage = { role: "user", text: "", images: [image] };
  expect(alternating([seen, user("What is it?"), seen])).toEqual([
    { role: "user", text: "What is it?", images: [image, image] },
  ]);
});

const wordsOf = (all: readonly RequestMessage[]): string =>
  all
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\n\n|OK\./g, "");
const callsOf = (all: readonly RequestMessage[]): readonly string[] =>
  all.flatMap((each) => (each.role === "assistant" ? each.calls.map(({ id }) => id) : []));

it("loses no word and no call, whatever the conversation", () => {
  fc.assert(
    fc.property(requests, ({ messages }) => {
      const joined = alternating(messages);
      expect(wordsOf(joined)).toBe(wordsOf(messages));
      expect(callsOf(joined)).toEqual(callsOf(messages));
    }),
  );
});
