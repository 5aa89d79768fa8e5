import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Approval, Asking } from "../../core/approval.ts";
import { messageOf } from "../../core/errors.ts";
import type { CallRequest, FailureKind } from "../../core/history.ts";
import type { Role } from "../../core/roles.ts";
import type { Conversation, Declared, Tool } from "../../core/tool.ts";
import type { Call } from "../../core/turn.ts";
import type { TurnPersona } from "../../core/turn-persona.ts";
import { wellFormed } from "../../models/well-formed.ts";
import { parseJsonObject } from "../../text/json-object.ts";
import { findTools } from "../../tools/find-tools.ts";
import { notOfPersona, syntheticResult } from "../sentences.ts";
import type { Narrowing } from "../narrowing.ts";
import type { Toolbox } from "./toolbox.ts";

/** The operator's word on one call; a denial beats everything. */
export type Verdict =
  | { readonly type: "run" }
  | ({ readonly type: "confirm" } & Asking)
  /** `persona`: the name of the one that doesn't have the tool. */
  | { readonly type: "deny"; readonly persona?: string | undefined };

/**
 * Asked when a call is proposed and again when it is claimed.
 */
export type ToolPolicy = (
  tool: string,
  declared: Declared,
  call: {
    /** Canonical JSON of what the tool would get. */
    readonly arguments: string;
    /** The requester's role when they asked; undefined if not recorded. */
    readonly requesterRole?: Role | undefined;
  },
) => Verdict;

/** The policy as it is for one requester, asked with the canonical arguments. */
export type Ruling = (tool: string, declared: Declared, canonical: string) => Verdict;

/** A tool that the turn's persona doesn't have is denied, whatever the policy says of it. */
export const rulingFor =
  (
    policy: ToolPolicy,
    {
      state: { role, persona },
      narrowing,
    }: {
      readonly state: {
        readonly role?: Role | undefined;
        readonly persona?: Pick<TurnPersona, "name"> | undefined;
      };
      readonly narrowing?: Pick<Narrowing, "allowsTool"> | undefined;
    },
  ): Ruling =>
  (tool, declared, canonical) =>
    narrowing?.allowsTool(tool) === false
      ? { type: "deny", persona: persona?.name }
      : policy(tool, declared, { arguments: canonical, requesterRole: role });

/** A call whose arguments were read and judged. */
export type PreparedCall =
  | {
      readonly type: "ready";
      readonly tool: Tool;
      readonly given: unknown;
      /** Canonical JSON of what the tool will get. */
      readonly canonical: string;
      readonly digest: string;
      readonly verdict: Exclude<Verdict, { type: "deny" }>;
    }
  | {
      readonly type: "failed";
      readonly failure: FailureKind;
      readonly text: string;
    };

/** Characters of a complaint about arguments that go back to the model. */
const maxDetailLength = 2_000;
/**
 * Characters of arguments that a person is asked about: they are shown whole, in messages of a few
 * thousand each.
 */
const maxAskedLength = 50_000;
/** Characters of broken arguments that are quoted to the model. */
const maxQuotedLength = 500;

/**
 * Reads a call as the model wrote it: arguments are validated before anything is asked of a person.
 * Pure; never throws, whatever the model wrote and whatever the tool's own schema and `confirm`
 * make of it.
 */
export function prepareCall(request: CallRequest, toolbox: Toolbox, ruling: Ruling): PreparedCall {
  const tool = toolbox.find(request.name);
  if (!tool)
    return {
      type: "failed",
      failure: "unknown-tool",
      text: unknownTool(request.name, toolbox),
    };
  const read = readArguments(tool, request.arguments);
  if (read.type === "failed") return read;
  const { given, canonical } = read;
  const digest = createHash("sha256")
    .update(`${toolIdentity(tool)}\n${canonical}`)
    .digest("base64url");
  const verdict = ruling(
    tool.name,
    declaredBy(tool, given, toolbox.conversationFor?.(request.name)),
    canonical,
  );
  if (verdict.type === "deny") {
    return {
      type: "failed",
      failure: "policy-denied",
      text:
        verdict.persona === undefined
          ? syntheticResult("policy-denied")
          : notOfPersona(verdict.persona),
    };
  }
  const { length } = canonical;
  if (verdict.type === "confirm" && length > maxAskedLength)
    return invalid(
      `the arguments are too long for a person to approve: ${length} characters, at most ${maxAskedLength}. Make several smaller calls.`,
    );
  return {
    type: "ready",
    tool,
    given,
    canonical,
    digest,
    verdict,
  };
}

/** A name cannot hold "@": no other tool has the same identity. */
const toolIdentity = ({ name, version }: Tool): string =>
  version === undefined ? name : `${name}@${version}`;

type Failed = PreparedCall & { type: "failed" };

function readArguments(
  tool: Tool,
  text: string,
): Failed | { type: "read"; given: unknown; canonical: string } {
  const raw = parseJsonObject(text.trim() === "" ? "{}" : text);
  if (raw === undefined)
    return invalid(
      `the arguments are not a valid JSON object. You wrote: ${text.slice(0, maxQuotedLength)}`,
    );
  try {
    // Half a surrogate pair has no canonical form: the repaired text is shown,
    // digested and run.
    const parsed = tool.parameters.safeParse(wellFormed(raw));
    if (parsed.success) {
      const canonical = canonicalize(parsed.data) ?? "{}";
      return { type: "read", given: parsed.data, canonical };
    }
    const issues = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
    );
    return invalid(issues.join("; "));
  } catch (error) {
    // The tool's own schema failed, or made a value that JSON cannot hold.
    return invalid(`the arguments cannot be read: ${messageOf(error)}`);
  }
}

const invalid = (detail: string): Failed => ({
  type: "failed",
  failure: "invalid-arguments",
  text: `invalid-arguments: ${detail.slice(0, maxDetailLength).toWellFormed()}`,
});

/** If a tool cannot decide whether it needs confirmation, it needs one. */
function declaredBy(tool: Tool, given: unknown, conversation: Conversation | undefined): Declared {
  try {
    const wanted = tool.confirm(given, conversation);
    return wanted === "each-time" ? wanted : wanted ? "confirm" : "run";
  } catch {
    return "confirm";
  }
}

function unknownTool(name: string, toolbox: Toolbox): string {
  const start = `unknown-tool: there is no tool "${name.slice(0, 100)}".`;
  // There may be thousands.
  if (toolbox.search !== undefined) return `${start} ${findTools} finds those that there are.`;
  return `${start} Known tools: ${toolbox.specs.map((spec) => spec.name).join(", ") || "none"}`;
}

/** The call as the machine holds it. `approval` must be given where the verdict is `confirm`. */
export function machineCall(
  request: CallRequest,
  prepared: PreparedCall,
  approval: Pick<Approval, "id" | "approvers" | "persons"> | undefined,
): Call {
  if (prepared.type === "failed") {
    return {
      ...request,
      status: "failed",
      effect: "read",
      failure: prepared.failure,
    };
  }
  const { tool, digest } = prepared;
  return approval === undefined
    ? { ...request, status: "authorised", effect: tool.effect, digest }
    : {
        ...request,
        status: "awaiting",
        effect: tool.effect,
        digest,
        approvalId: approval.id,
        approvers: approval.approvers,
        ...(approval.persons === undefined ? {} : { persons: approval.persons }),
      };
}
