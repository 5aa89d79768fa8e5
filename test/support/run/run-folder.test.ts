import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { processesOf } from "./run-folder.ts";

const script = `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  import { openRunFolder } from ${JSON.stringify(join(import.meta.dirname, "run-folder.ts"))};
  const folder = openRunFolder();
  writeFileSync(process.env.TMPDIR + "/forgotten", "");
  // The shell ends at once, so that the other process is no child of the runner.
  spawn("sh", ["-c", "sleep 600 & echo $!"], { stdio: ["ignore", "pipe", "ignore"] })
    .stdout.once("data", (pid) =>
      console.log(JSON.stringify({ folder: process.env.TMPDIR, pid: Number(pid) })));
  process.once("SIGUSR2", async () => {
    console.log(JSON.stringify(await folder.leftovers(0)));
  });
  setInterval(() => undefined, 60_000);
`;

describe.runIf(process.platform === "linux")("a test run", () => {
  it("names the processes and files that it left behind, and has them removed however it dies", async () => {
    const runner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void runner.kill("SIGKILL"));
    const lines = createInterface(runner.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
    const { folder, pid } = (await next()) as { folder: string; pid: number };
    // The shell may print the id before its child has become `sleep`.
    await expect
      .poll(() => processesOf(folder))
      .toContainEqual(expect.objectContaining({ pid, command: "sleep 600" }));

    runner.kill("SIGUSR2");
    expect(await next()).toEqual([`process ${pid}: sleep 600`, "temporary file: forgotten"]);

    runner.kill("SIGKILL");
    await once(runner, "exit");
    await expect.poll(() => processesOf(folder)).toEqual([]);
    await expect.poll(() => existsSync(folder)).toBe(false);
  });
});
