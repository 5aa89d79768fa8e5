/**
 * Takes a lock again and again and checks that it is alone with it. With `dies` it is killed while
 * it holds it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { waitForFolderLock } from "../../../src/store/embedded/folder-lock.ts";
import { processStart } from "../../../src/store/operations/process-identity.ts";

const [folder = "", fate] = process.argv.slice(2);
const witness = join(folder, "witness");
const rounds = 20;

for (let round = 0; round < rounds; round += 1) {
  await using held = new AsyncDisposableStack();
  held.use(await waitForFolderLock(folder));
  try {
    writeFileSync(witness, String(process.pid), { flag: "wx" });
  } catch {
    const other = Number(readFileSync(witness, "utf8"));
    if ((await processStart(other)) !== undefined) {
      console.error(`${process.pid} holds the lock, but so does ${other}`);
      process.exit(1);
    }
    writeFileSync(witness, String(process.pid));
  }
  await sleep(1);
  if (fate === "dies" && round === rounds / 2) process.kill(process.pid, "SIGKILL");
  rmSync(witness);
}
