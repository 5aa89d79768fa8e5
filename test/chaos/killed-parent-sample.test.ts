import { describe, expect, it } from "vitest";
import { isAlive, parent } from "../tools/support/processes/parent-process.ts";

describe.runIf(process.platform === "linux")("a child process whose parent", () => {
  it("is killed while it works ends after its job", async () => {
    const { started, ended, child } = await parent("wait");
    started.kill("SIGKILL");
    await ended;
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it("is killed while its job never ends is ended by the system", async () => {
    const { started, ended, child } = await parent("loop");
    started.kill("SIGKILL");
    await ended;
    // Of the processor's time, of which others have a part.
    await expect.poll(() => isAlive(child), { timeout: 100_000 }).toBe(false);
  }, 120_000);
});
