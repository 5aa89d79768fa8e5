import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";

const suite = path.resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = path.join(import.meta.dirname, "support/conformance-client.ts");

const conformance = (...args: string[]) => promisify(execFile)(process.execPath, [suite, ...args]);

const checks = z.array(z.object({ id: z.string(), status: z.string(), description: z.string() }));

/** The whole `core` suite but for OAuth: authorisation is a header that the operator sets. */
const scenarios = ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"];

test("every scenario of the core suite is run, except those for OAuth", async () => {
  const { stdout } = await conformance("list");
  const listed = (stdout.split("Client scenarios")[1] ?? "")
    .split("\n")
    .map((line) => /^ +- (\S+)/.exec(line)?.[1])
    .filter((name) => name !== undefined);
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.filter((name) => !name.startsWith("auth/"))).toEqual(scenarios);
});

test.each(scenarios)("the official conformance suite is content: %s", async (scenario) => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "parley-conformance-"));
  stack.defer(() => rm(folder, { recursive: true }));
  // It exits with 1 for warnings too, such as a timer that a busy machine was late for; what counts
  // is in its file.
  const command = `${process.execPath} --no-warnings ${client}`;
  const options = ["--command", command, "--output-dir", folder];
  await conformance("client", "--scenario", scenario, ...options).catch(() => {});
  const [results = ""] = await readdir(folder);
  const file = path.join(folder, results, "checks.json");
  const found = checks.parse(JSON.parse(await readFile(file, "utf8")));
  expect(found.filter(({ status }) => status === "FAILURE")).toEqual([]);
  expect(found.filter(({ status }) => status === "SUCCESS")).not.toEqual([]);
});
