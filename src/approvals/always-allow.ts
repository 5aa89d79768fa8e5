import { randomBytes } from "node:crypto";
import type { Approval } from "../core/approval.ts";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import {
  buttonSpanMs,
  isAuto,
  type AnyGrant,
  type Grant,
  type GrantScope,
} from "../core/grants.ts";
import { rememberTool } from "../core/tool.ts";
import { isAtLeast, type Role } from "../core/roles.ts";
import type { GrantStore } from "../store/approvals/grants.ts";
import { chosenSpan } from "../locales/span.ts";
import { localeFor } from "../locales/locale-for.ts";
import { toolTitle } from "../locales/tool-title.ts";
import { decideAndWake, type AttemptOutcome, type DecidingDeps } from "./decide-approval.ts";
import { endAuto } from "./permission-mode.ts";
import { pendingFor, type Refusal, type DecisionRequest } from "./pending-for.ts";

export interface GrantingDeps extends DecidingDeps {
  readonly grants: GrantStore;
  readonly now: () => number;
}

/** The permission to grant. */
export interface GrantRequest {
  /** Undefined: as long as the card's button says. */
  readonly spanMs?: number | undefined;
  readonly scope: GrantScope;
}

/**
 * Approves a call and lets the same call run without asking for a while. An
 * admin's permission applies to everyone in the chat, anyone else's only to
 * questions of the person who asked for this call. Only admins may leave the
 * arguments open.
 */
export async function approveAlways(
  deps: GrantingDeps,
  attempt: DecisionRequest,
  request: GrantRequest,
): Promise<AttemptOutcome> {
  const pending = await pendingFor(deps, attempt);
  if (pending.type === "refused") return pending;
  const { approval } = pending;
  const locale = localeFor(attempt.person.language, attempt.person.id);
  // Uses their own role: a group may have given them the role they have here,
  // and no event reports when it is withdrawn.
  const ownRole = await deps.access.roleOf(attempt.person);
  const grant = grantOf(deps, { ...attempt, ownRole }, approval, request);
  if ("type" in grant) return grant;
  const outcome = await decideAndWake(deps, { ...attempt, status: "approved" }, "one");
  if (outcome.type !== "decided") return outcome;
  const chat = chatKey(parseChatKey(approval.chat));
  if (!(await deps.grants.give(chat, grant))) return { ...outcome, text: locale.grants.full };
  await note(deps, "grant-given", { chat, grant, by: grant.by });
  const lasts = chosenSpan(grant.untilMs - grant.fromMs, locale.cards);
  const text =
    grant.scope === "same"
      ? locale.grants.given(lasts)
      : locale.grants.givenAny(lasts, toolTitle(approval, locale));
  return { ...outcome, text };
}

/** The requested permission, or why it can't be granted. */
function grantOf(
  { now }: GrantingDeps,
  { person, role, ownRole }: DecisionRequest & { readonly ownRole: Role },
  approval: Approval,
  { spanMs, scope }: GrantRequest,
): Grant | Refusal {
  const locale = localeFor(person.language, person.id);
  const { definition, approvers, persons, requester, changedById } = approval;
  const usualMs = buttonSpanMs(approval.alwaysAllowMs);
  const mostMs = approval.alwaysAllowMs ?? 0;
  if (usualMs === undefined || definition === undefined)
    return { type: "refused", text: locale.grants.off };
  if ((spanMs ?? 0) > mostMs) {
    const text = locale.grants.atMost(chosenSpan(mostMs, locale.cards));
    return { type: "refused", text };
  }
  const isAdmin = isAtLeast(role, "admin");
  // Each fact is another one, and its tool asks again for what isn't in the person's own words.
  const isForFacts = approval.tool === rememberTool;
  if (isForFacts && person.id !== requester.id)
    return { type: "refused", text: locale.grants.ownFacts(requester.name) };
  if (scope === "shape" && !isAdmin) return { type: "refused", text: locale.grants.adminsAny };
  const fromMs = now();
  return {
    v: 1,
    id: randomBytes(6).toString("base64url"),
    tool: approval.tool,
    definition,
    scope: isForFacts ? "shape" : scope,
    arguments: approval.arguments,
    by: { id: person.id, name: person.name },
    role: ownRole,
    approvers,
    ...(persons === undefined ? {} : { persons }),
    ...(isAdmin && !isForFacts ? {} : { requester: { id: requester.id, name: requester.name } }),
    wordsOf: [requester.id, ...(changedById === undefined ? [] : [changedById])],
    fromMs,
    untilMs: fromMs + (spanMs ?? usualMs),
  };
}

/** Revokes a permission; allowed for the person who gave it, and for admins. */
export async function revokeGrant(
  deps: Pick<GrantingDeps, "grants" | "audit" | "now">,
  chat: ChatKey,
  grant: AnyGrant,
  by: { readonly id: string; readonly name: string; readonly role: Role },
): Promise<"revoked" | "not-theirs"> {
  const { role, id, name } = by;
  if (!isAtLeast(role, "admin") && grant.by.id !== id) return "not-theirs";
  if (isAuto(grant)) await endAuto(deps, { chat, by, eventId: `ask-${grant.id}` });
  else if (await deps.grants.revoke(chat, (each) => each.id === grant.id))
    await note(deps, "grant-revoked", { chat, grant, by: { id, name } });
  return "revoked";
}

const note = (
  { audit }: Pick<GrantingDeps, "audit">,
  action: "grant-given" | "grant-revoked",
  {
    chat,
    grant,
    by,
  }: {
    readonly chat: ChatKey;
    readonly grant: Grant;
    readonly by: { readonly id: string; readonly name: string };
  },
): Promise<void> =>
  audit.write(`${action}-${grant.id}`, {
    action,
    by,
    chat,
    target: grant.tool,
    outcome: "done",
    details: {
      scope: grant.scope,
      until: new Date(grant.untilMs).toISOString(),
      ...(grant.requester === undefined ? {} : { requester: grant.requester.id }),
    },
  });
