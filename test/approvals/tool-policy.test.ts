import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  possibleVerdicts,
  toolPolicy,
  withRules,
  type ToolRule,
  type ToolVerdict,
} from "../../src/approvals/tool-policy.ts";
import type { Role } from "../../src/core/roles.ts";
import type { ToolDefinition } from "../../src/core/tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const deny = (match: string): ToolRule => ({ match, verdict: "deny" });
const allow = (match: string, more: Partial<ToolRule & { verdict: "allow" }> = {}): ToolRule => ({
  match,
  verdict: "allow",
  confirm: undefined,
  approvers: undefined,
  ...more,
});

const silent = (match: string, more: Partial<ToolRule & { verdict: "silent" }>): ToolRule => ({
  match,
  verdict: "silent",
  ...more,
});

const noArguments = { arguments: "{}" };

/** Without the hash, which says what has spoken and nothing of what may become of the call. */
const withoutHash = (verdict: ToolVerdict) => {
  if (verdict.type !== "confirm") return verdict;
  const { policy: _, ...rest } = verdict;
  return rest;
};

const policy = (...rules: ToolRule[]) => {
  const ruled = toolPolicy(rules, { approvers: "requester" });
  return (tool: string, declared: "run" | "confirm" | "each-time") =>
    withoutHash(ruled(tool, declared, noArguments));
};

/** The same for a tool `t` that wants no confirmation, by what it is given. */
const given = (...rules: ToolRule[]) => {
  const ruled = toolPolicy(rules, { approvers: "requester-or-admins" });
  return (value: unknown) => withoutHash(ruled("t", "run", { arguments: JSON.stringify(value) }));
};

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

  it("lets no one but the person agree to a fact about them, and never without being asked", () => {
    const loose = { confirm: "never", autoMs: 3_600_000 } as const;
    const facts = toolPolicy([allow("remember", loose)], { approvers: "admins", persons: 2 });
    const of = (about: string, requesterRole: Role = "member") =>
      withoutHash(
        facts("remember", "confirm", { arguments: JSON.stringify({ about }), requesterRole }),
      );
    expect(of("me")).toEqual({ type: "confirm", approvers: "requester" });
    expect(of("chat")).toEqual({ type: "confirm", approvers: "admins", persons: 2 });
    expect(of("me", "guest")).toEqual({ type: "deny" });
    expect([...possibleVerdicts([allow("*", loose)])("remember", "confirm")]).toEqual(["confirm"]);
  });

  it("makes no question unnecessary that a tool asks each time", () => {
    const loose = { confirm: "never", alwaysAllowMs: 3_600_000, autoMs: 3_600_000 } as const;
    const one = policy(deny("a.denied"), allow("a.*", loose));
    expect(one("a.b", "each-time")).toEqual({ type: "confirm", approvers: "requester" });
    expect(one("a.denied", "each-time")).toEqual({ type: "deny" });
    expect(policy()("x", "each-time")).toEqual({ type: "confirm", approvers: "requester" });
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
        expect(policy(deny(match))(name, "run").type === "deny").toBe(reference(match).test(name));
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
      expect(policy(deny("a.b"))(name, "run").type).toBe(name === "a.b" ? "deny" : "run");
  });
});

const asks = (approvers: string, more: object = {}) => ({
  type: "confirm",
  approvers,
  ...more,
});

const nested = (value: unknown): unknown =>
  Array.from({ length: 500 }).reduce((inner) => [inner], value);

