import { expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import { ownWordsOf } from "../../../src/loop/tools/own-words.ts";
import { anna, ben, message } from "../../store/support.ts";

const edit: LogEntry = {
  kind: "edit",
  v: 2,
  id: "e",
  edits: "1",
  person: anna,
  text: "b",
  atMs: 1,
};
const said = (...entries: readonly LogEntry[]) =>
  ownWordsOf([message("m", { text: "a" }), ...entries], { turn: 1, requester: anna });

it("are those of edits, too, but for such as only the memory reads", () => {
  expect(said(edit)).toEqual(["a", "b"]);
  expect(said({ ...edit, past: true })).toEqual(["a"]);
  expect(said({ ...edit, person: ben, past: true })).toEqual(["a"]);
  expect(said({ ...edit, person: ben })).toBeUndefined();
});
