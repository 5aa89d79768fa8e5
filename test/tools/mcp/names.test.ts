import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ruleName } from "../../../src/tools/mcp/rule-name.ts";
import { wireNames } from "../../../src/tools/wire-names.ts";

test("on the wire the dot becomes an underscore", () => {
  expect([...wireNames(["files.read_file", "current_time"])]).toEqual(
    expect.arrayContaining([
      ["files.read_file", "files_read_file"],
      ["current_time", "current_time"],
    ]),
  );
});

test("names that would be the same, or too long, get a hash; a valid one stays", () => {
  const long = `server.${"x".repeat(80)}`;
  const names = wireNames(["read.notes", "read_notes", "a.b_c", "a_b.c", long]);
  expect(names.get("read_notes")).toBe("read_notes");
  expect(names.get("read.notes")).toMatch(/^read_notes_[0-9a-f]{8}$/);
  expect(names.get("a.b_c")).toMatch(/^a_b_c_[0-9a-f]{8}$/);
  expect(names.get("a_b.c")).toMatch(/^a_b_c_[0-9a-f]{8}$/);
  expect(names.get(long)).toMatch(/^server_x{48}_[0-9a-f]{8}$/);
});

test("whatever the names, theirs on the wire are valid, unique and independent of the order", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "_", ".", "é") });
  const name = fc.oneof(part, fc.string({ minLength: 60, maxLength: 200 }));
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const wire = wireNames(names);
      expect([...wire.keys()].toSorted()).toEqual(names.toSorted());
      for (const given of wire.values()) expect(given).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(wire.values()).size).toBe(names.length);
      expect(new Map(wireNames(names.toReversed()))).toEqual(wire);
    }),
  );
});

test("rules see server.tool; a name that no rule could match is made one that can, and stays unique", () => {
  expect(ruleName("files", "read_file")).toBe("files.read_file");
  expect(ruleName("files", "admin.read-all")).toBe("files.admin.read-all");
  expect(ruleName("files", "admin/read all")).toMatch(/^files\.admin_read_all_[0-9a-f]{8}$/);
  expect(ruleName("files", "admin/read all")).not.toBe(ruleName("files", "admin/read-all"));
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (tool) => {
      const name = ruleName("files", tool);
      expect(name).toMatch(/^files(\.[A-Za-z0-9_-]+)+$/);
      expect(name.length).toBeLessThanOrEqual(200);
      expect(ruleName("files", tool)).toBe(name);
    }),
  );
});
