import { expect, test } from "vitest";
import { nearest } from "../../src/config/nearest.ts";
import { mask } from "../../src/config/problems.ts";

test.each([
  ["maxModelCall", "maxModelCalls"],
  ["MAXMODELCALLS", "maxModelCalls"],
  ["deadlin", "deadline"],
  ["zebra", undefined],
  ["x".repeat(10_000), undefined],
])("the nearest key to %j is %j", (word, expected) => {
  expect(nearest(word, ["maxModelCalls", "deadline"])).toBe(expected);
});

test.each([
  "redis://user:pa55word@host:6379/0",
  "redis://:pa55/word@host",
  "redis://:pa55#word@host",
  "redis://:pa55word",
  ":pa55word@host:6379",
  "https://api.example/v1?key=pa55word",
  "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-pa55word",
  "sk-proj-0123456789pa55word",
  "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4pa55word",
])("the secret in %j is masked", (text) => {
  expect(mask(text)).not.toContain("word");
  expect(mask(text)).toContain("***");
});

test.each(["http://127.0.0.1:11434", "what now?", "files.*"])(
  "%j has no secret and stays as it is",
  (text) => {
    expect(mask(text)).toBe(text);
  },
);
