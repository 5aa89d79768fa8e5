import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PNG of a page, as high as its body, with two pixels for each of CSS. */
export function picture(html: string, width: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "parley-picture-"));
  const file = (name: string): string => join(folder, name);
  const chromium = (...options: readonly string[]): string =>
    execFileSync(
      "chromium",
      [
        "--headless",
        "--no-sandbox",
        "--hide-scrollbars",
        "--force-device-scale-factor=2",
        `--user-data-dir=${file("profile")}`,
        ...options,
        file("page.html"),
      ],
      { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    );
  try {
    const measure = "document.title = document.body.offsetHeight";
    writeFileSync(file("page.html"), `${html}<script>${measure}</script>`);
    const height = /<title>(\d+)/.exec(chromium("--dump-dom"))?.[1] ?? "";
    chromium(`--window-size=${width},${height}`, `--screenshot=${file("picture.png")}`);
    return readFileSync(file("picture.png"));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
