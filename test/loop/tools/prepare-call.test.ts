import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/core/tool.ts";
import {
  machineCall,
  prepareCall,
  type PreparedCall,
  type Ruling,
} from "../../../src/loop/tools/prepare-call.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";

const ran = (): Promise<{ text: string }> => Promise.resolve({ text: "ran" });

const fetchPage = defineTool({
  name: "web.fetch",
  description: "Fetches a page.",
  parameters: z.strictObject({
    url: z.string().min(1),
    limit: z.number().int().default(10),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  effect: "read",
  confirm: ({ url }) => url.startsWith("http:"),
  history: "action",
  run: ran,
});
const anything = defineTool({
  name: "anything",
  description: "Takes whatever comes.",
  parameters: z.looseObject({}),
  effect: "once",
  confirm: "never",
  history: "action",
  run: ran,
});

const asDeclared: Ruling = (_tool, declared) =>
  declared === "confirm" ? { type: "confirm", approvers: "requester" } : { type: "run" };
const asks: Ruling = () => ({ type: "confirm", approvers: "admins" });
const toolbox = createToolbox([fetchPage, anything]);

function prepare(name: string, given: string, policy: Ruling = asDeclared): PreparedCall {
  return prepareCall({ index: 0, wireId: "w", name, arguments: given }, toolbox, policy);
}

const failureOf = (prepared: PreparedCall): string | undefined =>
  prepared.type === "failed" ? prepared.failure : undefined;

describe("arguments that fit", () => {
  it("get their defaults, and what is shown is what runs", () => {
    expect(prepare("web_fetch", '{"url":"https://a"}')).toMatchObject({
      type: "ready",
      given: { url: "https://a", limit: 10 },
      canonical: '{"limit":10,"url":"https://a"}',
      verdict: { type: "run" },
    });
  });

  it("are asked for as the tool itself wants it", () => {
    expect(prepare("web_fetch", '{"url":"http://a"}')).toMatchObject({
      verdict: { type: "confirm", approvers: "requester" },
    });
  });

  it.each(["", " ", "\n", "{}"])("none at all, written %j, are {}", (given) => {
    expect(prepare("anything", given)).toMatchObject({ canonical: "{}" });
  });

  it("are the same call in whatever order they come", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), {
          maxKeys: 6,
        }),
        (given) => {
          const turned = Object.fromEntries(Object.entries(given).toReversed());
          const one = prepare("anything", JSON.stringify(given));
          const other = prepare("anything", JSON.stringify(turned));
          expect(one.type).toBe("ready");
          expect(other).toEqual(one);
        },
      ),
    );
  });

  it("are another call when anything in them differs, or the tool", () => {
    const digests = [
      prepare("web_fetch", '{"url":"https://a"}'),
      prepare("web_fetch", '{"url":"https://b"}'),
      prepare("web_fetch", '{"url":"https://a","limit":11}'),
      prepare("web_fetch", '{"url":"https://a","headers":{}}'),
      prepare("anything", '{"url":"https://a","limit":10}'),
    ].map((each) => (each.type === "ready" ? each.digest : ""));
    expect(new Set(digests).size).toBe(5);
    expect(prepare("web_fetch", '{"limit":10,"url":"https://a"}')).toEqual(
      prepare("web_fetch", '{"url":"https://a"}'),
    );
  });

  it("of any script, and half of a character is replaced before anyone sees it", () => {
    expect(prepare("web_fetch", '{"url":"https://ä/日本/😀"}')).toMatchObject({
      given: { url: "https://ä/日本/😀" },
    });
    expect(prepare("web_fetch", String.raw`{"url":"a\ud83d"}`)).toMatchObject({
      type: "ready",
      given: { url: "a\ufffd" },
      canonical: '{"limit":10,"url":"a\ufffd"}',
    });
  });
});

