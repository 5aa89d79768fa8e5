import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Member } from "./fleet.ts";

it("is not up from the moment that it is asked to end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-fleet-"));
  const program = join(folder, "program");
  mkdirSync(join(program, "src"), { recursive: true });
  // Ends as soon as its SIGTERM has come, not before.
  writeFileSync(
    join(program, "src", "main.ts"),
    `process.once("SIGTERM", () => process.exit(0)); setInterval(() => undefined, 1_000); console.log('{"level":"info","msg":"ready"}');`,
  );
  const member = new Member({
    name: "worker-1",
    role: "worker",
    folder,
    environment: {},
    config: () => "",
    program,
  });
  onTestFinished(async () => {
    await member.end("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  await member.start();
  expect(member.state).toBe("up");

  const ending = member.end("SIGTERM");

  expect(member.state).toBe("ending");
  await ending;
  expect(member.state).toBe("down");
  await member.start();
  expect(member.state).toBe("up");
  expect(member.collapses).toEqual([]);
});
