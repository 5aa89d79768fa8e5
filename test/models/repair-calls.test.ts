import { expect, it } from "vitest";
import { repairedCall } from "../../src/models/repair-calls.ts";
import { tools } from "./helpers.ts";

const repaired = (name: string, given: string) =>
  repairedCall({ type: "tool-call", id: "a", name, arguments: given }, tools);

it.each([
  ["{}", "{}"],
  ["", ""],
  ["null", "{}"],
  ['""', "{}"],
  ["[]", "{}"],
  ["{}{}", "{}"],
  ['{}{"note":"blue"}', '{"note":"blue"}'],
  ['{} \n{"note":"a } b"}', '{"note":"a } b"}'],
  ['{"note":"blue"}{}', '{"note":"blue"}'],
  ['{"note":"blue"}{"note":"blue"}', '{"note":"blue"}'],
  ['{}{"note":"a \\" { b"}', '{"note":"a \\" { b"}'],
  ['"{\\"note\\":\\"blue\\"}"', '{"note":"blue"}'],
  ['```json\n{"note":"blue"}\n```', '{"note":"blue"}'],
  ['```\n{"note":"blue"}```', '{"note":"blue"}'],
  ['{"note":"```json\\n{}\\n```"}', '{"note":"```json\\n{}\\n```"}'],
])("arguments %j mean %j", (given, means) => {
  expect(repaired("write_note", given)).toMatchObject({ arguments: means });
});

it.each([
  '{"note":"blue"}{"note":"red"}',
  '{}{"note":"blu',
  '{"note":"blue"',
  '{}} {"note":"blue"}',
  'so: {"note":"blue"}',
  '["blue"]',
  '"blue"',
  "7",
])("arguments %j could mean several things, and stay", (given) => {
  expect(repaired("write_note", given)).toMatchObject({ arguments: given });
});

it.each([
  "functions.write_note",
  "default_api:write_note",
  "default_api.write_note",
  "tools.write_note",
  "functions.write_note:0",
  "write_note:12",
  "write_note<|channel|>commentary",
  "functions.write_note<|constrain|>json",
  "write_note()",
  " write_note\n",
])("the name %j is that of the tool", (name) => {
  expect(repaired(name, "{}")).toMatchObject({ name: "write_note" });
});

it.each(["functions.other", "my.write_note", "functions.", "write_notes", "Write_Note", ":0"])(
  "the name %j is that of no tool, and stays",
  (name) => {
    expect(repaired(name, "{}")).toMatchObject({ name });
  },
);

it("a name that is offered as it is stays", () => {
  const own = { name: "functions.write_note", description: "", parameters: {} };
  const event = { type: "tool-call", id: "", name: own.name, arguments: "{}" } as const;
  expect(repairedCall(event, [...tools, own])).toEqual(event);
});
