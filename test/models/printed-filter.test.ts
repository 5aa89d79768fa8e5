import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerText } from "../../src/models/answer-text.ts";
import { printedMarks } from "../../src/models/printed-marks.ts";

interface Read {
  text: string;
  thoughts: string;
  printed: string;
}

/** What an answer that arrives in these pieces comes to. */
function read(pieces: readonly string[]): Read {
  const words = new AnswerText();
  const all: Read = { text: "", thoughts: "", printed: "" };
  for (const event of [...pieces.flatMap((piece) => words.text(piece)), ...words.flush()])
    if (event.type === "text-delta") all.text += event.text;
    else if (event.type === "reasoning-delta") all.thoughts += event.text;
    else if (event.type === "printed-call") all.printed += event.text;
    else if (event.type === "text-was-reasoning") {
      all.thoughts += all.text;
      all.text = "";
    }
  return all;
}

/** Whole, one character at a time, and in two pieces. */
function* cutsOf(text: string): Generator<readonly string[]> {
  yield [text];
  yield text.split("");
  for (let at = 1; at < text.length; at += 1) yield [text.slice(0, at), text.slice(at)];
}

const calls: Readonly<Record<string, string>> = {
  "Qwen and Hermes": '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
  "Qwen3-Coder":
    "<tool_call>\n<function=now>\n<parameter=zone>\nUTC\n</parameter>\n</function>\n</tool_call>",
  "Qwen3-Coder without its frame": "<function=now>\n</function>\n</tool_call>",
  "several calls": "<tool_call>\n{}\n</tool_call>\n<tool_call>\n{}\n</tool_call>",
  GLM: "<tool_call>now\n<arg_key>zone</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>",
  Llama: '<function=now>{"zone": "UTC"}</function>',
  "Llama's Python": '<|python_tag|>{"name": "now", "parameters": {}}<|eom_id|>',
  Claude: '<function_calls>\n<invoke name="now">\n</invoke>\n</function_calls>',
  "Claude without its frame":
    '<invoke name="now">\n<parameter name="zone">UTC</parameter>\n</invoke>',
  "DeepSeek's DSML":
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="now">\n</｜DSML｜function_calls>',
  DeepSeek:
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now<｜tool▁calls▁end｜>",
  Kimi: "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_calls_section_end|>",
  Mistral: '[TOOL_CALLS][{"name": "now", "arguments": {}}]',
  "Mistral, newer": "[TOOL_CALLS]now[ARGS]{}",
  "LM Studio": '[TOOL_REQUEST]{"name": "now"}[END_TOOL_REQUEST]',
  "gpt-oss": "<|channel|>commentary to=functions.now<|constrain|>json<|message|>{}<|call|>",
  "gpt-oss, from its start":
    "<|start|>assistant<|channel|>commentary to=functions.now<|message|>{}<|call|>",
  Gemma: "```tool_code\nprint(now())\n```",
  FunctionGemma: "<start_function_call>call:now{}<end_function_call>",
  "Gemma 4": "<|tool_call>call:now{}<tool_call|>",
  Granite: '<|tool_call|>[{"name": "now", "arguments": {}}]',
  Command: '<|START_ACTION|>[{"tool_name": "now"}]<|END_ACTION|>',
  MiniMax: '<minimax:tool_call>\n<invoke name="now">\n</invoke>\n</minimax:tool_call>',
  Seed: "<seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call>",
  LFM: "<|tool_call_start|>[now()]<|tool_call_end|>",
  "Phi and Firefunction": 'functools[{"name": "now", "arguments": {}}]',
  Nemotron: '<TOOLCALL>[{"name": "now"}]</TOOLCALL>',
  Functionary: "<|recipient|>now\n<|content|>{}",
};

const thoughts: Readonly<Record<string, string>> = {
  thinking: "<thinking>\nHm.\n</thinking>\n\n",
  Magistral: "[THINK]Hm.[/THINK]",
  Seed: "<seed:think>Hm.</seed:think>\n",
  "Gemma 4": "<|channel>thought\nHm.<channel|>",
  Kimi: "◁think▷Hm.◁/think▷",
  Command: "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>",
  "gpt-oss":
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>",
  Apertus: "<|inner_prefix|>Hm.<|inner_suffix|>",
};

