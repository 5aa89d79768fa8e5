import { parseEnv } from "node:util";
import * as fc from "fast-check";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { editEnvText } from "../../src/config/edit-env.ts";
import { editFileText } from "../../src/config/edit-file.ts";
import { PermanentError } from "../../src/core/errors.ts";

const name = fc.stringMatching(/^[A-Z][A-Z_]{0,8}$/);
const lines = fc.array(
  fc.oneof(
    fc.tuple(name, fc.stringMatching(/^[\w.:/-]{0,12}$/)).map(([key, value]) => `${key}=${value}`),
    fc.stringMatching(/^# [a-z =]{0,20}$/),
    fc.constant(""),
  ),
);

describe("editing .env", () => {
  it("keeps every line that sets something else, in its order", () => {
    fc.assert(
      fc.property(lines, fc.stringMatching(/^[\w.:/ #$"-]{1,20}$/), (before, value) => {
        const text = before.join("\n");
        const after = editEnvText(text, { PARLEY_X: value.trim(), TELEGRAM_BOT_TOKEN: "1:a" });
        expect(after.split("\n").filter((line) => before.includes(line) && line !== "")).toEqual(
          before.filter((line) => line !== ""),
        );
        expect(parseEnv(after)).toEqual({
          ...parseEnv(text),
          PARLEY_X: value.trim(),
          TELEGRAM_BOT_TOKEN: "1:a",
        });
      }),
    );
  });

  it("replaces a value where it stands", () => {
    const before = "# mine\nA=1\nexport TOKEN=old # note\nB=2\n";
    expect(editEnvText(before, { TOKEN: "new" })).toBe("# mine\nA=1\nTOKEN=new\nB=2\n");
  });

  it("refuses what it can't edit safely, and repeats no value", () => {
    const before = 'TEXT="first\nTOKEN=inside\nlast"\n';
    const edit = () => editEnvText(before, { TOKEN: "hunter2hunter2" });
    expect(edit).toThrow(PermanentError);
    expect(edit).toThrow(/^\.env can't be edited safely because of TEXT.*Set TOKEN in it yourself/);
    expect(edit).not.toThrow(/hunter2/);
  });
});

const value = fc.oneof(fc.integer(), fc.stringMatching(/^[a-z]{1,8}$/), fc.boolean());
const keys = fc.dictionary(
  fc.stringMatching(/^[a-z]{3,8}$/),
  fc.oneof(value, fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), value, { minKeys: 1 })),
  { noNullPrototype: true },
);

describe("editing parley.yaml", () => {
  it("keeps every other key and every comment", () => {
    fc.assert(
      fc.property(keys, (given) => {
        const entries = Object.entries(given).filter(([key]) => key !== "tiers");
        const text = entries
          .map(([key, each]) => `# about ${key}\n${key}: ${JSON.stringify(each)} # why\n`)
          .join("");
        const after = editFileText(text, [
          { path: ["tiers", "balanced", "models"], value: ["ollama/qwen3"], comment: "which" },
        ]);
        expect(parse(after)).toEqual({
          ...Object.fromEntries(entries),
          tiers: { balanced: { models: ["ollama/qwen3"] } },
        });
        for (const [key] of entries) expect(after).toContain(`# about ${key}\n`);
        expect(after.match(/# why/g) ?? []).toHaveLength(entries.length);
      }),
    );
  });

  it("adds to sections that are there, and fills an empty one", () => {
    const after = editFileText("tiers:\n  # quick ones\n  fast: { models: demo/demo }\nmcp:\n", [
      { path: ["tiers", "balanced", "models"], value: ["a/b"] },
      { path: ["mcp", "servers", "files", "command"], value: "npx" },
    ]);
    expect(after).toContain("# quick ones");
    expect(parse(after)).toEqual({
      tiers: { fast: { models: "demo/demo" }, balanced: { models: ["a/b"] } },
      mcp: { servers: { files: { command: "npx" } } },
    });
  });

  it("names the key that has no place", () => {
    expect(() => editFileText("tiers: 3\n", [{ path: ["tiers", "fast"], value: 1 }])).toThrow(
      /^parley\.yaml has no place for tiers\.fast/,
    );
  });
});
