import { expect, test } from "vitest";
import { child, start, until } from "./support/harness.ts";

/** `name: effect, confirm` of the tools that carry annotations. */
async function declarations(trusted: boolean) {
  await using started = await start({
    tools: child("sdk-server", "legacy", { trusted }),
  });
  return Object.fromEntries(
    ["look", "set", "add", "erase", "plain"].map((name) => {
      const tool = started.tool(`tools.${name}`);
      // No one says of a tool that only its newest result counts.
      expect(tool.history).toBe("action");
      return [name, [tool.effect, tool.confirm({})]];
    }),
  );
}

test("the annotations of a trusted server count", async () => {
  expect(await declarations(true)).toEqual({
    look: ["read", false],
    set: ["idempotent", false],
    add: ["once", false],
    erase: ["idempotent", true],
    plain: ["once", true],
  });
});

test("without trust every tool runs once and is confirmed", async () => {
  const once = ["once", true];
  expect(await declarations(false)).toEqual({
    look: once,
    set: once,
    add: once,
    erase: once,
    plain: once,
  });
});

test("what is not offered is refused: a server cannot ask the person anything", async () => {
  await using started = await start({
    tools: child("sdk-server", "legacy"),
  });
  const { text } = await started.call("tools.ask");
  expect(text).toMatch(/^refused: .*elicitation/i);
});

test("a server that speaks only the newer revision is understood too, and tells its changes", async () => {
  await using started = await start({
    tools: child("sdk-server", "modern"),
  });
  await until(() => started.tool("tools.say"));
  expect(await started.call("tools.say", { line: "hello" })).toMatchObject({
    text: "hello",
  });
  await started.call("tools.extend");
  await until(() => started.tool("tools.extra"));
  const { text } = await started.call("tools.progress");
  expect(text).toBe("all steps done");
});
