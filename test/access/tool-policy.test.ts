import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  toolPolicy,
  withRules,
  type ToolRule,
} from "../../src/access/tool-policy.ts";
import type { ToolDefinition } from "../../src/core/tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const deny = (match: string): ToolRule => ({ match, verdict: "deny" });
const allow = (
  match: string,
  more: Partial<ToolRule & { verdict: "allow" }> = {},
): ToolRule => ({
  match,
  verdict: "allow",
  confirm: undefined,
  approvers: undefined,
  ...more,
});

const silent = (
  match: string,
  more: Partial<ToolRule & { verdict: "silent" }>,
): ToolRule => ({ match, verdict: "silent", ...more });

const policy = (...rules: ToolRule[]) => toolPolicy(rules, "requester");

const reference = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(".*")}$`,
    "s",
  );

describe("a tool's rule", () => {
  it("is the first that matches", () => {
    const one = policy(
      allow("files.read_*", { confirm: "never" }),
      allow("files.*", { confirm: "always", approvers: "admins" }),
      deny("files.delete"),
      deny("web.*"),
    );
    expect(one("files.read_all", "confirm")).toEqual({ type: "run" });
    // Denied further down, but the rule above it has spoken.
    expect(one("files.delete", "run")).toEqual({
      type: "confirm",
      approvers: "admins",
    });
    expect(one("web.fetch", "run")).toEqual({ type: "deny" });
    expect(one("web", "run")).toEqual({ type: "run" });
  });

  it("that says nothing of confirming leaves it to the tool, but names who decides", () => {
    const one = policy(allow("a.*", { approvers: "admins" }));
    expect(one("a.b", "run")).toEqual({ type: "run" });
    expect(one("a.b", "confirm")).toEqual({
      type: "confirm",
      approvers: "admins",
    });
  });

  it("that only changes a declaration leaves what may run to the others", () => {
    const one = policy(
      silent("jobs.*", { loop: false }),
      deny("jobs.delete"),
      allow("jobs.*", { confirm: "never" }),
    );
    expect(one("jobs.delete", "run")).toEqual({ type: "deny" });
    expect(one("jobs.status", "confirm")).toEqual({ type: "run" });
    const alone = policy(silent("jobs.*", { history: "keep" }));
    expect(alone("jobs.status", "run")).toEqual({ type: "run" });
    expect(alone("jobs.status", "confirm").type).toBe("confirm");
  });

  it("is not needed: then the tool's own word counts", () => {
    expect(policy()("x", "run")).toEqual({ type: "run" });
    expect(policy()("x", "confirm")).toEqual({
      type: "confirm",
      approvers: "requester",
    });
  });

  it("matches whole names, with `*` for anything in any place", () => {
    const few = fc.string({
      unit: fc.constantFrom("a", "b", "."),
      maxLength: 8,
    });
    const pattern = fc.string({
      unit: fc.constantFrom("a", "b", ".", "*"),
      maxLength: 7,
    });
    fc.assert(
      fc.property(pattern, few, (match, name) => {
        expect(policy(deny(match))(name, "run").type === "deny").toBe(
          reference(match).test(name),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it("cannot be made slow by what a server calls its tools", () => {
    const one = policy(deny(`${"a*".repeat(30)}b`));
    // A backtracking matcher needs longer for this than the universe has.
    expect(one("a".repeat(2_000), "run")).toEqual({ type: "run" });
    expect(one(`${"a".repeat(2_000)}b`, "run")).toEqual({ type: "deny" });
  });

  it("knows no other special characters", () => {
    for (const name of ["a.b", "axb", "[ab]", "a|b", "^a", "a$"])
      expect(policy(deny("a.b"))(name, "run").type).toBe(
        name === "a.b" ? "deny" : "run",
      );
  });
});

const declared = (more: Partial<ToolDefinition> = {}) =>
  defineTool({
    name: "jobs.status",
    description: "Looks.",
    parameters: z.unknown(),
    effect: "read",
    confirm: "never",
    history: "action",
    run: () => Promise.resolve({ text: "" }),
    ...more,
  });

describe("a tool's declaration", () => {
  const numbers = { sameCall: 9, sameTool: 8 };

  it("is as it was where no rule says otherwise", () => {
    const tool = declared();
    const rules = [
      deny("*"),
      allow("jobs.*"),
      silent("mail.*", { loop: false }),
    ];
    expect(withRules(rules)(tool)).toBe(tool);
  });

  it.each<[string, ToolDefinition["loop"], ToolDefinition["loop"], unknown]>([
    ["off", undefined, false, false],
    ["off, whatever it says", numbers, false, false],
    ["numbers", undefined, numbers, numbers],
    ["numbers, where it wanted none", false, { sameCall: 4 }, { sameCall: 4 }],
    [
      "one number of two",
      numbers,
      { sameCall: 4 },
      { ...numbers, sameCall: 4 },
    ],
  ])("is overridden by a rule: %s", (_, own, given, expected) => {
    const tool = declared(own === undefined ? {} : { loop: own });
    const rule = silent("jobs.*", given === undefined ? {} : { loop: given });
    expect(withRules([rule])(tool)).toEqual({ ...tool, loop: expected });
  });

  it("takes loop and history each from the first rule that has it", () => {
    const ruled = withRules([
      deny("jobs.status"),
      allow("jobs.*", { confirm: "never", history: "state" }),
      silent("jobs.status", { loop: { sameCall: 7 } }),
      silent("*", { loop: false, history: "keep" }),
    ]);
    expect(ruled(declared())).toMatchObject({
      history: "state",
      loop: { sameCall: 7 },
    });
    expect(ruled(declared({ name: "mail.send" }))).toMatchObject({
      history: "keep",
      loop: false,
    });
  });

  it("is changed in nothing else, and the tool itself is not", () => {
    const tool = declared();
    const ruled = withRules([silent("*", { history: "keep" })])(tool);
    expect(ruled).toEqual({ ...tool, history: "keep" });
    expect(ruled.confirm({})).toBe(false);
    expect(tool.history).toBe("action");
  });
});