describe("a rule for what a tool is given", () => {
  it("holds for calls whose arguments all match, and the next one for the others", () => {
    const one = given(
      allow("t", {
        arguments: { path: "docs/*", "options.force": "false", depth: "1" },
        confirm: "never",
      }),
      { match: "t", arguments: { path: "/etc/*" }, verdict: "deny" },
      allow("t", { confirm: "always", approvers: "admins" }),
    );
    const fits = { path: "docs/a", options: { force: false }, depth: 1 };
    expect(one(fits)).toEqual({ type: "run" });
    for (const other of [
      { ...fits, path: "src/a" },
      { ...fits, depth: 2 },
      { ...fits, options: {} },
      { ...fits, options: { force: "false", x: 1 }, depth: "10" },
      { path: "docs/a" },
      {},
    ])
      expect(one(other)).toEqual(asks("admins"));
    expect(one({ path: "/etc/passwd" })).toEqual({ type: "deny" });
  });

  it("loosens nothing of which only a part is named, and is evaded by no list", () => {
    const loose = given(
      allow("t", { arguments: { to: "*@example.org" }, confirm: "never" }),
      allow("t", { confirm: "always" }),
    );
    expect(loose({ to: ["a@example.org", "b@example.org"] })).toEqual({
      type: "run",
    });
    for (const to of [["a@example.org", "b@evil"], [["x"]], [], {}, null])
      expect(loose({ to })).toEqual(asks("requester-or-admins"));
    const strict = given(
      allow("t", { arguments: { to: "*@evil" }, confirm: "always" }),
      allow("t", { confirm: "never" }),
    );
    expect(strict({ to: ["a@example.org", "b@evil"] }).type).toBe("confirm");
    expect(strict({ to: ["a@example.org"] }).type).toBe("run");
    const denied = given({
      match: "t",
      arguments: { "files.name": "*.exe" },
      verdict: "deny",
    });
    expect(denied({ files: [{ name: "a.txt" }, { name: "b.exe" }] })).toEqual({
      type: "deny",
    });
    expect(denied({ files: [{ name: "a.txt" }] })).toEqual({ type: "run" });
  });

  it("takes the stricter of those who may decide where no one can be sure", () => {
    const one = given(
      allow("t", {
        arguments: { path: "docs/*" },
        confirm: "always",
        approvers: "requester",
      }),
      allow("t", { confirm: "always", approvers: "owners", persons: 2 }),
    );
    expect(one({ path: ["docs/a", "src/b"] })).toEqual(asks("owners", { persons: 2 }));
    expect(one({ path: ["docs/a"] })).toEqual(asks("requester"));
  });

  it.each([
    "docs/../secret",
    "docs/..",
    String.raw`docs/a\..\..\secret`,
    "docs/%2e%2E/secret",
    "docs/.%2e/secret",
    "docs/a/../../secret",
    // As readers of an address take it.
    "docs/.\t./secret",
    "docs/.\n%2E/secret",
    "docs/..?a=b",
    "docs/..#a",
    "docs/a/..;x/../secret",
    "docs/..%2fsecret",
    "docs/a%5c..%5c..%5csecret",
    "docs/.. ",
    "docs/..\u0001",
  ])("does not follow %s out of the folder that it names", (path) => {
    const one = given(allow("t", { arguments: { path: "docs/*" }, confirm: "never" }), {
      match: "t",
      verdict: "deny",
    });
    expect(one({ path })).toEqual({ type: "deny" });
    expect(one({ path: "docs/a..b/c" })).toEqual({ type: "run" });
    const watched = given({
      match: "t",
      arguments: { path: "docs/*" },
      verdict: "deny",
    });
    expect(watched({ path })).toEqual({ type: "deny" });
  });

  it("asks for what all say that may name it, where none of them is the stricter in everything", () => {
    const unsure = { path: "docs/../b" };
    const both = (
      one: Partial<ToolRule & { verdict: "allow" }>,
      other: Partial<ToolRule & { verdict: "allow" }>,
      more: object = {},
    ) => {
      const named = {
        arguments: { path: "docs/*" },
        confirm: "always",
      } as const;
      const rules = [allow("t", { ...named, ...one }), allow("t", { confirm: "always", ...other })];
      const defaults = { approvers: "members", ...more } as const;
      return withoutHash(
        toolPolicy(rules, defaults)("t", "run", {
          arguments: JSON.stringify(unsure),
        }),
      );
    };
    const owners = { approvers: "owners" } as const;
    const two = { approvers: "members", persons: 2 } as const;
    const asksTwo = asks("owners", { persons: 2 });
    expect(both(owners, two)).toEqual(asksTwo);
    expect(both(two, owners)).toEqual(asksTwo);
    const requester = { approvers: "requester" } as const;
    expect(both(requester, owners)).toEqual(asks("owners"));
    expect(both(owners, requester)).toEqual(asks("owners"));
    // One requester is not two persons.
    expect(both(requester, two)).toEqual(asks("members", { persons: 2 }));
    const usual = { alwaysAllowMs: 100 };
    expect(both({}, { alwaysAllowMs: 0 }, usual)).toEqual(asks("members"));
    expect(both({ alwaysAllowMs: 0 }, {}, usual)).toEqual(asks("members"));
    expect(both({ alwaysAllowMs: 7 }, {}, usual)).toEqual(asks("members", { alwaysAllowMs: 7 }));
    const quietHours = {
      fromMinute: 1,
      toMinute: 2,
      timezone: "UTC",
      mode: "silent",
    } as const;
    for (const [one, other] of [
      ["off", "deny"],
      ["deny", "off"],
      ["silent", "deny"],
    ] as const)
      expect(both({ quietHours: one }, { quietHours: other }, { quietHours })).toEqual(
        asks("members", { quietHours: { ...quietHours, mode: "deny" } }),
      );
  });

  it("sees no property that the arguments do not have themselves", () => {
    const one = given(allow("t", { arguments: { "toString.name": "*" }, confirm: "always" }));
    expect(one({})).toEqual({ type: "run" });
    expect(one({ toString: { name: "x" } }).type).toBe("confirm");
  });

  it("is sure of nothing that lies deeper than it looks", () => {
    const loose = given(allow("t", { arguments: { a: "*" }, confirm: "never" }), {
      match: "t",
      verdict: "deny",
    });
    expect(loose({ a: nested("x") })).toEqual({ type: "deny" });
  });

  it("never makes a policy looser than it would be without the rules that loosen", () => {
    const rank = { run: 0, confirm: 1, deny: 2 } as const;
    const path = fc.constantFrom("docs/a", "docs/../b", "src/b", 1, null);
    const value = fc.record(
      { path: fc.oneof(path, fc.array(path, { maxLength: 3 })) },
      { requiredKeys: [] },
    );
    const never = allow("t", {
      arguments: { path: "docs/*" },
      confirm: "never",
    });
    const always = allow("t", { confirm: "always" });
    fc.assert(
      fc.property(value, (call) => {
        const items = [call.path ?? []].flat();
        const isNamed =
          items.length > 0 && items.every((each) => typeof each === "string" && each === "docs/a");
        expect(rank[given(never, always)(call).type]).toBe(isNamed ? 0 : 1);
      }),
      { numRuns: 2_000 },
    );
  });
});

