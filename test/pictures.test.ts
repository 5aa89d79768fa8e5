import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const maxBytes = 150_000;

const docs = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

/** What the pages show as `<img …>`, with its path from the root. */
const shown = ["README.md", ...docs].flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/<img ([^>]*)>/g)].map(
    ([, attributes = ""]) => ({
      page,
      path: posix.join(posix.dirname(page), /src="([^"]*)"/.exec(attributes)?.[1] ?? ""),
      alt: /alt="([^"]*)"/.exec(attributes)?.[1] ?? "",
    }),
  ),
);

/** What they show in its place to those who read in the dark. */
const shownInTheDark = docs.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/<source [^>]*srcset="([^"]*)"/g)].map(
    ([, path = ""]) => posix.join(posix.dirname(page), path),
  ),
);

describe("the pictures of the documentation", () => {
  it("exist, are small, and have a text for people who can't see them", () => {
    expect(new Set(shown.map(({ page }) => page))).toEqual(
      new Set(
        [
          "README",
          "docs/approvals",
          "docs/discord",
          "docs/page",
          "docs/telegram",
          "docs/terminal",
          "docs/tools",
          "docs/tracing",
        ].map((name) => `${name}.md`),
      ),
    );
    for (const { path, alt } of shown) {
      const { size = Infinity } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
      expect(size, path).toBeLessThan(maxBytes);
      expect(alt.length, path).toBeGreaterThan(20);
    }
    for (const path of shownInTheDark)
      expect(statSync(join(root, path)).size, path).toBeLessThan(maxBytes);
  });

  it("are all shown somewhere", () => {
    const files = readdirSync(join(root, "docs/pictures"));
    expect(new Set([...shown.map(({ path }) => path), ...shownInTheDark])).toEqual(
      new Set(files.map((name) => `docs/pictures/${name}`)),
    );
  });

  it("can't be made without Chromium and tmux, and the command says so", () => {
    const main = join(root, "test/support/pictures/main.ts");
    const run = spawnSync(process.execPath, [main], {
      env: { PATH: "" },
      encoding: "utf8",
    });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("The pictures need chromium and tmux.");
  });
});
