import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findWords } from "../../scripts/check-words.ts";
import { at } from "../support/shown-by.ts";

const script = fileURLToPath(at("scripts/check-words.ts"));

const wordsIn = (path: string, text: string) =>
  findWords(path, text).map(({ line, word }) => `${line} ${word}`);

const check = (folder: string) =>
  spawnSync(process.execPath, [script, folder], { encoding: "utf8" });

describe("the banned words", () => {
  it("are found with their lines and what to write instead", () => {
    expect(findWords("docs/a.md", "one\nPlease mend it.")).toEqual([
      { line: 2, word: "mend", instead: "fix" },
    ]);
  });

  it.each([
    ["const openTurnstile = 1;", ["1 turnstile"]],
    ["class GrantWish {}", ["1 grant wish"]],
    ["takeBack();", ["1 takeback"]],
    ["const limits = inForce;", ["1 in force"]],
    ["const amended = recommend(emends);", []],
    ["// twenty requests in flight", []],
    ["const editsInFlight = 1;", []],
  ])("are whole words, also inside names: %s", (code, expected) => {
    expect(wordsIn("test/a.ts", code)).toEqual(expected);
  });

  it.each([
    ["test/a.ts", 'expect(text).toBe("Nobody decided.");', []],
    ["test/a.ts", "// Nobody decided.", ["1 nobody"]],
    ["test/a.ts", "decide(); // Nobody decided.", ["1 nobody"]],
    ["test/a.test.ts", '  it("waits for nobody", () => {', ["1 nobody"]],
    ["test/a.lua", "-- Nobody decided.", ["1 nobody"]],
    ["docs/a.md", "Nobody decided.", ["1 nobody"]],
  ])("that texts of the bot may have are found in prose: %s, %s", (path, line, expected) => {
    expect(wordsIn(path, line)).toEqual(expected);
  });

  it("are allowed where the list says so, and nowhere else", () => {
    const line = '  text: "Ring at the door",';
    expect(wordsIn("test/loop/model/looks-like-code.test.ts", line)).toEqual([]);
    expect(wordsIn("test/loop/model/other.test.ts", line)).toEqual(["1 the door"]);
  });
});

describe("the check", () => {
  it("names file, line, word and alternative, and ends with 1", () => {
    using root = mkdtempDisposableSync(join(tmpdir(), "words-"));
    mkdirSync(join(root.path, "src"));
    writeFileSync(join(root.path, "src/a.ts"), "\n// Please mend it.\n");
    const { status, stderr } = check(root.path);
    expect(stderr).toBe('src/a.ts:2: "mend", write: fix\n');
    expect(status).toBe(1);
  });

  it("reads neither what the bot says nor released sections of the changelog", () => {
    using root = mkdtempDisposableSync(join(tmpdir(), "words-"));
    mkdirSync(join(root.path, "src/locales"), { recursive: true });
    writeFileSync(join(root.path, "src/locales/en.ts"), "// Mend it.\n");
    const changes = "## [Unreleased]\n\n## [0.1.0]\n\nPlease mend it.\n";
    writeFileSync(join(root.path, "CHANGELOG.md"), changes);
    expect(check(root.path)).toMatchObject({ status: 0, stderr: "" });
  });
});
