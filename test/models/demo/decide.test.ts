import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { autoText, isDone } from "../../../src/core/auto.ts";
import type { RequestMessage } from "../../../src/core/model.ts";
import { failureKinds } from "../../../src/core/history.ts";
import { decide, demoNotice } from "../../../src/models/demo/decide.ts";
import { goalIn } from "../../../src/models/demo/goal.ts";
import { at } from "../../support/shown-by.ts";
import { request, tools, user } from "../helpers.ts";
import { requests } from "../request-arbitrary.ts";

const greeted: RequestMessage[] = [
  user("hi"),
  { role: "assistant", text: `${demoNotice}\n\nHello!`, calls: [] },
];

/** A turn that asked for a note and got this result. */
const noted = (text: string): RequestMessage[] => [
  ...greeted,
  user("note that the milk is out"),
  {
    role: "assistant",
    text: "",
    calls: [
      {
        id: "t1_0_0",
        name: "write_note",
        arguments: '{"note":"the milk is out"}',
      },
    ],
  },
  { role: "tool", callId: "t1_0_0", name: "write_note", text },
];

const answerOf = (file: string): string => {
  const prompt = readFileSync(at(`personas/${file}.md`), "utf8").split("---\n\n")[1] ?? "";
  const system = { role: "system", text: `${prompt}\n\nYou talk with one person.` } as const;
  return decide({ ...request("hello"), messages: [system, user("hello")] }).text;
};

