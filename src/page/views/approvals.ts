import { alreadyText, mayDecide } from "../../approvals/may-decide.ts";
import { decideAndWake, type AttemptOutcome } from "../../approvals/decide-approval.ts";
import { editApproval, fieldsToEdit } from "../../approvals/edit-approval.ts";
import type { DecisionRequest } from "../../approvals/pending-for.ts";
import { shortReason } from "../../commands/approve.ts";
import type { Approval, ApprovalView } from "../../core/approval.ts";
import type { InboundForm } from "../../core/inbound.ts";
import type { Locale } from "../../locales/locale.ts";
import { waitingApprovals } from "../../store/turns/wake-members.ts";
import { unlessUnreadable } from "../../store/unreadable.ts";
import { approvalCard, titleIn } from "../approval-card.ts";
import { chatLinks } from "../chat-link.ts";
import { formButton } from "../form-button.ts";
import { html, type Html } from "../html.ts";
import { pageLinks, pageNumber } from "../links.ts";
import { reportTo } from "../report.ts";
import type { Action, ActionResult, Fields, View, ViewContext } from "../view.ts";

/** Approvals on one page. */
const pageSize = 20;
/** Pages that are looked at for one that has an open approval. */
const maxPages = 25;

/** Undefined: there is none, or it can't be read. */
const find = (id: string, { services, commands }: ViewContext): Promise<ApprovalView | undefined> =>
  unlessUnreadable(reportTo(services.log, "an approval can't be shown", "debug"), id, () =>
    commands.approvals.find(id),
  );

/** The first page from this one on that has an open approval; `open` is empty: none of them has. */
async function firstOpen(
  { ids, from }: { readonly ids: readonly string[]; readonly from: number },
  context: ViewContext,
) {
  const lastPage = Math.max(1, Math.ceil(ids.length / pageSize));
  const until = Math.min(from + maxPages - 1, lastPage);
  for (let page = Math.min(from, lastPage); ; page += 1) {
    const onPage = ids.slice((page - 1) * pageSize, page * pageSize);
    const found = await Promise.all(onPage.map((id) => find(id, context)));
    // The index has expired ones until a worker closes them.
    const open = found.filter((view) => view !== undefined).filter((view) => isOpen(view, context));
    if (open.length > 0 || page >= until) return { open, page, isLast: page >= lastPage };
  }
}

async function readApprovals(context: ViewContext) {
  const { locale, query, nowMs } = context;
  const ids = await waitingApprovals(context.services.store, nowMs);
  const from = pageNumber(query["page"]);
  let found = await firstOpen({ ids, from }, context);
  // Those before may have one.
  if (found.open.length === 0 && found.isLast && from > 1)
    found = await firstOpen({ ids, from: 1 }, context);
  const { open, page, isLast } = found;
  const cards = await cardsOf(context, open);
  const { approvals, chats } = locale.page;
  const shown = open.map(
    ({ approval }, index) =>
      html`<article
        class="card"
        id="approval-${approval.id}"
        aria-labelledby="title-${approval.id}"
      >
        ${cards[index]}
        ${
          isTheirs(context, approval) &&
          html`<div class="acts">
            ${approveButton(approval, locale)} ${denyButton(approval, locale)}
            <a href="/approvals/${approval.id}">${approvals.open}</a>
          </div>`
        }
      </article>`,
  );
  const empty = html`<p class="empty">${isLast ? approvals.empty : chats.notYet}</p>`;
  return html`${open.length === 0 ? empty : shown}
  ${pageLinks(locale.page, {
    first: page > 1 && "/approvals",
    next: !isLast && `/approvals?page=${page + 1}`,
  })}`;
}

const isOpen = ({ status, approval }: ApprovalView, { nowMs }: ViewContext): boolean =>
  status === "pending" && approval.expiresAtMs > nowMs;

const isTheirs = ({ viewer }: ViewContext, approval: Approval): boolean =>
  mayDecide(approval, viewer);

/** The cards of some approvals, each below its title. */
async function cardsOf(
  context: ViewContext,
  views: readonly ApprovalView[],
): Promise<readonly Html[]> {
  const { locale, nowMs } = context;
  const texts = views.map(({ approval }) => approval.chat);
  const chats = await chatLinks(texts, context);
  return views.map((view, index) => {
    const { approval } = view;
    return html`<h2 id="title-${approval.id}">${titleIn(approval, locale)}</h2>
      ${approvalCard({ view, chat: chats[index], mayDecide: isTheirs(context, approval) }, locale, nowMs)}`;
  });
}

