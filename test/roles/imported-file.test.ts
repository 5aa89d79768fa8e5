import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { placeKnowledge } from "../../src/cli/init/import/knowledge.ts";
import { importedFile } from "../../src/roles/imported-file.ts";

it("is read as init writes it, removed once, and named when it can't be used", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "parley-imported-"));
  onTestFinished(() => rmSync(dataFolder, { recursive: true }));
  const file = importedFile(dataFolder);
  expect(await file.read()).toBeUndefined();
  const knowledge = { v: 1 as const, facts: ["Likes tea"], schedules: [] };
  const settingsFile = join(dataFolder, "parley.yaml");
  const placed = placeKnowledge(knowledge, { dataFolder, settingsFile })?.file;
  const path = placed?.path ?? "";
  writeFileSync(path, placed?.after ?? "");
  expect(await file.read()).toEqual(knowledge);
  expect(await file.takenOver()).toBeUndefined();
  const done = { v: 1 as const, code: "0a1b2c3d", facts: 1, schedules: 0 };
  await file.finish(done);
  await file.finish(done);
  expect(existsSync(path)).toBe(false);
  expect(await file.takenOver()).toEqual(done);
  writeFileSync(path, '{"v":2}');
  await expect(file.read()).rejects.toThrow(`${path} can't be used`);
});
