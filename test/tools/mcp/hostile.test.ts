import { expect, test } from "vitest";
import { OutcomeUnknownError } from "../../../src/core/errors.ts";
import { child, start, until, type Started } from "./support/harness.ts";

const hostile = (mode: string): Promise<Started> =>
  start({
    bad: child("raw-server", mode),
    good: child("sdk-server", "legacy"),
  });

/** Whatever the other one does, this one works. */
async function expectGoodWorks({ call }: Started): Promise<void> {
  expect(await call("good.say", { line: "unharmed" })).toMatchObject({
    text: "unharmed",
  });
}

const badNames = ({ names }: Started): string[] =>
  names().filter((name) => name.startsWith("bad."));

test("names are made valid and unique, and what cannot be offered is left out", async () => {
  await using started = await hostile("names");
  expect(badNames(started)).toEqual([
    "bad.ok",
    expect.stringMatching(/^bad\.bell_and_right_to_left_[0-9a-f]{8}$/),
    expect.stringMatching(/^bad\.a_b_c_[0-9a-f]{8}$/),
    "bad.a_b_c",
    expect.stringMatching(/^bad\.x{64}_[0-9a-f]{8}$/),
  ]);
  // The first of two with one name.
  expect(started.tool("bad.ok").description).toBe("ok");
  expect(started.lines).toContainEqual(expect.objectContaining({ server: "bad", count: 8 }));
  for (const name of badNames(started))
    expect(await started.call(name)).toMatchObject({ text: "went" });
  await expectGoodWorks(started);
});

test("of 10,000 tools the first 1,000 are taken", async () => {
  await using started = await hostile("many");
  expect(badNames(started)).toHaveLength(1_000);
  expect(JSON.stringify(started.lines)).toContain("only the first 1000 tools are offered");
  await expectGoodWorks(started);
});

test("giant texts are cut", async () => {
  await using started = await hostile("giants");
  const { description, jsonSchema } = started.tool("bad.giant");
  expect(description).toHaveLength(1_024);
  expect(description).toMatch(/^start long long .*…$/);
  expect(JSON.stringify(jsonSchema).length).toBeLessThan(2_000);
  await expectGoodWorks(started);
});

test("schemas that are bombs are defused", async () => {
  await using started = await hostile("schemas");
  expect(badNames(started)).toEqual(["bad.deep", "bad.bomb", "bad.slow", "bad.itself", "bad.fine"]);
  for (const name of badNames(started))
    expect(JSON.stringify(started.tool(name).jsonSchema).length).toBeLessThan(20_000);
  const accepts = (name: string, given: unknown) =>
    started.tool(name).parameters.safeParse(given).success;
  expect(accepts("bad.deep", { a: { a: {} } })).toBe(true);
  expect(accepts("bad.deep", { a: 1 })).toBe(false);
  expect(accepts("bad.bomb", { a: "x" })).toBe(true);
  // A minute or more, if the server's expression ran.
  expect(accepts("bad.slow", { a: `${"a".repeat(40)}!` })).toBe(true);
  expect(accepts("bad.itself", { name: "root", child: { name: "leaf" } })).toBe(true);
  expect(accepts("bad.itself", { child: {} })).toBe(false);
  await expectGoodWorks(started);
});

test("of a list without an end the first pages are taken, and the log says so; one of several pages is read whole", async () => {
  await using endless = await hostile("pages");
  expect(badNames(endless)).toHaveLength(64);
  expect(JSON.stringify(endless.lines)).toContain("more pages than are read");
  await expectGoodWorks(endless);
  await using paged = await hostile("paged");
  expect(badNames(paged)).toEqual([0, 1, 2, 3, 4].map((page) => `bad.page${page}`));
});

test("a message without an end ends the connection, with the reason", async () => {
  await using started = await hostile("endless");
  const call = started.call("bad.go");
  await expect(call).rejects.toThrow(OutcomeUnknownError);
  await expect(call).rejects.toThrow("exceeded maximum size of 10000000 bytes");
  await expectGoodWorks(started);
  await until(() =>
    expect(started.lines).toContainEqual(
      expect.objectContaining({
        level: 40,
        server: "bad",
        reason: expect.stringContaining("exceeded maximum size"),
      }),
    ),
  );
  await until(() => expect(started.waits).not.toEqual([]));
});

test("lines that are no JSON, or no message, are passed over", async () => {
  await using started = await hostile("nonsense");
  expect(badNames(started)).toEqual(["bad.go"]);
  await using broken = await hostile("broken-answers");
  expect(await broken.call("bad.go")).toMatchObject({ text: "after all" });
});

test("an answer that is no result, and a refusal, are errors that say so", async () => {
  await using holograms = await hostile("no-result");
  const call = holograms.call("bad.go");
  await expect(call).rejects.toThrow("not a tool's result");
  await expect(call).rejects.toThrow(OutcomeUnknownError);
  await using refusing = await hostile("refusing-calls");
  await expect(refusing.call("bad.go")).rejects.toThrow(
    /^server "bad" refused: .*no such \[31mthing$/,
  );
});

test("a server that refuses the handshake is tried again", async () => {
  await using started = await hostile("refusing");
  await until(() => expect(started.waits.length).toBeGreaterThan(2));
  expect(badNames(started)).toEqual([]);
  await expectGoodWorks(started);
});
