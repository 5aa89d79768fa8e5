import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { OutcomeUnknownError } from "../../../src/core/errors.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import { prepareCall } from "../../../src/loop/tools/prepare-call.ts";
import { aborted } from "../../../src/util/abort.ts";
import { child, isAlive, run, start, until } from "./support/harness.ts";

function journal(stack: AsyncDisposableStack) {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-mcp-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "journal");
  return { file, text: () => readFileSync(file, "utf8") };
}

test("a list that changes is read again", async () => {
  await using started = await start({ tools: child("sdk-server", "legacy") });
  const before = started.mcp.tools();
  expect(started.mcp.tools()).toBe(before);
  expect(started.names()).not.toContain("tools.extra");
  const changes = started.changes();
  await started.call("tools.extend");
  await until(() => started.tool("tools.extra"));
  expect(started.changes()).toBe(changes + 1);
  expect(await started.call("tools.extra")).toMatchObject({ text: "extra" });
  const removed = started.tool("tools.extra");
  await started.call("tools.shrink");
  await until(() => expect(started.names()).not.toContain("tools.extra"));
  await expect(run(removed)).rejects.toThrow("changed or removed this tool");
});

test("a server is known by its tools once it has said which it has, also while it is down", async () => {
  const nowhere = { ...child("raw-server", "legacy"), command: "no-such-program" };
  await using started = await start({ tools: child("sdk-server", "legacy"), nowhere });
  expect(started.mcp.unlisted()).toEqual(["nowhere"]);
  await expect(started.call("tools.crash")).rejects.toThrow();
  expect(started.mcp.unlisted()).toEqual(["nowhere"]);
});

test("an approval does not outlive the definition that was judged", async () => {
  await using started = await start({ tools: child("sdk-server", "legacy") });
  const approved = started.tool("tools.changeable");
  const digest = () => {
    const prepared = prepareCall(
      { index: 0, wireId: "1", name: "tools_changeable", arguments: "{}" },
      createToolbox([started.tool("tools.changeable")]),
      () => ({ type: "run" }),
    );
    return prepared.type === "ready" ? prepared.digest : prepared.failure;
  };
  const before = digest();
  expect(digest()).toBe(before);
  await started.call("tools.change");
  await until(() =>
    expect(started.tool("tools.changeable").description).toBe("Deletes all files."),
  );
  expect(digest()).not.toBe(before);
  await expect(run(approved)).rejects.toThrow("changed or removed this tool");
});

test("a crash in the middle of a call: its outcome is unknown, the tools stay listed, and the server comes back", async () => {
  const gate = Promise.withResolvers<void>();
  let waiting = false;
  await using started = await start(
    { tools: child("sdk-server", "legacy") },
    {
      sleep: (_ms, signal) => {
        waiting = true;
        return Promise.race([gate.promise, aborted(signal)]);
      },
    },
  );
  const before = (await started.call("tools.pid")).text;
  const changes = started.changes();
  const crash = started.call("tools.crash");
  await expect(crash).rejects.toThrow(OutcomeUnknownError);
  await expect(crash).rejects.toThrow("not known");
  // The next attempt waits at the gate.
  await until(() => expect(waiting).toBe(true));
  expect(started.names()).toContain("tools.pid");
  const down = started.call("tools.pid");
  await expect(down).rejects.toThrow('server "tools" is down just now');
  await expect(down).rejects.not.toThrow(OutcomeUnknownError);
  gate.resolve();
  await until(async () => {
    const { text } = await started.call("tools.pid");
    expect(text).not.toBe(before);
  });
  // The same list: no one needs to hear of it.
  expect(started.changes()).toBe(changes);
});

test("waits grow with every failure in a row, and each reason is told once", async () => {
  await using started = await start({ tools: child("raw-server", "dying") });
  await until(() => expect(started.waits.length).toBeGreaterThan(3));
  expect(started.waits.slice(0, 4)).toEqual([750, 1_500, 3_000, 6_000]);
  const told = started.lines.filter((line) => line.level === 40);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({
    server: "tools",
    reason: expect.stringContaining("no licence found"),
  });
  expect(started.mcp.tools()).toEqual([]);
});

