import type { Approval } from "../core/approval.ts";
import type { Tool } from "../core/tool.ts";

/** What the operator declares of a tool otherwise than it does itself. */
type Overrides = {
  /** The numbers that it names go before the tool's own; `false`: the tool is never part of a loop. */
  readonly loop?: NonNullable<Tool["loop"]>;
  readonly history?: Tool["history"];
};

/** The operator's rule for tools whose name matches; `*` stands for anything. */
export type ToolRule =
  | { readonly match: string; readonly verdict: "deny" }
  | ({
      readonly match: string;
      readonly verdict: "allow";
      readonly confirm: "never" | "always" | undefined;
      readonly approvers: Approval["approvers"] | undefined;
    } & Overrides)
  /** Says nothing about what may run. */
  | ({ readonly match: string; readonly verdict: "silent" } & Overrides);

export type ToolVerdict =
  | { readonly type: "run" }
  | { readonly type: "confirm"; readonly approvers: Approval["approvers"] }
  | { readonly type: "deny" };

/**
 * What may become of a call. The first rule that matches and is not silent wins; without one the tool's own declaration
 * counts. Pure.
 * @param approvers who decides where no rule says so.
 */
export function toolPolicy(
  rules: readonly ToolRule[],
  approvers: Approval["approvers"],
) {
  const deciding = compiled(rules.filter((rule) => rule.verdict !== "silent"));
  return (tool: string, declared: "run" | "confirm"): ToolVerdict => {
    const rule = deciding.find(({ matches }) => matches(tool))?.rule;
    if (rule?.verdict === "deny") return { type: "deny" };
    const confirm =
      rule?.confirm ?? (declared === "confirm" ? "always" : "never");
    return confirm === "always"
      ? { type: "confirm", approvers: rule?.approvers ?? approvers }
      : { type: "run" };
  };
}

/**
 * A tool as the operator's rules declare it. Of `loop` and of `history`, each by itself, the first rule that matches and
 * has it counts, whether or not it is the one that decides what may run. Pure.
 */
export function withRules(rules: readonly ToolRule[]): (tool: Tool) => Tool {
  const overriding = compiled(rules.filter((rule) => rule.verdict !== "deny"));
  return (tool) => {
    const matching = overriding
      .filter(({ matches }) => matches(tool.name))
      .map(({ rule }) => rule);
    const loop = matching.find((rule) => rule.loop !== undefined)?.loop;
    const history = matching.find((rule) => rule.history)?.history;
    if (loop === undefined && history === undefined) return tool;
    return {
      ...tool,
      ...(history === undefined ? {} : { history }),
      ...(loop === undefined ? {} : { loop: merged(tool.loop, loop) }),
    };
  };
}

const merged = (
  own: Tool["loop"],
  given: NonNullable<Tool["loop"]>,
): NonNullable<Tool["loop"]> =>
  given === false || own === false ? given : { ...own, ...given };

const compiled = <Rule extends ToolRule>(rules: readonly Rule[]) =>
  rules.map((rule) => ({ rule, matches: matcher(rule.match) }));

/** Plain text with `*`, matched without backtracking: each part is looked for behind the one before. */
function matcher(pattern: string): (name: string) => boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  return (name) => {
    if (last === undefined) return name === first;
    if (
      !name.startsWith(first) ||
      name.length < first.length + last.length ||
      !name.endsWith(last)
    )
      return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > name.length - last.length)
        return false;
      at = found + part.length;
    }
    return true;
  };
}
