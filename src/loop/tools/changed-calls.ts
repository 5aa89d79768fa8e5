import { shortApprovalId, type Approval, type ApprovalView } from "../../core/approval.ts";
import { spokenIn } from "../../core/outbox.ts";
import { journalKey, type Call } from "../../core/turn.ts";
import { localeFor } from "../../locales/locale-for.ts";
import { approvalFor, askAll, isSilent } from "./approvals.ts";
import { parseJsonObject } from "../../text/json-object.ts";
import { machineCall, prepareCall, rulingFor, type PreparedCall } from "./prepare-call.ts";
import { toolboxIn } from "./named-addresses.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { cutText } from "../view/cut-text.ts";
import { whyNotAsked } from "./why-not-asked.ts";
import type { TurnContext } from "../turn-context.ts";

/*
 * A call whose arguments a person changed while it waited for an approval. Its
 * approval is closed as `changed`, permanently; the worker asks about the new
 * arguments with another one. Arguments that don't fit the tool, or that the
 * operator's policy denies, are explained to their author, and the original
 * call is asked about again.
 */

type Ready = PreparedCall & { type: "ready" };

/** Asks again for what was changed. Calls that cannot be asked about any more fail. */
export function askAgain(context: TurnContext, view: ApprovalView): void {
  const { deps, session } = context;
  const { approval, edit } = view;
  const call = session.state.calls.find(
    ({ approvalId, status }) => approvalId === approval.id && status === "awaiting",
  );
  if (call === undefined) return;
  const change = edit && changeOf(context, approval, { ...call, arguments: edit.arguments });
  if (edit !== undefined && change?.type === "changed") {
    ask(context, {
      call: { ...call, changedBy: edit.by.name, changedById: edit.by.id },
      prepared: change.prepared,
      facts: approval.facts,
    });
    note(context, view, "asked-again");
    return;
  }
  const ruling = rulingFor(deps.toolPolicy, session);
  const prepared = prepareCall(call, toolboxIn(deps.toolbox, session), ruling);
  if (edit !== undefined && change?.type === "refused") {
    const { refused: again, refusedAndGone } = localeFor(edit.by.language, edit.by.id).edits;
    const say = prepared.type === "failed" ? refusedAndGone : again;
    tellWhy(session, approval, edit.by, say(shortly(change.why)));
    note(context, view, "refused");
  }
  if (prepared.type === "failed") fail(session, call, prepared);
  else ask(context, { call, prepared: asAsked(approval, prepared), facts: approval.facts });
}

type Change =
  | { readonly type: "changed"; readonly prepared: Ready }
  /** `why` says so to a person. */
  | { readonly type: "refused"; readonly why: string };

/** The call with other arguments, judged as a model's call is. */
function changeOf({ deps, session }: TurnContext, approval: Approval, call: Call): Change {
  const { state } = session;
  const ruling = rulingFor(deps.toolPolicy, session);
  const prepared = prepareCall(call, toolboxIn(deps.toolbox, session), ruling);
  if (prepared.type === "failed") return refused(prepared.text);
  const asked = asAsked(approval, prepared);
  const whyNot =
    asked.verdict.type === "confirm"
      ? whyNotAsked(asked.verdict, state, {
          atMs: deps.clock.wall(),
          isReachable: approval.elsewhere === true,
        })
      : undefined;
  return whyNot === undefined ? { type: "changed", prepared: asked } : refused(whyNot);
}

/** Without the failure's kind, which is for models. */
const refused = (text: string): Change => ({
  type: "refused",
  why: text.replace(/^[a-z-]+: /, ""),
});

/**
 * What a person had to decide stays theirs to decide, also where the policy would let such
 * arguments pass unasked.
 */
function asAsked({ approvers, persons }: Approval, prepared: Ready): Ready {
  if (prepared.verdict.type === "confirm") return prepared;
  const asking = { approvers, ...(persons === undefined ? {} : { persons }) };
  return { ...prepared, verdict: { type: "confirm", ...asking } };
}

function ask(
  context: TurnContext,
  {
    call,
    prepared,
    facts,
  }: { readonly call: Call; readonly prepared: Ready; readonly facts: Approval["facts"] },
): void {
  const { deps, session } = context;
  const { index, wireId, name, changedBy, changedById } = call;
  const request = { index, wireId, name, arguments: prepared.canonical };
  const by = {
    ...(changedBy === undefined ? {} : { changedBy }),
    ...(changedById === undefined ? {} : { changedById }),
  };
  const approval = { ...approvalFor(context, request, prepared, facts), ...by };
  const { replyTo } = session.state;
  const silent =
    prepared.verdict.type === "confirm" && isSilent(prepared.verdict, deps.clock.wall());
  askAll(context, [{ approval, silent }], replyTo === undefined ? {} : { replyTo });
  session.record({
    type: "call-asked-again",
    index,
    call: { ...machineCall(request, prepared, approval), ...by },
  });
}

function fail(
  session: TurnSession,
  { index }: Call,
  { text, failure }: PreparedCall & { type: "failed" },
): void {
  const { turn, round } = session.state;
  session.write(journalKey(turn, round, index), { v: 1, text, failure });
  session.record({
    type: "call-settled",
    index,
    status: "failed",
    failure,
    elapsedMs: 0,
  });
}

/** Characters of a complaint that a person reads. */
const maxWhyLength = 500;
const shortly = (why: string): string => cutText(why, maxWhyLength);

function tellWhy(
  session: TurnSession,
  { id }: Approval,
  { language }: { readonly language?: string | undefined },
  text: string,
): void {
  session.post({
    kind: "notice",
    v: 1,
    id: `change-${id}`,
    ...spokenIn(language),
    text,
  });
}

/** What was changed is not asked about any more: the turn goes on without it. */
export function noteOvertaken(context: TurnContext, changed: readonly ApprovalView[]): void {
  const { session } = context;
  const isOpen = ({ approval }: ApprovalView): boolean =>
    session.state.calls.some(({ approvalId }) => approvalId === approval.id);
  for (const view of changed) if (isOpen(view)) note(context, view, "not-asked");
}

function note(
  { deps: { audit }, session }: TurnContext,
  { approval, edit }: ApprovalView,
  outcome: "asked-again" | "refused" | "not-asked",
): void {
  const changed = changedNames(approval.arguments, edit?.arguments ?? "{}");
  const written = audit.write(`changed-${approval.id}`, {
    action: "approval-edited",
    ...(edit === undefined ? {} : { by: { id: edit.by.id, name: edit.by.name } }),
    chat: session.chat,
    target: approval.tool,
    outcome,
    details: {
      approval: shortApprovalId(approval.id),
      changed: changed.join(", "),
    },
  });
  session.alongside(written);
}

/** The names of the changed arguments; their values are private. */
function changedNames(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map(
    (text) =>
      new Map(
        Object.entries(parseJsonObject(text) ?? {}).map(([name, value]) => [
          name,
          JSON.stringify(value),
        ]),
      ),
  );
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].filter(
    (name) => old?.get(name) !== now?.get(name),
  );
}

/** Characters of changed arguments that the model reads. */
const maxQuotedLength = 2_000;

/**
 * A result as the model reads it, with a note if a person changed its
 * arguments. A failure still begins with its kind. Pure.
 */
export function withChange(call: Call, text: string): string {
  if (call.changedBy === undefined) return text;
  const given = cutText(call.arguments, maxQuotedLength);
  return call.failure === undefined
    ? `A person changed the arguments to ${given}. The result of that:\n${text}`
    : `${text}\nA person had changed the arguments to ${given}.`;
}
