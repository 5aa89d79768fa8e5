import { describe, expect, it } from "vitest";
import { findTooLong } from "../../../src/loop/model/too-long.ts";
import { card, requestOf, turnOf, words } from "../compaction/conversation.ts";

const setup = words("rule", 300);
const talk = (tokens: number) => [
  ...turnOf(1, { question: words("old", tokens), answer: "Noted." }),
];
const asked = (tokens: number) => turnOf(1_000, { question: words("new", tokens) });
const schema = { note: { type: "string", description: words("tool", 300) } };
const tools = [
  {
    name: "write_note",
    description: "Writes a note.",
    parameters: { type: "object", properties: schema },
  },
];

describe("what of a request is too long", () => {
  it("the setup where it fills the window, however long the conversation is", async () => {
    const given = {
      context: [setup],
      card: { ...card, contextWindow: 100 },
    };
    const entries = [...talk(5_000), ...asked(5)];
    expect(await findTooLong(requestOf(entries, given))).toBe("setup-too-long");
  });

  it.each([
    ["the prompt", { context: [setup] }],
    ["the tools", { tools }],
  ])("%s where there is nothing else to shorten", async (_, given) => {
    expect(await findTooLong(requestOf(asked(5), given))).toBe("setup-too-long");
    const failed = [...talk(5), ...asked(5)];
    expect(await findTooLong(requestOf(failed, given))).toBe("setup-too-long");
  });

  it("the question where that is longer than the setup and what was said before", async () => {
    const entries = [...talk(200), ...asked(2_000)];
    expect(await findTooLong(requestOf(entries, { context: [setup] }))).toBe("turn-too-long");
  });

  it("the results of the open turn's tools", async () => {
    const entries = turnOf(1_000, {
      question: "look",
      rounds: [{ results: [["read", words("result", 2_000)]] }],
    });
    expect(await findTooLong(requestOf(entries, { context: [setup] }))).toBe("turn-too-long");
  });

  it("the conversation where that is the longest part", async () => {
    const entries = [...talk(2_000), ...asked(200)];
    expect(await findTooLong(requestOf(entries, { context: [setup] }))).toBe("context-overflow");
  });

  it("the setup for a tier with a smaller window", async () => {
    const entries = [...talk(2_000), ...asked(200)];
    const options = { contextWindow: 200 };
    expect(await findTooLong(requestOf(entries, { context: [setup], options }))).toBe(
      "setup-too-long",
    );
  });
});
