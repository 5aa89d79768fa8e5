import { createHash } from "node:crypto";
import { isAsStrict, type ApproverPolicy, type Asking } from "../core/approval.ts";
import type { Role } from "../core/roles.ts";
import { rememberTool, type Declared, type Tool } from "../core/tool.ts";
import { argumentsMatcher, type Match } from "./argument-patterns.ts";
import type { AskingDefaults, RuledAsking, ToolRule } from "./tool-rule.ts";
import { wildcards } from "../text/wildcards.ts";

export type { ToolRule } from "./tool-rule.ts";

export type ToolVerdict =
  { readonly type: "run" } | ({ readonly type: "confirm" } & Asking) | { readonly type: "deny" };

/** The properties of a call that count besides its tool. */
interface RuledCall {
  /** Canonical JSON of what the tool would get. */
  readonly arguments: string;
  /** Undefined: not recorded. */
  readonly requesterRole?: Role | undefined;
}

type Deciding = Exclude<ToolRule, { verdict: "silent" }>;

interface Compiled {
  readonly rule: Deciding | undefined;
  readonly matchesName: (tool: string) => boolean;
  /** Undefined: any arguments. */
  readonly matchesArguments: ((given: unknown) => Match) | undefined;
  /** How the approvers are asked. */
  readonly asking: Asking;
}

/**
 * What may happen to a call. The first rule that names it and sets something
 * wins; without one, the tool's own declaration applies. If it is uncertain
 * whether a rule names a call, the stricter of that rule and the rules below it
 * applies, so that nothing unnamed is loosened and no rule can be evaded. Pure.
 * @param defaults how people are asked if no rule says otherwise.
 */
export function toolPolicy(rules: readonly ToolRule[], defaults: AskingDefaults) {
  const deciding = rules.flatMap((rule) =>
    rule.verdict === "silent" ? [] : [compiled(rule, defaults)],
  );
  const unruled = askingOf(undefined, defaults);
  return (tool: string, declared: Declared, call: RuledCall): ToolVerdict => {
    const isFact = tool === rememberTool;
    const named = namedOf(deciding, tool);
    // Most rules are about tools alone.
    let parsed: { readonly given: unknown } | undefined;
    const given = (): unknown => (parsed ??= { given: JSON.parse(call.arguments) }).given;
    const from = (index: number): ToolVerdict => {
      const next = named[index];
      if (next === undefined)
        return verdictOf(
          { rule: undefined, asking: isFact ? withoutAuto(unruled) : unruled },
          declared,
          call.requesterRole,
        );
      const match = next.matchesArguments?.(given()) ?? "yes";
      if (match === "no") return from(index + 1);
      const own = verdictOf(next, declared, call.requesterRole);
      return match === "yes" ? own : stricter(own, from(index + 1));
    };
    const verdict = from(0);
    return isFact && isAboutMe(given()) ? ownConsent(verdict, call.requesterRole) : verdict;
  };
}

/** The rules that match a tool, as they apply to it: none makes it unnecessary to ask for a fact. */
const namedOf = (rules: readonly Compiled[], tool: string): readonly Compiled[] =>
  rules
    .filter(({ matchesName }) => matchesName(tool))
    .map((each) =>
      tool === rememberTool && each.rule?.verdict === "allow"
        ? { ...each, rule: { ...each.rule, confirm: "always" }, asking: withoutAuto(each.asking) }
        : each,
    );

function withoutAuto(asking: Asking): Asking {
  const { autoMs: _, ...rest } = asking;
  return rest;
}

const isAboutMe = (given: unknown): boolean =>
  typeof given === "object" && given !== null && "about" in given && given.about === "me";

/** No one else agrees to a fact about a person; guests, who decide nothing, have none. */
function ownConsent(verdict: ToolVerdict, requesterRole: Role | undefined): ToolVerdict {
  if (verdict.type !== "confirm") return verdict;
  if (requesterRole === "guest") return { type: "deny" };
  const { persons: _, ...asking } = verdict;
  return { ...asking, approvers: "requester" };
}

function verdictOf(
  { rule, asking }: Pick<Compiled, "rule" | "asking">,
  declared: Declared,
  requesterRole: Role | undefined,
): ToolVerdict {
  if (rule?.verdict === "deny") return { type: "deny" };
  if (declared === "each-time") {
    const { alwaysAllowMs: _, autoMs: __, ...eachTime } = asking;
    return asked(eachTime, requesterRole);
  }
  const confirm = rule?.confirm ?? (declared === "confirm" ? "always" : "never");
  return confirm === "always" ? asked(asking, requesterRole) : { type: "run" };
}

/**
 * Guests decide nothing: where they would, a person with more rights has to.
 */
function asked(asking: Asking, requesterRole: Role | undefined): ToolVerdict & { type: "confirm" } {
  const byRequester: readonly ApproverPolicy[] = ["requester", "requester-or-admins"];
  return requesterRole === "guest" && byRequester.includes(asking.approvers)
    ? { type: "confirm", ...asking, approvers: "admins" }
    : { type: "confirm", ...asking };
}

function stricter(one: ToolVerdict, other: ToolVerdict): ToolVerdict {
  if (one.type === "deny" || other.type === "run") return one;
  if (other.type === "deny" || one.type === "run") return other;
  return { type: "confirm", ...askingOfBoth(one, other) };
}

