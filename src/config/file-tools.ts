import { z } from "zod";
import { approverPolicies } from "../core/approval.ts";
import { repeats } from "./file-turn.ts";
import {
  durationMs,
  flag,
  httpUrl,
  leaf,
  looseText,
  named,
  oneOf,
  orOff,
  section,
  text,
} from "./leaves.ts";
import { withoutUndefined } from "./without-undefined.ts";

export type ApproverPolicy = (typeof approverPolicies)[number];

/** How often a call may come before it counts as a loop, as `turn.loop` counts; `false`: never. */
type LoopRule =
  false | { readonly sameCall?: number; readonly sameTool?: number };

/**
 * What the operator rules for the tools whose name matches `match` (`*` stands for anything). The first rule that
 * matches and is not `silent` decides what may run; of `loop` and of `history` the first one that matches and has it.
 */
export type ToolRule =
  | { readonly match: string; readonly verdict: "deny" }
  | ({
      readonly match: string;
      readonly verdict: "allow";
      /** Undefined: as the tool declares. */
      readonly confirm: "never" | "always" | undefined;
      /** Undefined: as `approvals.approvers` says. */
      readonly approvers: ApproverPolicy | undefined;
    } & Overrides)
  /** Says nothing about what may run. */
  | ({ readonly match: string; readonly verdict: "silent" } & Overrides);

/** What is declared of a tool otherwise than it does itself. */
type Overrides = {
  readonly loop?: LoopRule;
  readonly history?: (typeof historyClasses)[number];
};

const pattern = leaf("a tool's name such as files.read_*", (value) =>
  typeof value === "string" && /^[A-Za-z0-9_.*-]+$/.test(value)
    ? { value }
    : undefined,
);

const historyClasses = ["state", "action", "keep"] as const;

const loopRule = orOff(
  section({ sameCall: repeats.optional(), sameTool: repeats.optional() }),
  "off, or a mapping with sameCall and sameTool",
);

const loopRuleOf = (given: z.output<typeof loopRule>): LoopRule =>
  given === "off" ? false : withoutUndefined(given);

export const ruleSection = section({
  match: pattern,
  confirm: oneOf("never", "always").optional(),
  approvers: oneOf(...approverPolicies).optional(),
  deny: flag.default(false),
  loop: loopRule.optional(),
  history: oneOf(...historyClasses).optional(),
})
  .refine(
    ({ deny, confirm, approvers, loop, history }) =>
      !deny || (confirm ?? approvers ?? loop ?? history) === undefined,
    "expected either deny: true or any of confirm, approvers, loop and history, not both",
  )
  .transform(({ match, deny, confirm, approvers, ...given }): ToolRule => {
    if (deny) return { match, verdict: "deny" };
    const overrides: Overrides = withoutUndefined({
      loop: given.loop && loopRuleOf(given.loop),
      history: given.history,
    });
    const saysNothing = confirm === undefined && approvers === undefined;
    return saysNothing && Object.keys(overrides).length > 0
      ? { match, verdict: "silent", ...overrides }
      : { match, verdict: "allow", confirm, approvers, ...overrides };
  });

export type McpServerSettings = {
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number;
  /** Whether the server's own annotations count. */
  readonly trusted: boolean;
  /** What becomes of a form that the server wants filled: not offered, or answered with the form's own defaults. */
  readonly elicitation: "off" | "defaults";
} & (
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly arguments: readonly string[];
      /** Added to a minimal environment. */
      readonly environment: Readonly<Record<string, string>>;
    }
  | {
      readonly transport: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
);

const server = section({
  command: text.optional(),
  args: z
    .array(looseText, { error: () => "expected a list of texts" })
    .optional(),
  env: named(looseText, {
    pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
    expected: "a name such as API_KEY",
  }).optional(),
  url: httpUrl.optional(),
  headers: named(looseText, {
    pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    expected: "an HTTP header's name",
  }).optional(),
  timeout: durationMs.default(60_000),
  trusted: flag.default(false),
  elicitation: oneOf("off", "defaults").default("off"),
}).transform((given, context): McpServerSettings => {
  const { command, args, env, url, headers, timeout, trusted, elicitation } =
    given;
  const common = { timeoutMs: timeout, trusted, elicitation };
  if (command !== undefined && url === undefined && headers === undefined)
    return {
      ...common,
      transport: "stdio",
      command,
      arguments: args ?? [],
      environment: env ?? {},
    };
  if (url !== undefined && !(command ?? args ?? env))
    return { ...common, transport: "http", url, headers: headers ?? {} };
  context.addIssue({
    code: "custom",
    message:
      "expected either command (with args and env) or url (with headers)",
  });
  return z.NEVER;
});

export const serversSection = named(server, {
  pattern: /^[A-Za-z0-9_-]+$/,
  expected: "a server's name of letters, digits, - and _",
});
