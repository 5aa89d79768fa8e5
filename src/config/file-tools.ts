import { z } from "zod";
import type { ApproverPolicy } from "../core/approval.ts";
import { askingOf, askingProblems, askingShape, quietRule } from "./file-approvals.ts";
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
import type { SystemUser } from "./system-user.ts";
import { withoutUndefined } from "./without-undefined.ts";

/** How often a call may come before it counts as a loop, as `turn.loop` counts; `false`: never. */
type LoopRule = false | { readonly sameCall?: number; readonly sameTool?: number };

/**
 * The calls that a rule matches: tool names (`*` matches anything), and
 * patterns for arguments by their dot paths.
 */
type Named = {
  readonly match: string;
  readonly arguments?: Readonly<Record<string, string>>;
};

/**
 * The operator's rule for the calls that it matches. The first matching rule that is not `silent`
 * decides what may run; the first one that matches the tool and has `loop` or `history` sets that.
 */
export type ToolRule =
  | (Named & { readonly verdict: "deny" })
  | (Named & {
      readonly verdict: "allow";
      /** Undefined: as the tool declares. */
      readonly confirm: "never" | "always" | undefined;
      /** Undefined: `approvals.approvers` applies. */
      readonly approvers: ApproverPolicy | undefined;
      readonly persons?: 1 | 2;
      /** Absent: the value of `approvals` applies; the same for the next two. */
      readonly expiresAfterMs?: number;
      /** 0: no standing permission may be given. */
      readonly alwaysAllowMs?: number;
      /** Absent: the permission mode `auto` doesn't apply. */
      readonly autoMs?: number;
      readonly quietHours?: z.output<typeof quietRule>;
    } & Overrides)
  /** Says nothing about what may run. */
  | ({ readonly match: string; readonly verdict: "silent" } & Overrides);

/** Overrides of a tool's own declarations. */
type Overrides = {
  readonly loop?: LoopRule;
  readonly history?: (typeof historyClasses)[number];
};

const pattern = leaf("a tool's name such as files.read_*", (value) =>
  typeof value === "string" && /^[A-Za-z0-9_.*-]+$/.test(value) ? { value } : undefined,
);

const historyClasses = ["state", "action", "keep"] as const;

const loopRule = orOff(
  section({ sameCall: repeats.optional(), sameTool: repeats.optional() }),
  "off, or a mapping with sameCall and sameTool",
);

const loopRuleOf = (given: z.output<typeof loopRule>): LoopRule =>
  given === "off" ? false : withoutUndefined(given);

const argumentPatterns = named(looseText, {
  pattern: /^[^.\s]+(?:\.[^.\s]+)*$/,
  expected: "an argument's name, or a path such as options.force",
}).refine((patterns) => Object.keys(patterns).length > 0, {
  error: "expected at least one argument",
});

/** How long the permission mode `auto` holds for a rule that says just `allowed`. */
const usualAutoMs = 3_600_000;

const auto = leaf("allowed, or a duration such as 4h", (value) => {
  if (value === "allowed") return { value: usualAutoMs };
  const parsed = durationMs.safeParse(value);
  return parsed.success ? { value: parsed.data } : undefined;
});

/** Keys that say how a tool's calls are treated, which is not for single calls. */
const ofWholeTools = ["loop", "history"] as const;
/** Keys that say how people are asked. */
const ofAsking = [
  "approvers",
  "persons",
  "expiresAfter",
  "alwaysAllow",
  "auto",
  "quietHours",
] as const;

export const noAutoForTwo =
  "expected no auto: a call that two persons must approve always asks them";