/** What was shown is what is decided: the form names it by its digest. */
const buttonOf = (approval: Approval, locale: Locale) => {
  const { id, digest } = approval;
  return { fields: { id, digest }, about: titleIn(approval, locale) };
};

const approveButton = (approval: Approval, locale: Locale): Html =>
  formButton({
    ...buttonOf(approval, locale),
    to: "/approvals/approve",
    label: locale.cards.approve,
    kind: "main",
  });

const denyButton = (approval: Approval, locale: Locale, inside?: Html): Html =>
  formButton({
    ...buttonOf(approval, locale),
    to: "/approvals/deny",
    label: locale.cards.deny,
    kind: "bad",
    inside,
  });

/** One approval, with what has to be typed: it stays as it is while the list is read again. */
async function readOne(context: ViewContext): Promise<Html | undefined> {
  const { locale, params, viewer } = context;
  const view = await find(params["approval"] ?? "", context);
  if (view === undefined) return undefined;
  const { approval, status, decidedBy = "", approvedFirst } = view;
  const { approvals: say } = locale.page;
  const back = html`<p><a href="/approvals">${say.all}</a></p>`;
  if (!isOpen(view, context)) {
    const closed = status === "pending" ? "expired" : status;
    const first = approvedFirst?.name;
    const said = alreadyText(locale.decisions, { status: closed, decidedBy, approvedFirst: first });
    return html`<p>${said}</p>
      ${back}`;
  }
  const card = await cardsOf(context, [view]);
  if (!isTheirs(context, approval)) return html`${card} ${back}`;
  const hasNone = approval.arguments === "{}";
  const attempt = { ...attemptOf(context), role: viewer.role };
  const fields = hasNone ? [] : await fieldsToEdit(context.commands, approval, attempt);
  const { filled = {} } = context;
  return html`${card} ${approveButton(approval, locale)}
  ${denyButton(approval, locale, html`<label>${say.reason} <input name="reason" maxlength="500" /></label>`)}
  ${
    fields.length > 0 &&
    html`<h3>${locale.edits.title}</h3>
      ${formButton({
        ...buttonOf(approval, locale),
        to: `/approvals/${approval.id}/edit`,
        label: say.ask,
        inside: html`${fields.map((field) => fieldOf({ ...field, value: filled[field.id] ?? field.value }))}`,
      })}`
  }
  ${back}`;
}

function fieldOf({ id, label, value, long }: InboundForm["fields"][number]): Html {
  // Browsers leave out a line break at its beginning.
  const text = `\n${value}`;
  const field = long
    ? html`<textarea name="${id}" rows="8" spellcheck="false">${text}</textarea>`
    : html`<input name="${id}" value="${value}" spellcheck="false" />`;
  return html`<label>${label} ${field}</label>`;
}

const attemptOf = ({ viewer, language }: ViewContext) => ({
  person: { ...viewer.person, language },
  role: viewer.role,
});

/** An attempt at what the form has shown, in the chat that asked; or why it can't be. */
async function attemptAt(
  fields: Fields,
  context: ViewContext,
): Promise<DecisionRequest | { readonly problem: string }> {
  const view = await context.commands.approvals.find(fields["id"] ?? "");
  if (view === undefined || view.approval.digest !== fields["digest"])
    return { problem: context.locale.decisions.tooOld };
  const { id: approvalId, chat } = view.approval;
  return { approvalId, chat, ...attemptOf(context) };
}

const decide =
  (status: "approved" | "denied"): Action =>
  async (fields, context) => {
    const attempt = await attemptAt(fields, context);
    if ("problem" in attempt) return attempt;
    const { reason = "" } = fields;
    // A form that is sent twice is one attempt.
    const eventId = `page-${context.viewer.sessionId}`;
    const why = status === "denied" && reason.trim() !== "" ? { reason: shortReason(reason) } : {};
    const decision = { ...attempt, status, eventId, ...why };
    return resultOf(await decideAndWake(context.commands, decision, "one"), status);
  };

const edit: Action = async (fields, context) => {
  const attempt = await attemptAt(fields, context);
  if ("problem" in attempt) return attempt;
  const filled = Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) =>
      name.startsWith("=") || name === "json" ? [[name, text.replaceAll("\r\n", "\n")]] : [],
    ),
  );
  return resultOf(
    await editApproval(context.commands, attempt, { type: "form", filled }),
    "changed",
  );
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
  isLive: () => true,
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
