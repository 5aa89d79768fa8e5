import type { Approval } from "../core/approval.ts";

/** The operator's rule for tools whose name matches; `*` stands for anything. */
export type ToolRule =
  | { readonly match: string; readonly verdict: "deny" }
  | {
      readonly match: string;
      readonly verdict: "allow";
      readonly confirm: "never" | "always" | undefined;
      readonly approvers: Approval["approvers"] | undefined;
    };

export type ToolVerdict =
  | { readonly type: "run" }
  | { readonly type: "confirm"; readonly approvers: Approval["approvers"] }
  | { readonly type: "deny" };

/**
 * What may become of a call. The first rule that matches wins; without one the tool's own declaration counts. Pure.
 * @param approvers who decides where no rule says so.
 */
export function toolPolicy(
  rules: readonly ToolRule[],
  approvers: Approval["approvers"],
) {
  const compiled = rules.map((rule) => ({
    rule,
    matches: matcher(rule.match),
  }));
  return (tool: string, declared: "run" | "confirm"): ToolVerdict => {
    const rule = compiled.find(({ matches }) => matches(tool))?.rule;
    if (rule?.verdict === "deny") return { type: "deny" };
    const confirm =
      rule?.confirm ?? (declared === "confirm" ? "always" : "never");
    return confirm === "always"
      ? { type: "confirm", approvers: rule?.approvers ?? approvers }
      : { type: "run" };
  };
}

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
