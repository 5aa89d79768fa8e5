import { z } from "zod";
import { approverPolicies } from "../core/approval.ts";
import {
  durationMs,
  flag,
  httpUrl,
  leaf,
  looseText,
  named,
  oneOf,
  section,
  text,
} from "./leaves.ts";

export type ApproverPolicy = (typeof approverPolicies)[number];

/** What the operator rules for the tools whose name matches `match` (`*` stands for anything); the first match wins. */
export type ToolRule =
  | { readonly match: string; readonly verdict: "deny" }
  | {
      readonly match: string;
      readonly verdict: "allow";
      /** Undefined: as the tool declares. */
      readonly confirm: "never" | "always" | undefined;
      /** Undefined: as `approvals.approvers` says. */
      readonly approvers: ApproverPolicy | undefined;
    };

const pattern = leaf("a tool's name such as files.read_*", (value) =>
  typeof value === "string" && /^[A-Za-z0-9_.*-]+$/.test(value)
    ? { value }
    : undefined,
);

export const ruleSection = section({
  match: pattern,
  confirm: oneOf("never", "always").optional(),
  approvers: oneOf(...approverPolicies).optional(),
  deny: flag.default(false),
})
  .refine(
    (rule) =>
      !rule.deny ||
      (rule.confirm === undefined && rule.approvers === undefined),
    "expected either deny: true or confirm and approvers, not both",
  )
  .transform(({ match, deny, confirm, approvers }): ToolRule =>
    deny
      ? { match, verdict: "deny" }
      : { match, verdict: "allow", confirm, approvers },
  );

export type McpServerSettings = {
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number;
  /** Whether the server's own annotations count. */
  readonly trusted: boolean;
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
}).transform((given, context): McpServerSettings => {
  const { command, args, env, url, headers, timeout, trusted } = given;
  const common = { timeoutMs: timeout, trusted };
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
