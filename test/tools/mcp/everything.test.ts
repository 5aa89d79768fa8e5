import { describe, expect, test } from "vitest";
import { everythingOverHttp, everythingOverStdio } from "./support/everything.ts";
import { start, until } from "./support/harness.ts";

/** Set by no one but us: it must never reach a server. */
process.env["PARLEY_TEST_SECRET"] = "top-secret";

describe.each(["stdio", "streamable HTTP"])("server-everything over %s", (transport) => {
  async function startEverything(stack: AsyncDisposableStack) {
    const settings =
      transport === "stdio"
        ? everythingOverStdio({ GREETING: "hi" })
        : stack.use(await everythingOverHttp()).settings;
    return stack.use(await start({ everything: settings }));
  }

  test("its tools are listed with their declarations, and run", async () => {
    await using stack = new AsyncDisposableStack();
    const started = await startEverything(stack);
    expect(started.names()).toContain("everything.echo");
    // Tools that need elicitation, sampling or roots are not registered for a client without them.
    expect(started.names().join()).not.toMatch(/elicitation|sampling|roots/);
    const echo = started.tool("everything.echo");
    expect(echo).toMatchObject({ effect: "read", timeoutMs: 200_000 });
    expect(echo.confirm({ message: "hello" })).toBe(false);
    expect(echo.jsonSchema).toMatchObject({
      type: "object",
      properties: { message: { type: "string" } },
      required: ["message"],
    });
    const { text } = await started.call("everything.echo", {
      message: "grüße 👋",
    });
    expect(text).toBe("Echo: grüße 👋");
    const many = await started.call("everything.echo", {
      message: `one\ntwo\u202e ${"three ".repeat(100)}`,
    });
    expect(many.display).toMatch(/^Echo: one two three three .*…$/);
    expect(many.display).toHaveLength(100);
  });

  test("arguments are checked before anything is sent", async () => {
    await using stack = new AsyncDisposableStack();
    const started = await startEverything(stack);
    const { parameters } = started.tool("everything.get-sum");
    expect(parameters.safeParse({ a: 1, b: 2 }).success).toBe(true);
    expect(parameters.safeParse({ a: 1, b: "two" }).error?.issues).toEqual([
      expect.objectContaining({ message: "b must be number" }),
    ]);
    expect(parameters.safeParse({ a: 1 }).error?.issues).toEqual([
      expect.objectContaining({
        message: "the arguments must have required property 'b'",
      }),
    ]);
  });

  test("every kind of result becomes text, and bytes stay out of it", async () => {
    await using stack = new AsyncDisposableStack();
    const { call } = await startEverything(stack);
    const image = await call("everything.get-tiny-image");
    expect(image.text).toMatch(/\[image: image\/png, \d+(\.\d)? (bytes|kB)\]/);
    expect(image.text.length).toBeLessThan(500);
    const weather = await call("everything.get-structured-content", {
      location: "Chicago",
    });
    const [first] = weather.text.split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      conditions: expect.any(String),
    });
    expect(weather.text.match(/conditions/g)).toHaveLength(1);
    const links = await call("everything.get-resource-links", { count: 2 });
    expect(links.text.match(/\[link: /g)).toHaveLength(2);
    const text = await call("everything.get-resource-reference", {
      resourceType: "Text",
      resourceId: 1,
    });
    expect(text.text).toMatch(/\[resource: demo:\/\/[^\n]*\]\n/);
    const blob = await call("everything.get-resource-reference", {
      resourceType: "Blob",
      resourceId: 2,
    });
    expect(blob.text).toMatch(/\[resource: demo:\/\/[^\n]*bytes\]/);
  });

  test("progress is passed on", async () => {
    await using stack = new AsyncDisposableStack();
    const { call } = await startEverything(stack);
    const lines: string[] = [];
    const { text } = await call(
      "everything.trigger-long-running-operation",
      { duration: 0.3, steps: 3 },
      { progress: (line) => lines.push(line) },
    );
    expect(text).toContain("completed");
    expect(lines).toContain("2/3");
    for (const line of lines) expect(line).toMatch(/^\d\/3$/);
  });

  test("an abort ends the call, and the next one works", async () => {
    await using stack = new AsyncDisposableStack();
    const { call } = await startEverything(stack);
    const abort = new AbortController();
    const seen: string[] = [];
    const running = call(
      "everything.trigger-long-running-operation",
      { duration: 600, steps: 6_000 },
      { signal: abort.signal, progress: (line) => seen.push(line) },
    );
    const outcome = expect(running).rejects.toThrow(
      'the call to server "everything" was cancelled: a person stopped it',
    );
    await until(() => expect(seen).not.toEqual([]));
    abort.abort("stopped");
    await outcome;
    const { text } = await call("everything.echo", { message: "still here" });
    expect(text).toBe("Echo: still here");
  });
});

test("a child process gets PATH, HOME and what its settings name, and nothing else of ours", async () => {
  await using started = await start({
    everything: everythingOverStdio({ GREETING: "hi" }),
  });
  const { text } = await started.call("everything.get-env");
  const environment = JSON.parse(text) as Record<string, string>;
  expect(environment["GREETING"]).toBe("hi");
  expect(environment["PATH"]).toBe(process.env["PATH"]);
  expect(Object.keys(environment).toSorted()).toEqual(
    ["GREETING", "HOME", "PATH"].filter(
      (name) => name === "GREETING" || process.env[name] !== undefined,
    ),
  );
});
