import { expect, it } from "vitest";
import { duplicateKeys } from "./log-lines.ts";

it.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}],"d":"{\\"a\\":1,\\"a\\":2}"}', []],
  ['{"bot":"telegram","time":1,"bot":"telegram:1"}', ['"bot"']],
  ['{"a":{"b":1,"c":"}","b":2}}', ['"b"']],
])("names that stand twice in %s are found", (json, names) => {
  expect(() => JSON.parse(json) as unknown).not.toThrow();
  expect(duplicateKeys(json)).toEqual(names);
});
