import { describe, expect, it } from "vitest";
import { ThinkTagSplitter } from "../../src/models/think-tags.ts";

/** What an answer that arrives in these deltas comes to. */
function read(deltas: readonly string[]): { thoughts: string; text: string } {
  const splitter = new ThinkTagSplitter();
  let [thoughts, text] = ["", ""];
  for (const piece of [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.flush()])
    if (piece.type === "text-delta") text += piece.text;
    else if (piece.type === "reasoning-delta") thoughts += piece.text;
    else [thoughts, text] = [thoughts + text.trimEnd(), ""];
  return { thoughts, text };
}

/** In at most three deltas, and one character at a time. */
function* cutsOf(text: string): Generator<readonly string[]> {
  yield text.split("");
  for (let first = 0; first <= text.length; first += 1)
    for (let second = first; second <= text.length; second += 1)
      yield [text.slice(0, first), text.slice(first, second), text.slice(second)];
}

const thoughtful = {
  "a mark in a line of its own": "Hm.\n</think>\n\nYes.",
  "blanks behind the mark": "Hm. </think> \t\n\nYes.",
  "the line ends of Windows": "Hm. </think>\r\n\r\nYes.",
  "both of these": "Hm.\r\n</think> \r\nYes.",
  "three backticks within a line": "Is ``` meant, or\n</think>\nYes.",
  "a fence of its own": "```\na\n```\nHm.\n</think>\nYes.",
};

const wordless = {
  "nothing behind the mark": "Hm.</think>",
  "blanks behind the mark": "Hm.</think> \r\n",
};

const plain = [
  "Write `</think>`\nbehind it.",
  "```\na\n</think>\n```\n",
  "- ```\n  </think>\n  ```\n",
  "1. > ```\n  </think>\n  ```\n",
  "a </think> b\n</think>\n",
  "<b>\n<think>\n</think>\nx",
  `a</think>${" ".repeat(70)}\nb`,
];

describe("thoughts without an opening mark", () => {
  it.each(Object.entries(thoughtful))("are found however the answer is cut: %s", (_, answer) => {
    const [thoughts = ""] = answer.split("</think>");
    for (const deltas of cutsOf(answer))
      expect(read(deltas), JSON.stringify(deltas)).toEqual({
        thoughts: thoughts.trim(),
        text: "Yes.",
      });
  });

  it.each(Object.entries(wordless))("are found where no answer follows: %s", (_, answer) => {
    for (const deltas of cutsOf(answer))
      expect(read(deltas), JSON.stringify(deltas)).toEqual({
        thoughts: "Hm.",
        text: "",
      });
  });

  it.each(plain)("are not seen in an answer about the mark: %j", (answer) => {
    for (const deltas of cutsOf(answer))
      expect(read(deltas), JSON.stringify(deltas)).toEqual({
        thoughts: "",
        text: answer,
      });
  });
});