test("a program that is not there is told, and does no harm", async () => {
  await using started = await start({
    missing: {
      ...child("raw-server", "x"),
      command: "/no/such/program",
    } as never,
    tools: child("sdk-server", "legacy"),
  });
  expect(started.lines).toContainEqual(
    expect.objectContaining({
      server: "missing",
      reason: expect.stringContaining("ENOENT"),
    }),
  );
  expect(await started.call("tools.say", { line: "I work" })).toMatchObject({
    text: "I work",
  });
});

test("a server that never answers is given up, and tried again", async () => {
  await using started = await start(
    { tools: child("raw-server", "silent") },
    { connectTimeoutMs: 200 },
  );
  await until(() => expect(started.waits.length).toBeGreaterThan(1));
  expect(started.lines).toContainEqual(
    expect.objectContaining({
      server: "tools",
      reason: expect.stringContaining("did not answer within 0.2 s"),
    }),
  );
});

test("an abort is told to the server", async () => {
  await using stack = new AsyncDisposableStack();
  const { file, text } = journal(stack);
  const started = stack.use(
    await start({
      tools: child("sdk-server", "legacy", { environment: { JOURNAL: file } }),
    }),
  );
  const abort = new AbortController();
  const waiting = started.call("tools.wait", {}, { signal: abort.signal });
  const outcome = expect(waiting).rejects.toThrow("was cancelled: the turn reached its time limit");
  await until(() => expect(text()).toContain("waiting"));
  abort.abort("deadline");
  await outcome;
  await until(() => expect(text()).toContain("cancelled"));
});

test("a call without a sign of life ends with its time limit; progress prolongs it", async () => {
  await using started = await start({
    tools: child("sdk-server", "legacy", { timeoutMs: 600 }),
  });
  const lines: string[] = [];
  const { text } = await started.call(
    "tools.progress",
    {},
    { progress: (line) => lines.push(line) },
  );
  expect(text).toBe("all steps done");
  expect(lines).toContain("steps (2/6)");
  const long = lines.find((line) => line.endsWith("(5/6)")) ?? "";
  expect(long).toMatch(/^(?:long ){15,}.*… \(5\/6\)$/);
  expect(long).toHaveLength(100);
  const silent = started.call("tools.wait");
  await expect(silent).rejects.toThrow(OutcomeUnknownError);
  await expect(silent).rejects.toThrow("no sign of life for 0.6 s");
});

test("a tool that says it failed is an error with its words", async () => {
  await using started = await start({ tools: child("sdk-server", "legacy") });
  await expect(started.call("tools.fail")).rejects.toThrow(/^the disk is full$/);
  await expect(started.call("tools.throw")).rejects.toThrow("it went wrong");
  await expect(started.call("tools.throw")).rejects.not.toThrow(OutcomeUnknownError);
});

test("what a server says to people is in the debug log, without its colours", async () => {
  await using started = await start({ tools: child("sdk-server", "legacy") });
  await until(() =>
    expect(started.lines).toContainEqual(
      expect.objectContaining({
        level: 20,
        server: "tools",
        line: "[31mhello from legacy[0m",
      }),
    ),
  );
});

test("children end with us, even one that will not", async () => {
  await using stack = new AsyncDisposableStack();
  const { file, text } = journal(stack);
  const environment = { JOURNAL: file };
  const started = await start({
    good: child("sdk-server", "legacy", { environment }),
    stubborn: child("raw-server", "stubborn", { environment }),
  });
  expect(started.names()).toContain("stubborn.go");
  const pids = [...text().matchAll(/started (\d+)/g)].map(([, pid]) => Number(pid));
  expect(pids).toHaveLength(2);
  expect(pids.filter(isAlive)).toEqual(pids);
  await started.mcp[Symbol.asyncDispose]();
  await until(() => expect(pids.filter(isAlive)).toEqual([]));
});

test("our signal ends everything too", async () => {
  await using stack = new AsyncDisposableStack();
  const { file, text } = journal(stack);
  const ending = new AbortController();
  const started = await start(
    {
      tools: child("sdk-server", "legacy", { environment: { JOURNAL: file } }),
    },
    { signal: ending.signal },
  );
  const pid = Number(/started (\d+)/.exec(text())?.[1]);
  ending.abort();
  await until(() => expect(isAlive(pid)).toBe(false));
  await expect(started.call("tools.pid")).rejects.toThrow("down just now");
});
