import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolPolicy, type ToolRule } from "../../src/access/tool-policy.ts";

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