const hash = (rules: readonly ToolRule[], more: object = {}) => {
  const verdict = toolPolicy(rules, { approvers: "requester", ...more })(
    "t",
    "confirm",
    noArguments,
  );
  return verdict.type === "confirm" ? verdict.policy : undefined;
};

describe("how people are asked", () => {
  const hours = {
    fromMinute: 1_320,
    toMinute: 420,
    timezone: "UTC",
    mode: "silent",
  } as const;
  const defaults = {
    approvers: "requester-or-admins",
    quietHours: hours,
    alwaysAllowMs: 100,
  } as const;
  const always = (more: Partial<ToolRule & { verdict: "allow" }>) =>
    withoutHash(
      toolPolicy([allow("t", { confirm: "always", ...more })], defaults)("t", "run", noArguments),
    );

  it.each<[string, Partial<ToolRule & { verdict: "allow" }>, object]>([
    ["as is usual", {}, asks("requester-or-admins", { quietHours: hours, alwaysAllowMs: 100 })],
    [
      "two persons, neither of them for longer than once",
      { approvers: "admins", persons: 2, alwaysAllowMs: 50 },
      asks("admins", { persons: 2, quietHours: hours }),
    ],
    [
      "for as long as a rule says, and never for longer",
      { expiresAfterMs: 7, alwaysAllowMs: 0 },
      asks("requester-or-admins", { quietHours: hours, expiresAfterMs: 7 }),
    ],
    [
      "not at night",
      { quietHours: "deny" },
      asks("requester-or-admins", {
        quietHours: { ...hours, mode: "deny" },
        alwaysAllowMs: 100,
      }),
    ],
    ["at any time", { quietHours: "off" }, asks("requester-or-admins", { alwaysAllowMs: 100 })],
  ])("%s", (_, rule, expected) => {
    expect(always(rule)).toEqual(expected);
  });

  it("is what the rule's own approvers are, not how many the others would be", () => {
    const two = { approvers: "admins", persons: 2 } as const;
    const rules = [allow("one", { approvers: "owners" })];
    const ruled = toolPolicy(rules, two);
    expect(withoutHash(ruled("one", "confirm", noArguments))).toEqual(asks("owners"));
    expect(withoutHash(ruled("other", "confirm", noArguments))).toEqual(
      asks("admins", { persons: 2 }),
    );
  });

  const guests: readonly [Role | undefined, string, string][] = [
    ["guest", "requester", "admins"],
    ["guest", "requester-or-admins", "admins"],
    ["guest", "members", "members"],
    ["guest", "owners", "owners"],
    ["member", "requester", "requester"],
    [undefined, "requester", "requester"],
  ];
  it.each(guests)("of a %s where %s decide: %s", (requesterRole, approvers, expected) => {
    const ruled = toolPolicy([], {
      approvers: approvers as "requester" | "owners",
    });
    expect(ruled("t", "confirm", { ...noArguments, requesterRole })).toMatchObject({
      approvers: expected,
    });
  });

  it("is told apart by a short hash of what has spoken", () => {
    const rule = allow("t", { confirm: "always" });
    expect(hash([rule])).toMatch(/^[\w-]{12}$/);
    expect(hash([rule])).toBe(hash([deny("other"), { ...rule }]));
    const others = [
      hash([]),
      hash([rule]),
      hash([allow("t", { confirm: "always", approvers: "admins" })]),
      hash([allow("*", { confirm: "always" })]),
      hash([rule], { alwaysAllowMs: 1 }),
    ];
    expect(new Set(others).size).toBe(others.length);
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
    const rules = [deny("*"), allow("jobs.*"), silent("mail.*", { loop: false })];
    expect(withRules(rules)(tool)).toBe(tool);
  });

  it.each<[string, ToolDefinition["loop"], ToolDefinition["loop"], unknown]>([
    ["off", undefined, false, false],
    ["off, whatever it says", numbers, false, false],
    ["numbers", undefined, numbers, numbers],
    ["numbers, where it wanted none", false, { sameCall: 4 }, { sameCall: 4 }],
    ["one number of two", numbers, { sameCall: 4 }, { ...numbers, sameCall: 4 }],
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