describe("arguments that do not", () => {
  it.each([
    ["{", "{"],
    ["not json", "not json"],
    ['{"url":"https://a"', '{"url":"https://a"'],
    ["[1]", "[1]"],
    ["null", "null"],
    ['"https://a"', '"https://a"'],
  ])("%s go back to the model, quoted", (given, quoted) => {
    const prepared = prepare("web_fetch", given);
    expect(prepared).toMatchObject({
      type: "failed",
      failure: "invalid-arguments",
      text: expect.stringMatching(/^invalid-arguments: /),
    });
    expect(prepared).toMatchObject({ text: expect.stringContaining(quoted) });
  });

  it.each([
    ["{}", "url"],
    ['{"url":7}', "url"],
    ['{"url":""}', "url"],
    ['{"url":"a","limit":"many"}', "limit"],
    ['{"url":"a","limit":1.5}', "limit"],
    ['{"url":"a","more":1}', "more"],
    ['{"url":"a","headers":{"b":1}}', "headers.b"],
  ])("%s: the model is told where", (given, where) => {
    const prepared = prepare("web_fetch", given);
    expect(failureOf(prepared)).toBe("invalid-arguments");
    expect(prepared).toMatchObject({ text: expect.stringContaining(where) });
  });

  it("never throw, whatever they are, and never fill the context", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc
        .integer({ min: 1, max: 20_000 })
        .map((depth) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`),
      fc
        .integer({ min: 1, max: 20_000 })
        .map((depth) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth)),
      fc.integer({ min: 1, max: 2_000 }).map((count) =>
        JSON.stringify({
          url: "a",
          headers: Object.fromEntries(
            Array.from({ length: count }, (_, index) => [`h${index}`, index]),
          ),
        }),
      ),
    );
    const name = fc.constantFrom("web_fetch", "anything", "gone", "__proto__");
    fc.assert(
      fc.property(name, text, (called, given) => {
        const prepared = prepare(called, given);
        if (prepared.type === "ready")
          expect(JSON.parse(prepared.canonical)).toEqual(
            JSON.parse(JSON.stringify(prepared.given)),
          );
        else expect(prepared.text.length).toBeLessThan(2_100);
      }),
      { numRuns: 300 },
    );
  });

  it("no one would read whole are not asked about", () => {
    const given = JSON.stringify({ a: "x".repeat(50_000) });
    const prepared = prepare("anything", given, asks);
    expect(failureOf(prepared)).toBe("invalid-arguments");
    expect(prepared).toMatchObject({
      text: expect.stringContaining("too long for a person to approve: 50008"),
    });
    expect(prepare("anything", given).type).toBe("ready");
    const less = JSON.stringify({ a: "x".repeat(49_000) });
    expect(prepare("anything", less, asks).type).toBe("ready");
  });

  it("of 2 MB are read, or refused in few words", () => {
    const huge = JSON.stringify({ url: "x".repeat(2_000_000) });
    expect(prepare("web_fetch", huge).type).toBe("ready");
    const broken = prepare("web_fetch", huge.slice(0, -2));
    expect(broken).toMatchObject({ failure: "invalid-arguments" });
    expect(JSON.stringify(broken).length).toBeLessThan(2_000);
  });

  it.each([
    '{"url":"a","__proto__":{"polluted":true}}',
    '{"url":"a","constructor":{"prototype":{"polluted":true}}}',
    '{"__proto__":{"url":"a"}}',
  ])("%s reach no prototype", (given) => {
    expect(failureOf(prepare("web_fetch", given))).toBe("invalid-arguments");
    const loose = prepare("anything", given);
    expect(loose.type).toBe("ready");
    expect({}).not.toHaveProperty("polluted");
    if (loose.type === "ready") expect(Object.getPrototypeOf(loose.given)).toBe(Object.prototype);
  });

  it("a schema or a confirm that throws is the tool's fault, not the turn's end", () => {
    const faulty = (over: Partial<Tool>): PreparedCall =>
      prepareCall(
        { index: 0, wireId: "", name: "anything", arguments: "{}" },
        createToolbox([{ ...anything, ...over }]),
        asDeclared,
      );
    const throwing = z.looseObject({}).transform((): object => {
      throw new TypeError("no");
    });
    expect(
      failureOf(
        prepareCall(
          { index: 0, wireId: "", name: "anything", arguments: "{}" },
          {
            specs: [],
            find: () => ({ ...anything, parameters: throwing }),
          },
          asDeclared,
        ),
      ),
    ).toBe("invalid-arguments");
    // A tool that cannot tell whether to ask is asked about.
    expect(
      faulty({
        confirm: () => {
          throw new TypeError("no");
        },
      }),
    ).toMatchObject({ type: "ready", verdict: { type: "confirm" } });
  });
});

describe("the operator's word", () => {
  it("denies, whatever the tool wants", () => {
    const denied = prepare("web_fetch", '{"url":"https://a"}', () => ({
      type: "deny",
    }));
    expect(denied).toMatchObject({
      failure: "policy-denied",
      text: expect.stringMatching(/^policy-denied: /),
    });
  });

  it("is asked for the tool's own name, not the wire's", () => {
    const asked: unknown[] = [];
    prepare("web_fetch", '{"url":"http://a"}', (tool, declared) => {
      asked.push([tool, declared]);
      return { type: "run" };
    });
    expect(asked).toEqual([["web.fetch", "confirm"]]);
  });
});

describe("unknown tools", () => {
  it.each(["gone", "web.fetch", "", "__proto__", "constructor", "toString", "x".repeat(10_000)])(
    "no. %#: the model is told which there are",
    (name) => {
      const prepared = prepare(name, "{}");
      expect(prepared).toMatchObject({
        failure: "unknown-tool",
        text: expect.stringContaining("Known tools: web_fetch, anything"),
      });
      expect(JSON.stringify(prepared).length).toBeLessThan(500);
    },
  );
});

describe("the call as the machine holds it", () => {
  const request = { index: 2, wireId: "w", name: "web_fetch", arguments: "{}" };

  it("awaits where an approval was asked, runs where none is needed, has failed where it cannot run", () => {
    const ready = prepare("web_fetch", '{"url":"a"}');
    expect(machineCall(request, ready, undefined)).toMatchObject({
      index: 2,
      status: "authorised",
      effect: "read",
    });
    expect(
      machineCall(request, ready, {
        id: "s1-x",
        approvers: "admins",
      }),
    ).toMatchObject({
      status: "awaiting",
      approvalId: "s1-x",
      approvers: "admins",
    });
    expect(machineCall(request, prepare("gone", "{}"), undefined)).toMatchObject({
      status: "failed",
      failure: "unknown-tool",
    });
  });
});

describe("the toolbox", () => {
  it("offers wire names and schemas of what the model is to write", () => {
    expect(toolbox.specs[0]).toMatchObject({
      name: "web_fetch",
      parameters: {
        type: "object",
        required: ["url"],
        additionalProperties: false,
      },
    });
    expect(JSON.stringify(toolbox.specs)).not.toContain("$schema");
  });

  it("tells two tools apart whose names would be one on the wire", () => {
    const toolbox = createToolbox([
      fetchPage,
      defineTool({ ...fetchPage, confirm: "never", name: "web_fetch" }),
    ]);
    expect(new Set(toolbox.specs.map(({ name }) => name)).size).toBe(2);
    expect(toolbox.find("web_fetch")?.name).toBe("web_fetch");
    const other = toolbox.specs.find(({ name }) => name !== "web_fetch");
    expect(toolbox.find(other?.name ?? "")?.name).toBe("web.fetch");
    for (const { name } of toolbox.specs) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it("refuses two tools of one name", () => {
    expect(() => createToolbox([fetchPage, fetchPage])).toThrow(/one name/);
  });
});
