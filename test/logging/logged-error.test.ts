import { pino } from "pino";
import { expect, it } from "vitest";
import { loggedError } from "../../src/logging/logged-error.ts";

const words = "what a person wrote";

/** As ioredis makes them. */
const failed = (message: string, more: object = {}): Error =>
  Object.assign(new Error(message), {
    command: { name: "set", args: ["key", words] },
    ...more,
  });

function logged(error: Error): string {
  let line = "";
  const log = pino(
    { serializers: { error: loggedError } },
    { write: (text: string) => void (line += text) },
  );
  log.warn({ error }, "trouble");
  return line;
}

it.each([
  ["a command", failed("OOM")],
  ["a transaction", failed("EXECABORT", { previousErrors: [failed("OOM"), failed("OOM")] })],
  ["a cluster", failed("too many", { lastNodeError: failed("MOVED") })],
  ["a cause", new Error("outside", { cause: failed("OOM") })],
  ["a list of errors", new AggregateError([failed("OOM")], "several")],
  ["a thing that holds one", failed("x", { details: { each: failed("OOM") } })],
])("the error of %s is logged without what it was to write", (_, error) => {
  const line = logged(error);
  expect(line).toContain(error.message);
  expect(line).toContain('"stack"');
  expect(line).not.toContain(words);
});

it("that is part of itself is logged", () => {
  const error = failed("round");
  Object.assign(error, { previousErrors: [error], self: { error } });
  expect(logged(error)).toContain("round");
});
