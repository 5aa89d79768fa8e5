import { alreadyText, mayDecide } from "../../approvals/may-decide.ts";
import { decideAndWake, type AttemptOutcome } from "../../approvals/decide-approval.ts";
import { editApproval, fieldsToEdit } from "../../approvals/edit-approval.ts";
import type { DecisionRequest } from "../../approvals/pending-for.ts";
import { shortReason } from "../../commands/approve.ts";
import type { Approval, ApprovalView } from "../../core/approval.ts";
import { messageOf } from "../../core/errors.ts";
import type { InboundForm } from "../../core/inbound.ts";
import { waitingApprovals } from "../../store/turns/wake-members.ts";
import { unlessUnreadable } from "../../store/unreadable.ts";
import { approvalCard, titleIn } from "../approval-card.ts";
import { chatLinks } from "../chat-link.ts";
import { formButton } from "../form-button.ts";
import { html, type Html } from "../html.ts";
import { pageLinks, pageNumber } from "../links.ts";
import type { Action, ActionResult, View, ViewDeps, ViewRequest } from "../view.ts";

/** Approvals on one page. */
const pageSize = 20;
/** Pages that are looked at for one that has an open approval. */
const maxPages = 25;

/** Undefined: there is none, or it can't be read. */
function find(id: string, { services, commands }: ViewDeps): Promise<ApprovalView | undefined> {
  // Not louder: a live view asks again every second.
  const report = (what: string, error: unknown): void =>
    services.log.debug({ what, error: messageOf(error) }, "an approval can't be shown");
  return unlessUnreadable(report, id, () => commands.approvals.find(id));
}

/** Those of these that are still open: the index has expired ones until a worker closes them. */
async function openOf(
  ids: readonly string[],
  { nowMs }: ViewRequest,
  deps: ViewDeps,
): Promise<readonly ApprovalView[]> {
  const views = await Promise.all(ids.map((id) => find(id, deps)));
  return views.filter((view) => view !== undefined).filter((view) => isOpen(view, nowMs));
}

/** The first page from this one on that has an open approval; `open` is empty: none of them has. */
async function firstOpen(
  { ids, from }: { readonly ids: readonly string[]; readonly from: number },
  request: ViewRequest,
  deps: ViewDeps,
) {
  const lastPage = Math.max(1, Math.ceil(ids.length / pageSize));
  let page = Math.min(from, lastPage);
  const until = Math.min(page + maxPages - 1, lastPage);
  for (; ; page += 1) {
    const open = await openOf(ids.slice((page - 1) * pageSize, page * pageSize), request, deps);
    if (open.length > 0 || page >= until) return { open, page, isLast: page >= lastPage };
  }
}

async function readApprovals(request: ViewRequest, deps: ViewDeps) {
  const { locale, query, nowMs } = request;
  const ids = await waitingApprovals(deps.services.store, nowMs);
  const from = pageNumber(query["page"]);
  let found = await firstOpen({ ids, from }, request, deps);
  // Those before may have one.
  if (found.open.length === 0 && found.isLast && from > 1)
    found = await firstOpen({ ids, from: 1 }, request, deps);
  const { open, page, isLast } = found;
  const cards = (await cardsOf(request, deps, open)).map((card, index) => {
    const approval = open[index]?.approval;
    return (
      approval &&
      html`<article
        class="card"
        id="approval-${approval.id}"
        aria-labelledby="title-${approval.id}"
      >
        ${card}
        ${
          isTheirs(request, approval) &&
          html`<div class="acts">
            ${approveButton(request, approval)} ${denyButton(request, approval)}
            <a href="/approvals/${approval.id}">${locale.page.approvals.open}</a>
          </div>`
        }
      </article>`
    );
  });
  const empty = isLast ? locale.page.approvals.empty : locale.page.chats.notYet;
  const next = isLast ? undefined : `/approvals?page=${page + 1}`;
  return html`${cards.length === 0 ? html`<p class="empty">${empty}</p>` : cards}
  ${pageLinks(locale.page, { first: page > 1 ? "/approvals" : undefined, next })}`;
}

const isOpen = ({ status, approval }: ApprovalView, nowMs: number): boolean =>
  status === "pending" && approval.expiresAtMs > nowMs;

const isTheirs = ({ viewer }: ViewRequest, approval: Approval): boolean =>
  mayDecide(approval, viewer);

/** The cards of some approvals, each below its title. */
async function cardsOf(
  request: ViewRequest,
  deps: ViewDeps,
  views: readonly ApprovalView[],
): Promise<readonly Html[]> {
  const { locale, nowMs } = request;
  const texts = views.map(({ approval }) => approval.chat);
  const chats = await chatLinks(texts, request, deps);
  return views.map((view, index) => {
    const { approval } = view;
    return html`<h2 id="title-${approval.id}">${titleIn(approval, locale)}</h2>
      ${approvalCard({ view, chat: chats[index], mayDecide: isTheirs(request, approval) }, locale, nowMs)}`;
  });
}

/** What was shown is what is decided: the form names it by its digest. */
const shown = ({ id, digest }: Approval) => ({ id, digest });