export const ruleSection = section({
  match: pattern,
  arguments: argumentPatterns.optional(),
  confirm: oneOf("never", "always").optional(),
  ...askingShape,
  auto: auto.optional(),
  quietHours: quietRule.optional(),
  deny: flag.default(false),
  loop: loopRule.optional(),
  history: oneOf(...historyClasses).optional(),
})
  .superRefine((rule, issues) => {
    askingProblems(rule, issues);
    const has = (...keys: readonly (keyof typeof rule)[]): boolean =>
      keys.some((key) => rule[key] !== undefined);
    const complain = (message: string): void => issues.addIssue({ code: "custom", message });
    if (rule.deny && has("confirm", ...ofAsking, ...ofWholeTools))
      complain(
        `expected either deny: true or any of confirm, ${ofAsking.join(", ")}, loop and history, not both`,
      );
    if (rule.confirm === "never" && has(...ofAsking))
      complain(`expected none of ${ofAsking.join(", ")} beside confirm: never, which asks nobody`);
    if (has("auto") && (rule.persons === 2 || rule.approvers === "two-persons"))
      issues.addIssue({ code: "custom", path: ["auto"], message: noAutoForTwo });
    if (has("arguments") && has(...ofWholeTools))
      complain("expected no loop or history with arguments: loop and history apply to every call");
  })
  .transform((given): ToolRule => {
    const { match, arguments: patterns, deny, confirm, auto: autoMs, quietHours } = given;
    const call = { match, ...(patterns && { arguments: patterns }) };
    if (deny) return { ...call, verdict: "deny" };
    const overrides: Overrides = withoutUndefined({
      loop: given.loop && loopRuleOf(given.loop),
      history: given.history,
    });
    const saysNothing = [confirm, ...ofAsking.map((key) => given[key])].every(
      (said) => said === undefined,
    );
    if (saysNothing && Object.keys(overrides).length > 0)
      return { match, verdict: "silent", ...overrides };
    return {
      ...call,
      verdict: "allow",
      confirm,
      ...askingOf(given),
      ...withoutUndefined({ autoMs, quietHours }),
      ...overrides,
    };
  });

/**
 * @template User `string`: as the operator names them; they are looked up where the process's role
 * is known.
 */
export type McpServerSettings<User = SystemUser> = {
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number;
  /** Whether the server's own annotations count. */
  readonly trusted: boolean;
  /** How a server's form is handled: not offered, or answered with its own defaults. */
  readonly elicitation: "off" | "defaults";
} & (
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly arguments: readonly string[];
      /** Added to a minimal environment. */
      readonly environment: Readonly<Record<string, string>>;
      /** Who the program runs as; absent: the same user as Parley. */
      readonly user?: User;
    }
  | {
      readonly transport: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
);

const userName = leaf("a user's name or number", (value) =>
  (typeof value === "string" && value !== "") || typeof value === "number"
    ? { value: String(value) }
    : undefined,
);

const server = section({
  command: text.optional(),
  user: userName.optional(),
  args: z.array(looseText, { error: () => "expected a list of texts" }).optional(),
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
}).transform((given, context): McpServerSettings<string> => {
  const { command, args, env, user, url, headers } = given;
  const { timeout, trusted, elicitation } = given;
  const common = { timeoutMs: timeout, trusted, elicitation };
  if (command !== undefined && url === undefined && headers === undefined)
    return {
      ...common,
      transport: "stdio",
      command,
      arguments: args ?? [],
      environment: env ?? {},
      ...(user === undefined ? {} : { user }),
    };
  if (url !== undefined && !(command ?? args ?? env ?? user))
    return { ...common, transport: "http", url, headers: headers ?? {} };
  context.addIssue({
    code: "custom",
    message: "expected either command (with args and env) or url (with headers)",
  });
  return z.NEVER;
});

export const serversSection = named(server, {
  pattern: /^[A-Za-z0-9_-]+$/,
  expected: "a server's name of letters, digits, - and _",
});

/** Who searches the web; absent: no one, and the tool isn't offered. */
export const webSearchSection = section({
  provider: oneOf("searxng", "brave", "tavily"),
  url: httpUrl.optional(),
  apiKey: leaf("a key of letters, digits and signs, without spaces", (value) =>
    typeof value === "string" && /^[!-~]+$/.test(value) ? { value } : undefined,
  ).optional(),
})
  .superRefine(({ provider, url, apiKey }, issues) => {
    const complain = (key: string, message: string): void =>
      issues.addIssue({ code: "custom", path: [key], message });
    if (url !== undefined && /[@?#]/.test(url))
      complain("url", "expected an address without a login, a query and a fragment");
    if (provider !== "searxng") return;
    if (url === undefined)
      complain("url", "expected the address of your SearXNG, such as http://127.0.0.1:8888");
    if (apiKey !== undefined) complain("apiKey", "expected none: SearXNG takes no key");
  })
  .optional();