/**
 * Combines two requirements: the smaller set, the larger number of people, the shorter permission.
 */
function askingOfBoth(one: Asking, other: Asking): Asking {
  const [strict, loose] = isSmallerSet(one, other) ? [one, other] : [other, one];
  const isTwo = one.persons === 2 || other.persons === 2;
  // There is only one requester: if two people are needed, the other rule's set applies.
  const { approvers } = isTwo && strict.approvers === "requester" ? loose : strict;
  const { persons: _, quietHours, alwaysAllowMs = 0, autoMs = 0, ...rest } = strict;
  const quiet =
    loose.quietHours?.mode === "deny" ? loose.quietHours : (quietHours ?? loose.quietHours);
  const allowMs = Math.min(alwaysAllowMs, loose.alwaysAllowMs ?? 0);
  const bothAutoMs = Math.min(autoMs, loose.autoMs ?? 0);
  return {
    ...rest,
    approvers,
    ...(isTwo ? { persons: 2 } : {}),
    ...(quiet === undefined ? {} : { quietHours: quiet }),
    ...(allowMs > 0 && !isTwo ? { alwaysAllowMs: allowMs } : {}),
    ...(bothAutoMs > 0 && !isTwo ? { autoMs: bothAutoMs } : {}),
  };
}

/**
 * If neither set contains the other, the requester alone is the weaker one:
 * they wrote what is being asked about.
 */
function isSmallerSet({ approvers: one }: Asking, { approvers: other }: Asking): boolean {
  return isHeld(one, other) || (other === "requester" && !isHeld(other, one));
}

const isHeld = (asked: ApproverPolicy, needed: ApproverPolicy): boolean =>
  isAsStrict({ approvers: asked }, { approvers: needed });

function compiled(rule: Deciding, defaults: AskingDefaults): Compiled {
  return {
    rule,
    matchesName: wildcards(rule.match),
    matchesArguments: rule.arguments && argumentsMatcher(rule.arguments),
    asking: askingOf(rule, defaults),
  };
}

function askingOf(rule: Deciding | undefined, defaults: AskingDefaults): Asking {
  const ruled: RuledAsking = rule?.verdict === "allow" ? rule : { approvers: undefined };
  const { approvers, expiresAfterMs, quietHours } = ruled;
  const who = approvers === undefined ? defaults : ruled;
  const isTwo = who.persons === 2;
  // One person can't permit what two must approve.
  const alwaysAllowMs = isTwo ? 0 : (ruled.alwaysAllowMs ?? defaults.alwaysAllowMs ?? 0);
  const autoMs = isTwo ? 0 : (ruled.autoMs ?? 0);
  const quiet =
    quietHours === "off" || defaults.quietHours === undefined
      ? {}
      : {
          quietHours: {
            ...defaults.quietHours,
            mode: quietHours ?? defaults.quietHours.mode,
          },
        };
  return {
    approvers: approvers ?? defaults.approvers,
    ...(isTwo ? { persons: 2 } : {}),
    policy: hashOf(rule, defaults),
    ...(expiresAfterMs === undefined ? {} : { expiresAfterMs }),
    ...quiet,
    ...(alwaysAllowMs > 0 ? { alwaysAllowMs } : {}),
    ...(autoMs > 0 ? { autoMs } : {}),
  };
}

/** Length of a policy's hash, unique within a deployment. Characters. */
const hashLength = 12;

const hashOf = (rule: Deciding | undefined, defaults: AskingDefaults): string =>
  createHash("sha256")
    .update(JSON.stringify([rule ?? null, defaults]))
    .digest("base64url")
    .slice(0, hashLength);

/** The longest time for which a rule allows the permission mode `auto`; 0: none does. Pure. */
export const longestAutoMs = (rules: readonly ToolRule[]): number =>
  Math.max(0, ...rules.map((rule) => (rule.verdict === "allow" ? (rule.autoMs ?? 0) : 0)));

/** The possible outcomes for a tool's calls, for any arguments. Pure. */
export function possibleVerdicts(rules: readonly ToolRule[]) {
  const deciding = rules.flatMap((rule) =>
    rule.verdict === "silent" ? [] : [compiled(rule, { approvers: "requester-or-admins" })],
  );
  return (tool: string, declared: "run" | "confirm"): ReadonlySet<ToolVerdict["type"]> => {
    const found = new Set<ToolVerdict["type"]>();
    for (const each of namedOf(deciding, tool)) {
      found.add(verdictOf(each, declared, undefined).type);
      if (each.matchesArguments === undefined) return found;
    }
    return found.add(declared);
  };
}

/**
 * A tool as the operator's rules declare it. Of `loop` and of `history`, each by itself, the first
 * rule that matches and has it counts, whether or not it is the one that decides what may run.
 * Pure.
 */
export function withRules(rules: readonly ToolRule[]): (tool: Tool) => Tool {
  const overriding = rules.flatMap((rule) =>
    rule.verdict === "deny" ? [] : [{ rule, matches: wildcards(rule.match) }],
  );
  return (tool) => {
    const matching = overriding.filter(({ matches }) => matches(tool.name)).map(({ rule }) => rule);
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

const merged = (own: Tool["loop"], given: NonNullable<Tool["loop"]>): NonNullable<Tool["loop"]> =>
  given === false || own === false ? given : { ...own, ...given };
