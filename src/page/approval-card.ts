import { describePerson } from "../access/describe-person.ts";
import type { Approval, ApprovalView } from "../core/approval.ts";
import { cardOf } from "../core/outbox.ts";
import type { ArgumentBlock } from "../delivery/argument-blocks.ts";
import { lookAt } from "../delivery/card.ts";
import { titleOf } from "../delivery/card-outcome.ts";
import { scheduleTexts } from "../delivery/schedule-lines.ts";
import { deciders } from "../locales/deciders.ts";
import type { Locale } from "../locales/locale.ts";
import { span } from "../locales/span.ts";
import { visible } from "../text/visible-text.ts";
import { timeHtml } from "./format.ts";
import { html, type Html, type HtmlValue } from "./html.ts";

export interface ShownApproval {
  readonly view: ApprovalView;
  /** A link to its chat. */
  readonly chat: HtmlValue;
  /** What the call would do is for those who decide on it. */
  readonly mayDecide: boolean;
}

/** What a call does, in a few words. Pure. */
export const titleIn = (approval: Approval, locale: Locale): string =>
  visible(titleOf(cardOf(approval), locale));

/**
 * What one decides on, exactly as the chat's card shows it: where it goes is never hidden, secrets
 * are masked, invisible characters and look-alike letters are marked. Pure.
 */
export function approvalCard(
  { view, chat, mayDecide }: ShownApproval,
  locale: Locale,
  nowMs: number,
): Html {
  const { approval } = view;
  const { cards: say, approvals } = locale;
  const { requester, about = "", tool, askedAtMs, expiresAtMs } = approval;
  // At least a minute: it isn't shown any more once it has expired.
  const left = span(Math.max(1, Math.ceil((expiresAtMs - nowMs) / 60_000)) * 60_000, say);
  return html`<p class="faint">
      ${chat} · ${approvals.askedFor(describePerson(requester))}
      ${askedAtMs !== undefined && timeHtml(askedAtMs)}
    </p>
    <p>
      ${locale.page.approvals.tool} <code>${visible(tool)}</code>
      ${about !== "" && say.about(visible(about))}
    </p>
    ${changed(approval, locale)} ${mayDecide && whatItDoes(approval, locale)}
    <p class="faint">
      ${whoDecides(view, locale)} ${say.expiresIn(left)} (${timeHtml(expiresAtMs)})
    </p>`;
}

function whatItDoes(approval: Approval, locale: Locale): Html {
  const card = cardOf(approval);
  const { cards: say } = locale;
  const { blocks, hasHidden, lookalikes } = lookAt(card, say);
  return html`${scheduleTexts(card, locale).map((line) => html`<p>${visible(line)}</p>`)}
  ${blocks.length === 0 ? html`<p>${say.noArguments}</p>` : blocks.map(block)}
  ${hasHidden && html`<p class="faint">${say.secretsMasked}</p>`}
  ${
    lookalikes.length > 0 &&
    html`<p class="notice problem">${say.lookalikes(lookalikes.join(", "))}</p>`
  }`;
}

function changed({ changedBy }: Approval, { cards }: Locale): Html | undefined {
  if (changedBy === undefined) return undefined;
  const by = visible(changedBy);
  return html`<p>${by === "" ? cards.changedNoteOfNobody : cards.changedNote(by)}</p>`;
}

function whoDecides({ approval, approvedFirst }: ApprovalView, locale: Locale): string {
  const { cards } = locale;
  const who = deciders(locale.decisions, approval, visible(approval.requester.name));
  const first = approvedFirst && cards.firstOfTwo(visible(approvedFirst.name));
  return [approval.persons === 2 ? cards.twoDecide(who) : cards.decides(who), first ?? ""]
    .join(" ")
    .trim();
}

const block = ({ label, language, text }: ArgumentBlock): Html =>
  html`${label !== undefined && html`<p><code>${label}</code>:</p>`}
    <pre tabindex="0">${language === "diff" ? text.split("\n").map(diffLine) : text}</pre>`;

function diffLine(line: string, index: number): readonly (Html | string)[] {
  const shown = line.startsWith("-")
    ? html`<del>${line}</del>`
    : line.startsWith("+")
      ? html`<ins>${line}</ins>`
      : line;
  return [index === 0 ? "" : "\n", shown];
}
