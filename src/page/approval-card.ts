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
  const { approval, approvedFirst } = view;
  const { cards: say, approvals, decisions } = locale;
  const { requester, about = "", tool, askedAtMs, expiresAtMs, changedBy, persons } = approval;
  const who = deciders(decisions, approval, visible(requester.name));
  const by = visible(changedBy ?? "");
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
    ${changedBy !== undefined && html`<p>${by === "" ? say.changedNoteOfNobody : say.changedNote(by)}</p>`}
    ${mayDecide && whatItDoes(approval, locale)}
    <p class="faint">
      ${persons === 2 ? say.twoDecide(who) : say.decides(who)}
      ${approvedFirst && say.firstOfTwo(visible(approvedFirst.name))} ${say.expiresIn(left)}
      (${timeHtml(expiresAtMs)})
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

const block = ({ label, language, text }: ArgumentBlock): Html =>
  html`${label !== undefined && html`<p><code>${label}</code>:</p>`}
    <pre tabindex="0">${language === "diff" ? text.split("\n").map(diffLine) : text}</pre>`;

function diffLine(line: string, index: number): readonly (Html | string)[] {
  const tag = line.startsWith("-") ? html`<del>${line}</del>` : html`<ins>${line}</ins>`;
  return [index === 0 ? "" : "\n", /^[-+]/.test(line) ? tag : line];
}