const approveButton = ({ locale }: ViewRequest, approval: Approval): Html =>
  formButton({
    to: "/approvals/approve",
    fields: shown(approval),
    label: locale.cards.approve,
    kind: "main",
    about: titleIn(approval, locale),
  });

const denyButton = ({ locale }: ViewRequest, approval: Approval, inside?: Html): Html =>
  formButton({
    to: "/approvals/deny",
    fields: shown(approval),
    label: locale.cards.deny,
    kind: "bad",
    about: titleIn(approval, locale),
    inside,
  });

/** One approval, with what has to be typed: it stays as it is while the list is read again. */
async function readOne(request: ViewRequest, deps: ViewDeps): Promise<Html | undefined> {
  const { locale, nowMs, params, viewer } = request;
  const view = await find(params["approval"] ?? "", deps);
  if (view === undefined) return undefined;
  const { approval, status, decidedBy = "", approvedFirst } = view;
  const { approvals: say } = locale.page;
  const back = html`<p><a href="/approvals">${say.all}</a></p>`;
  if (!isOpen(view, nowMs)) {
    const closed = status === "pending" ? "expired" : status;
    const first = approvedFirst?.name;
    const said = alreadyText(locale.decisions, { status: closed, decidedBy, approvedFirst: first });
    return html`<p>${said}</p>
      ${back}`;
  }
  const card = await cardsOf(request, deps, [view]);
  if (!isTheirs(request, approval)) return html`${card} ${back}`;
  const fields =
    approval.arguments === "{}"
      ? []
      : await fieldsToEdit(deps.commands, approval, { ...attemptOf(request), role: viewer.role });
  return html`${card} ${approveButton(request, approval)}
  ${denyButton(
    request,
    approval,
    html`<label>${say.reason} <input name="reason" maxlength="500" /></label>`,
  )}
  ${fields.length > 0 && editForm(request, approval, fields)} ${back}`;
}

const editForm = (
  { locale, filled = {} }: ViewRequest,
  approval: Approval,
  fields: InboundForm["fields"],
): Html =>
  html`<h3>${locale.edits.title}</h3>
    ${formButton({
      to: `/approvals/${approval.id}/edit`,
      fields: shown(approval),
      label: locale.page.approvals.ask,
      about: titleIn(approval, locale),
      inside: html`${fields.map((field) => fieldOf({ ...field, value: filled[field.id] ?? field.value }))}`,
    })}`;

function fieldOf({ id, label, value, long }: InboundForm["fields"][number]): Html {
  // Browsers leave out a line break at its beginning.
  const text = `\n${value}`;
  const field = long
    ? html`<textarea name="${id}" rows="8" spellcheck="false">${text}</textarea>`
    : html`<input name="${id}" value="${value}" spellcheck="false" />`;
  return html`<label>${label} ${field}</label>`;
}

const attemptOf = ({ viewer, language }: ViewRequest) => ({
  person: { ...viewer.person, language },
  role: viewer.role,
});

/** An attempt at what the form has shown, in the chat that asked; or why it can't be. */
async function attemptAt(
  fields: Readonly<Record<string, string>>,
  request: ViewRequest,
  { commands }: ViewDeps,
): Promise<DecisionRequest | { readonly problem: string }> {
  const view = await commands.approvals.find(fields["id"] ?? "");
  if (view === undefined || view.approval.digest !== fields["digest"])
    return { problem: request.locale.decisions.tooOld };
  const { id: approvalId, chat } = view.approval;
  return { approvalId, chat, ...attemptOf(request) };
}

const decide =
  (status: "approved" | "denied"): Action =>
  async (fields, request, deps) => {
    const attempt = await attemptAt(fields, request, deps);
    if ("problem" in attempt) return attempt;
    const { reason = "" } = fields;
    // A form that is sent twice is one attempt.
    const eventId = `page-${request.viewer.sessionId}`;
    const why = status === "denied" && reason.trim() !== "" ? { reason: shortReason(reason) } : {};
    const decision = { ...attempt, status, eventId, ...why };
    return resultOf(await decideAndWake(deps.commands, decision, "one"), status);
  };

const edit: Action = async (fields, request, deps) => {
  const attempt = await attemptAt(fields, request, deps);
  if ("problem" in attempt) return attempt;
  const filled = Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) =>
      name.startsWith("=") || name === "json" ? [[name, text.replaceAll("\r\n", "\n")]] : [],
    ),
  );
  return resultOf(await editApproval(deps.commands, attempt, { type: "form", filled }), "changed");
};

const resultOf = (
  outcome: AttemptOutcome,
  done: "approved" | "denied" | "changed",
): ActionResult =>
  outcome.type === "refused"
    ? { problem: outcome.text }
    : { to: "/approvals", done: outcome.type === "counted" ? "counted" : done };

/** Everything that waits for an approval, in all chats; what expires first comes first. */
export const approvalsView: View = {
  name: "approvals",
  path: "/approvals",
  isInMenu: true,
  isLive: true,
  read: readApprovals,
  actions: { approve: decide("approved"), deny: decide("denied") },
};

export const approvalView: View = {
  name: "approvals",
  path: "/approvals/:approval",
  isInMenu: false,
  read: readOne,
  actions: { edit },
};
