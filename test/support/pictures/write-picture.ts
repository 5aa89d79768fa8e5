import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../docs/pictures", import.meta.url));

export const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Into the documentation, with fewer colors where pngquant is installed. */
export function writePicture(file: string, drawn: Buffer): void {
  const png = isInstalled("pngquant")
    ? execFileSync("pngquant", ["64", "--strip", "-"], { input: drawn })
    : drawn;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), png);
  console.log(`${file}  ${Math.ceil(png.length / 1_000)} kB`);
}
