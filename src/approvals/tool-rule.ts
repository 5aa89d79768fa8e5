import type { ApproverPolicy } from "../core/approval.ts";
import type { QuietHours } from "../core/quiet-hours.ts";
import type { Tool } from "../core/tool.ts";
import type { ArgumentPatterns } from "./argument-patterns.ts";

/** The operator's overrides of a tool's own declarations. */
type Overrides = {
  /** Its numbers override the tool's own; `false`: the tool is never part of a loop. */
  readonly loop?: NonNullable<Tool["loop"]>;
  readonly history?: Tool["history"];
};

/** The calls that a rule matches. */
interface Named {
  /** Tool names; `*` matches anything. */
  readonly match: string;
  /** Absent: any arguments. */
  readonly arguments?: ArgumentPatterns;
}

/** How a rule's approvers are asked, as far as the rule says so. */
export interface RuledAsking {
  readonly approvers: ApproverPolicy | undefined;
  /** How many of them have to approve; only valid together with `approvers`. */
  readonly persons?: 1 | 2;
  readonly expiresAfterMs?: number;
  /** 0: no standing permission may be given. */
  readonly alwaysAllowMs?: number;
  /** How long the permission mode `auto` may replace the approval; absent: never. */
  readonly autoMs?: number;
  readonly quietHours?: QuietHours["mode"] | "off";
}

/** The operator's rule for calls. */
export type ToolRule =
  | (Named & { readonly verdict: "deny" })
  | (Named & {
      readonly verdict: "allow";
      readonly confirm: "never" | "always" | undefined;
    } & RuledAsking &
      Overrides)
  /** Says nothing about what may run. */
  | ({ readonly match: string; readonly verdict: "silent" } & Overrides);

/** How approvers are asked if no rule says otherwise. */
export interface AskingDefaults {
  readonly approvers: ApproverPolicy;
  readonly persons?: 1 | 2 | undefined;
  readonly quietHours?: QuietHours | undefined;
  readonly alwaysAllowMs?: number | undefined;
}
