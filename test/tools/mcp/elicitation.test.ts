import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { formAnswer } from "../../../src/tools/mcp/elicitation.ts";
import { callFailure } from "../../../src/tools/mcp/errors.ts";
import { everythingOverStdio } from "./support/everything.ts";
import { child, start, until, type Started } from "./support/harness.ts";

type Form = Parameters<typeof formAnswer>[0] & { mode?: "form" };
type Fields = Form["requestedSchema"]["properties"];

const answerTo = (properties: Fields, required: string[] = []) =>
  formAnswer({
    message: "Who are you?",
    requestedSchema: { type: "object", properties, required },
  });

describe("a form's answer", () => {
  test("is its own defaults, of every kind, and nothing for fields without one", () => {
    const answer = answerTo(
      {
        name: { type: "string", default: "" },
        mail: { type: "string", format: "email", default: "ann@example.com" },
        age: { type: "integer", minimum: 0, maximum: 150, default: 0 },
        share: { type: "number", default: 0.5 },
        agreed: { type: "boolean", default: false },
        colour: { type: "string", enum: ["red", "blue"], default: "blue" },
        size: {
          type: "string",
          oneOf: [{ const: "s", title: "Small" }],
          default: "s",
        },
        tags: {
          type: "array",
          items: { type: "string", enum: ["a", "b"] },
          default: ["a"],
        },
        toString: { type: "string" as const, default: "own" },
        remark: { type: "string" },
      },
      ["name", "agreed", "toString"],
    );
    expect(answer).toEqual({
      action: "accept",
      content: {
        name: "",
        mail: "ann@example.com",
        age: 0,
        share: 0.5,
        agreed: false,
        colour: "blue",
        size: "s",
        tags: ["a"],
        toString: "own",
      },
    });
  });

  test.each<[string, RegExp, Fields, string[]]>([
    [
      "a required field has no default",
      /required field/,
      { a: { type: "string", default: "a" }, b: { type: "string" } },
      ["b"],
    ],
    [
      "a required field is not there",
      /required field/,
      { a: { type: "string", default: "a" } },
      ["toString"],
    ],
    ["there is no field", /none of its fields/, {}, []],
    ["no field has a default", /none of its/, { a: { type: "boolean" } }, []],
    [
      "a number is out of its range",
      /do not fit/,
      { a: { type: "integer", maximum: 3, default: 4 } },
      [],
    ],
    [
      "a choice is none of those offered",
      /do not fit/,
      { a: { type: "string", enum: ["red"], default: "blue" } },
      [],
    ],
    [
      "a choice of nothing is offered",
      /do not fit/,
      { a: { type: "string", enum: [], default: "blue" } },
      [],
    ],
    [
      "an address is none",
      /do not fit/,
      { a: { type: "string", format: "email", default: "nobody" } },
      [],
    ],
    ["it is huge", /too large/, { a: { type: "string", default: "x".repeat(40_000) } }, []],
  ])("is no when %s", (_, reason, fields, required) => {
    expect(answerTo(fields, required)).toEqual({
      action: "decline",
      reason: expect.stringMatching(reason),
    });
  });

  test("is no when it is a page to be opened", () => {
    const page = { message: "Log in", elicitationId: "1", url: "https://a.b" };
    expect(formAnswer({ mode: "url", ...page })).toMatchObject({
      action: "decline",
    });
  });
});

const answersInLog = ({ lines }: Started) =>
  lines.filter(({ msg }) => msg?.startsWith("an MCP server's form"));

const secret = "Rosebud";
const filled = {
  fields: { word: { type: "string", title: secret, default: secret } },
  required: ["word"],
};
const unfilled = { fields: { [secret]: { type: "string" } }, required: [] };

describe.each(["legacy", "modern"])("a server of the %s revision", (mode) => {
  test("gets its defaults where the operator said so, and no elsewhere; the log says which", async () => {
    await using started = await start({
      tools: child("sdk-server", mode, { elicitation: "defaults" }),
    });
    await until(() => started.tool("tools.fill"));
    const accepted = await started.call("tools.fill", filled);
    expect(JSON.parse(accepted.text)).toMatchObject({
      action: "accept",
      content: { word: secret },
    });
    const declined = await started.call("tools.fill", {
      ...filled,
      fields: { ...filled.fields, ...unfilled.fields },
      required: [secret],
    });
    expect(JSON.parse(declined.text)).toMatchObject({ action: "decline" });
    expect(declined.text).not.toContain(secret);
    const said = answersInLog(started);
    expect(said).toMatchObject([
      { level: 30, server: "tools", msg: expect.stringContaining("accepted") },
      {
        level: 30,
        server: "tools",
        msg: expect.stringContaining("declined"),
        reason: "a required field has no default",
      },
    ]);
    expect(JSON.stringify(said)).not.toContain(secret);
  });

  test("cannot ask where the operator said nothing", async () => {
    await using started = await start({ tools: child("sdk-server", mode) });
    await until(() => started.tool("tools.fill"));
    const outcome = await started.call("tools.fill", filled).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/elicitation/i);
    expect(outcome).not.toContain("accept");
    expect(answersInLog(started)).toEqual([]);
  });
});

test.each([
  ["off", {}],
  ["defaults", { elicitation: { form: { applyDefaults: true } } }],
] as const)("with %s a server is told so", async (elicitation, expected) => {
  await using started = await start({
    tools: child("sdk-server", "legacy", { elicitation }),
  });
  const { text } = await started.call("tools.capabilities");
  expect(JSON.parse(text)).toEqual(expected);
});

test("a server that asks again and again is given up", async () => {
  await using started = await start({
    tools: child("sdk-server", "modern", { elicitation: "defaults" }),
  });
  await until(() => started.tool("tools.nag"));
  await expect(started.call("tools.nag")).rejects.toThrow(
    'server "tools" asked for input again and again, and the call was given up',
  );
});

test("input of a kind that is not offered is called that", () => {
  const error = new SdkError(SdkErrorCode.CapabilityNotSupported, "sampling");
  expect(
    callFailure(error, {
      server: "tools",
      timeoutMs: 1_000,
      signal: new AbortController().signal,
    }).message,
  ).toBe('server "tools" asked for input in the middle of the call, which is not offered');
});

test("server-everything offers its form, not its page, and is told no: it wants a name", async () => {
  await using started = await start({
    everything: { ...everythingOverStdio(), elicitation: "defaults" },
  });
  expect(started.names()).not.toContain("everything.trigger-url-elicitation");
  const { text } = await started.call("everything.trigger-elicitation-request");
  expect(text).toContain("User declined");
});
