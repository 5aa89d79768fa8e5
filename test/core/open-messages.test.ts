import { expect, it } from "vitest";
import type { EditEntry } from "../../src/core/history.ts";
import { asEdited } from "../../src/core/open-messages.ts";
import { anna, message } from "../store/support.ts";

const edit: EditEntry = {
  kind: "edit",
  v: 2,
  id: "e1",
  edits: "1",
  person: anna,
  text: "new",
  atMs: 1,
};

it("a model reads a message as it was edited, but for what came after the answer", () => {
  const said = message("m1", { messageId: "1", text: "old" });
  const late: EditEntry = { ...edit, id: "e2", text: "late", past: true };
  expect(asEdited([said, edit, late], said).text).toBe("new");
  expect(asEdited([said, late], said).text).toBe("old");
});
