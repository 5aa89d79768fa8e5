import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The first browser on the PATH that the page's tests can drive.
 *
 * @throws Error when there is none
 */
export function findChromium(path = process.env["PATH"] ?? ""): string {
  const files = names.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)));
  const found = files.find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    `There is no ${names.join(", ")} on the PATH. On Debian: apt-get install chromium. To leave these tests out: PARLEY_TEST_BROWSER=off`,
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