describe("a tool call that is written as text", () => {
  it.each(Object.entries(calls))(
    "isn't part of the answer, however it is cut: %s",
    (_, printed) => {
      for (const answer of [
        printed,
        `${printed}\n`,
        `I'll look.\n\n${printed}`,
        `Hm:\n  ${printed}`,
      ])
        for (const pieces of cutsOf(answer)) {
          const all = read(pieces);
          expect(all.text.trim(), JSON.stringify(pieces)).toBe(
            answer.slice(0, answer.indexOf(printed)).trim(),
          );
          expect(all.printed, JSON.stringify(pieces)).not.toBe("");
          expect(all.thoughts).toBe("");
        }
    },
  );

  it("that was cut is hidden to its end", () => {
    for (const pieces of cutsOf('Yes.\n<tool_call>\n{"name": "no'))
      expect(read(pieces)).toEqual({
        text: "Yes.\n",
        thoughts: "",
        printed: '<tool_call>\n{"name": "no',
      });
  });

  it("doesn't hide the words behind it", () => {
    for (const pieces of cutsOf("<tool_call>{}</tool_call>\n\nIt is noon.\n<b>"))
      expect(read(pieces)).toMatchObject({ text: "It is noon.\n<b>" });
  });
});

it.each(Object.entries(thoughts))("thoughts in the notation of %s are thoughts", (_, thought) => {
  for (const pieces of cutsOf(`${thought}Yes.`)) {
    const all = read(pieces);
    expect({ ...all, thoughts: all.thoughts.trim() }, JSON.stringify(pieces)).toEqual({
      text: "Yes.",
      thoughts: "Hm.",
      printed: "",
    });
  }
});

describe("an answer about such notation", () => {
  const explained = printedMarks.map(({ opening, closings: [closing = ""] }) => opening + closing);

  it.each(explained)("stays in code and within a line: %s", (mark) => {
    const inFence = mark.includes("```") ? "~~~" : "```";
    for (const text of [
      `Write \`${mark}\` at the start.`,
      `A call is ${mark} there.`,
      `${inFence}xml\n${mark}\n${inFence}\n`,
      `- ${inFence}\n  ${mark}\n  ${inFence}\n`,
      `Then:\n\n    ${mark}\n`,
      `> ${mark}`,
    ])
      // A line that begins with an unopened thought's end is its end.
      if (!text.includes("</think>"))
        for (const pieces of cutsOf(text))
          expect(read(pieces), JSON.stringify(pieces)).toEqual({ text, thoughts: "", printed: "" });
  });

  it("is hidden again behind the code", () => {
    expect(read(["```\n<tool_call>\n```\n<tool_call>{}</tool_call>"])).toEqual({
      text: "```\n<tool_call>\n```\n",
      thoughts: "",
      printed: "<tool_call>{}</tool_call>",
    });
  });
});

/** Texts of pieces of marks, code and lines. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", " ", "`", "```", "~~~", "<", "</", "|", "[", "a", "- ", "> ", "😀"),
      fc.constantFrom(...printedMarks.flatMap(({ opening, closings }) => [opening, ...closings])),
      fc.constantFrom(...printedMarks.map(({ opening }) => opening.slice(0, 4))),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("any text", () => {
  it("is read the same way however it is cut", () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(), { maxLength: 6 }), (text, at) => {
        const places = at.map((each) => each % (text.length + 1)).toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index]));
        expect(read(pieces)).toEqual(read([text]));
      }),
    );
  });

  it("without a mark at the start of a line is never changed", () => {
    const plain = fc
      .array(fc.constantFrom("a", "\n", " ", "<", ">", "[", "|", "```", "~~~", "`", "- ", "<b>"))
      .map((parts) => parts.join(""))
      .filter((text) => text.trim() !== "" || text === "");
    fc.assert(
      fc.property(plain, (text) => {
        expect(read([text])).toEqual({ text, thoughts: "", printed: "" });
      }),
    );
  });
});

it("no mark begins with another one, or which of them counts would depend on the pieces", () => {
  const openings = printedMarks.map(({ opening }) => opening);
  for (const [index, one] of openings.entries())
    for (const [other, longer] of openings.entries())
      if (index !== other) expect(longer.startsWith(one), `${one} ${longer}`).toBe(false);
});
