import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/models/demo/intents.ts";
import { intentsIn } from "../../../src/models/demo/intents.ts";

const time = (timeZone: string): Intent => ({ type: "time", timeZone });
const note = (text: string): Intent => ({ type: "note", note: text });
const remember = (text: string): Intent => ({ type: "remember", fact: text });
const read: Intent = { type: "read-notes" };

describe("what a text asks the demo for", () => {
  it.each<[string, Intent[]]>([
    ["What time is it in Tokyo?", [time("Asia/Tokyo")]],
    ["what time is it in tokyo", [time("Asia/Tokyo")]],
    ["What's the time in New York, please?", [time("America/New_York")]],
    ["Ann: what time is it in Sao Paulo?", [time("America/Sao_Paulo")]],
    ["What time is it in Europe/Kyiv?", [time("Europe/Kyiv")]],
    ["What time is it?", [time("UTC")]],
    ["What time is it in Gotham?", []],
    ["what time is it in Tokyo and Paris", [time("Asia/Tokyo"), time("Europe/Paris")]],
    [
      "The time in Tokyo, London and Sydney!",
      [time("Asia/Tokyo"), time("Europe/London"), time("Australia/Sydney")],
    ],
    [
      "What time is it in Tokyo and note that the milk is out",
      [time("Asia/Tokyo"), note("the milk is out")],
    ],
    [
      "Note that the milk is out, and tell me what time it is in Rome. ",
      [note("the milk is out"), time("Europe/Rome")],
    ],
    ["Note that the milk is out.", [note("the milk is out")]],
    ["please note: buy bread and butter", [note("buy bread and butter")]],
    ["Remember that I live in Tokyo", [remember("I live in Tokyo")]],
    ["remember the milk", [remember("the milk")]],
    ["Remember I park at 5 p.m. on the roof", [remember("I park at 5 p.m. on the roof")]],
    ["note to self: call mum", [note("call mum")]],
    ["Do you remember my notes?", [read]],
    ["Write down that it rains", [note("it rains")]],
    ["make a note: call Bob", [note("call Bob")]],
    ["note that A is first and note that B is second", [note("A is first"), note("B is second")]],
    ["Read my notes", [read]],
    ["show me the notes please", [read]],
    ["What did I note?", [read]],
    ["what are my notes", [read]],
    ["What do you remember?", [read]],
    ["What did I say about the milk?", [{ type: "recall", query: "the milk" }]],
    ["when did we talk about Leipzig", [{ type: "recall", query: "Leipzig" }]],
    [
      "What have I told you about my sister and what time is it?",
      [{ type: "recall", query: "my sister" }, time("UTC")],
    ],
    ["What did I tell you?", [read]],
    ["Read my notes and tell me the time in Oslo", [read, time("Europe/Oslo")]],
    ["hello", []],
    ["note", []],
    ["", []],
  ])("%j", (text, intents) => {
    expect(intentsIn(text)).toEqual(intents);
  });
});