describe("what the demo answers", () => {
  it("shows which persona answers", () => {
    expect(answerOf("researcher")).toContain("would now be the researcher, who answers from");
    expect(decide(request("hello")).text).not.toMatch(/A real model|The demo plays/);
  });

  it("plays two of the examples, each in its manner, and says that it's the demo", () => {
    const [tutor, proofreader] = [answerOf("tutor"), answerOf("proofreader")];
    expect(tutor).toMatch(/\n\nThe demo plays the tutor\. Let's .*\n\nHello![^]*try first\?$/);
    expect(proofreader).toMatch(
      /\n\nThe demo plays the proofreader\. First your text.*\n\nHello![^]*I changed nothing.*$/,
    );
    for (const answer of [tutor, proofreader]) expect(answer).toContain(demoNotice);
  });

  it("says once what it is, and how to set a real model", () => {
    const first = decide(request("hello")).text;
    expect(first.split("\n")[0]).toBe(demoNotice);
    expect(demoNotice).toMatch(/demo.*OPENAI_API_KEY.*OPENAI_MODEL.*OLLAMA_MODEL/);
    expect(decide(request([...greeted, user("hello")])).text).not.toContain(demoNotice);
  });

  it("says it with the answer, not with the calls before it", () => {
    const calling = decide(request("What time is it in Tokyo?", { tools }));
    expect(calling.text).toBe("");
    const results = noted("Noted.").slice(greeted.length);
    expect(decide(request(results, { tools })).text).toContain(demoNotice);
  });

  it.each([
    ["hello", "you can try"],
    ["Who are you?", "demo"],
    ["help", "approval"],
    ["thank you!", "welcome"],
    ["What is 12 * 7?", "12 * 7 = 84"],
    ["0.1 + 0.2", "0.3"],
    ["1 / 0", "no answer"],
    ["Today is 2026-11-20, or 20/11/2026", "only a demo"],
    ["count to 3", "1 2 3"],
    ["What time is it in Gotham?", "Tokyo"],
    ["The meaning of life", "“The meaning of life”"],
  ])("answers %j", (text, expected) => {
    const answer = decide(request([...greeted, user(text)], { tools }));
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain(expected);
  });

  it("asks for several tools in one answer", () => {
    const { calls } = decide(request("What time is it in Tokyo and note that I asked", { tools }));
    expect(calls).toEqual([
      { name: "current_time", arguments: '{"timeZone":"Asia/Tokyo"}' },
      { name: "write_note", arguments: '{"note":"I asked"}' },
    ]);
  });

  it.each([
    ["remind me in 1 minute to drink tea", "in 1 minute", "drink tea"],
    ["Please remind me to drink tea in 20m.", "in 20m", "drink tea"],
    ["remind me tomorrow at 9:00 about the dentist!", "tomorrow at 9:00", "the dentist"],
  ])("sets a reminder: %s", (text, when, what) => {
    const schedule = { name: "schedule", description: "x", parameters: { type: "object" } };
    const { calls } = decide(request([...greeted, user(text)], { tools: [...tools, schedule] }));
    const given = { action: "create", kind: "remind", when, text: what };
    expect(calls).toEqual([{ name: "schedule", arguments: JSON.stringify(given) }]);
  });

  it("says so when it may not call, or has no such tool", () => {
    const none = decide(request("read my notes", { tools, toolChoice: "none" }));
    const missing = decide(request("read my notes"));
    for (const answer of [none, missing]) {
      expect(answer.calls).toEqual([]);
      expect(answer.text).toContain("read_notes");
    }
  });

  it.each([
    ["Noted.", "Noted: “the milk is out”."],
    [
      'A person changed the arguments to {"note":"the bread is out"}. The result of that:\nNoted.',
      "Noted: “the bread is out”.",
    ],
    ["confirmation-denied: a person denied this call.", "I didn't note"],
    ["confirmation-expired: nobody decided in time.", "expired"],
    ["superseded: the person wrote something new.", "new message"],
    ["outcome-unknown: interrupted.", "may or may not"],
    ["tool-error: the disk is full", "the disk is full"],
  ])("answers the result %j", (text, expected) => {
    const answer = decide(request(noted(text), { tools }));
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain(expected);
  });

  it.each(failureKinds)("never claims success after %s", (kind) => {
    const { text } = decide(request(noted(`${kind}: so it is.`), { tools }));
    expect(text).toMatch(/didn't|tried to/);
    expect(text).not.toMatch(/^Noted/);
  });

  it("sums up the turn when it must not call", () => {
    const { text } = decide(
      request(noted("confirmation-denied: no."), { tools, toolChoice: "none" }),
    );
    expect(text).toBe("OK, I didn't note “the milk is out”.");
  });

  it("answers the new message, not the results before it", () => {
    const { text } = decide(request([...noted("superseded: no."), user("2 + 2")], { tools }));
    expect(text).toBe("2 + 2 = 4");
  });

  it("tells time and notes from their results", () => {
    const messages: RequestMessage[] = [
      ...greeted,
      user("What time is it in New York and read my notes"),
      {
        role: "assistant",
        text: "",
        calls: [
          {
            id: "a",
            name: "current_time",
            arguments: '{"timeZone":"America/New_York"}',
          },
          { id: "b", name: "read_notes", arguments: "{}" },
        ],
      },
      { role: "tool", callId: "a", name: "current_time", text: "noon" },
      { role: "tool", callId: "b", name: "read_notes", text: "1. milk" },
    ];
    expect(decide(request(messages)).text).toBe("In New York it is noon.\nYour notes:\n1. milk");
  });

  it("answers with what was said, once recall has found it", () => {
    const asked = user("What did I say about the milk?");
    const recall = { name: "recall", description: "x", parameters: { type: "object" } };
    const { calls } = decide(request([...greeted, asked], { tools: [recall] }));
    expect(calls).toEqual([{ name: "recall", arguments: '{"query":"the milk"}' }]);
    const answerTo = (text: string): string => {
      const call = { id: "t1_0_0", name: "recall", arguments: '{"query":"the milk"}' };
      const result = { role: "tool", callId: call.id, name: "recall", text } as const;
      const calling = { role: "assistant", text: "", calls: [call] } as const;
      return decide(request([...greeted, asked, calling, result])).text;
    };
    const passages = [
      "2026-11-20T10:00Z\n> Ann: Hello.\n> you: Of the milk, and the milk alone, I know nothing.",
      "2026-11-21T10:00Z https://t.me/c/1/2\n> Ann: The milk is out: buy some.",
    ];
    expect(answerTo(passages.join("\n\n"))).toBe(
      "Ann said on 2026-11-21: “The milk is out: buy some.”\nhttps://t.me/c/1/2",
    );
    expect(answerTo("undated\n> Bob: milk, please")).toBe("Bob said: “milk, please”");
    expect(answerTo("Nothing that was said here fits.")).toContain("nothing about the milk");
    expect(
      answerTo("Nothing that was said here fits.\n\nWhat was said here is still being indexed: x."),
    ).toContain("in a minute");
  });

  it("answers any request with words or offered calls, the same each time", () => {
    fc.assert(
      fc.property(requests, (given) => {
        const answer = decide(given);
        expect(decide(given)).toEqual(answer);
        expect(answer.text !== "" || answer.calls.length > 0).toBe(true);
        const offered = given.tools.map(({ name }) => name);
        for (const call of answer.calls) {
          expect(given.toolChoice).toBe("auto");
          expect(offered).toContain(call.name);
          expect(() => JSON.parse(call.arguments)).not.toThrow();
        }
      }),
    );
  });
});

describe("a turn of /auto", () => {
  const goal = "note that the milk is out";
  const asked = (step: number) => user(autoText(goal, step, 5));

  it.each([1, 2, 5])("works on the goal, in turn %d", (step) => {
    const { text, calls } = decide(request([...greeted, asked(step)], { tools }));
    expect(text).toBe("");
    expect(calls).toEqual([{ name: "write_note", arguments: '{"note":"the milk is out"}' }]);
  });

  it("ends with the last call's result", () => {
    const [call, result] = noted("Noted.").slice(-2);
    if (!call || !result) throw new Error("a call and its result");
    const { text } = decide(request([...greeted, asked(1), call, result], { tools }));
    expect(text).toBe("Noted: “the milk is out”.\n\nDONE");
    expect(isDone(text)).toBe(true);
  });

  it("ends where there is nothing to call", () => {
    const sum = user(autoText("What is 12 * 7?", 1, 3));
    const { text } = decide(request([...greeted, sum], { tools }));
    expect(text).toBe("12 * 7 = 84\n\nDONE");
    const untold = decide(request([...greeted, asked(1)]));
    expect(untold.text).toMatch(/^I'd call write_note for that/);
    expect(isDone(untold.text)).toBe(true);
  });

  it("is told from what a person wrote, whatever the goal", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        fc.nat(50),
        (goal, step, more) => {
          const text = autoText(goal, step, step + more);
          expect(goalIn(text)).toBe(goal);
          expect(goalIn(`Ann: ${text}\n\nBob: hi`)).toBe(goal);
          expect(goalIn(goal)).toBeUndefined();
        },
      ),
    );
    const imitation = "A goal by yourself:\n\nnote that\n\nThis is turn 1 of 2.";
    expect(goalIn(imitation)).toBeUndefined();
    expect(decide(request([...greeted, user("hello")])).text).not.toContain("DONE");
  });
});
