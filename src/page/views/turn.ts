import { randomUUID } from "node:crypto";
import { summarise, sumOfUsage, usageOf } from "../../cli/trace-summary.ts";
import { turnAccount } from "../../cli/trace-text.ts";
import { chatNamed } from "../../core/chat.ts";
import { unreachable } from "../../core/errors.ts";
import type { LogEntry, Usage } from "../../core/history.ts";
import type { Locale } from "../../locales/locale.ts";
import { readLastAct } from "../../store/operations/last-act.ts";
import { readDraftText } from "../../store/turns/draft-text.ts";
import { visible } from "../../text/visible-text.ts";
import { answererOf } from "../answerer.ts";
import { chatPath, namedChats } from "../chat-link.ts";
import { costText, modelHtml, spanText, timeHtml, unknown } from "../format.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import { swatch, timelineSvg } from "../svg.ts";
import { type Fact, factsOf, numbers, tableOf } from "../table.ts";
import { longestOf, type Part, type Timeline } from "../timeline.ts";
import { readTurnFacts, type Named, type TurnFacts } from "../turn-facts.ts";
import type { Action, Fields, View, ViewContext } from "../view.ts";

/** How long contents stay shown at the address to which the button leads. Milliseconds. */
const shownForMs = 10 * 60_000;
/** After its end an answer is delivered, and its trace written. Longer than facts are kept. Milliseconds. */
const settlesMs = 15_000;

/** Pure. */
function namedBy({ chat: text, turn = "" }: Fields): Named | undefined {
  const chat = chatNamed(text);
  return chat && /^\d{1,15}$/.test(turn) ? { chat, turn: Number(turn) } : undefined;
}

/** What is stored of the answer that a path names; undefined: nothing. */
async function find(context: ViewContext) {
  const named = namedBy(context.params);
  return named && (await readTurnFacts(context, named));
}

async function read(context: ViewContext): Promise<Html | undefined> {
  const facts = await find(context);
  if (facts === undefined) return undefined;
  const { chat, turn, timeline, records } = facts;
  const names = await namedChats([facts], context);
  const persona = facts.persona ?? (facts.open && (await answererOf(facts.open, context)).persona);
  const { turn: say } = context.locale.page;
  const verdict = timeline && verdictOf(timeline, context);
  return html`<p>
      <strong>${names(chat).name}</strong> <span class="faint">${chat}</span>
      <a href="${chatPath(chat)}">${say.back}</a>
    </p>
    ${verdict !== undefined && html`<p class="verdict">${verdict}</p>`}
    ${summaryOf(facts, persona, context)}
    ${
      timeline === undefined
        ? html`<p>${say.empty}</p>`
        : html`<h2>${say.timeline}</h2>
            ${timelineSvg(timeline, verdict ?? say.timeline)} ${stepsOf(timeline, context)}`
    }
    ${records.length === 0 && html`<p class="faint">${say.noTrace}</p>`}
    <h2 id="contents">${say.contents}</h2>
    ${
      context.viewer.role === "owner"
        ? html`<form method="post" action="${chatPath(chat)}/${turn}/show">
            <p class="faint">${say.showHow}</p>
            <button>${say.show}</button>
          </form>`
        : html`<p class="faint">${say.ownersOnly}</p>`
    }
    ${(await mayRead(facts, context)) && (await contentsOf(facts, context))}`;
}

/** Where the time went, in a sentence. */
function verdictOf(timeline: Timeline, { locale }: ViewContext): string | undefined {
  const { most, longest, kinds } = locale.page.turn;
  const found = longestOf(timeline);
  if (found === undefined) return undefined;
  const totalMs = timeline.toMs - timeline.fromMs;
  const say = found.ms * 2 > totalMs ? most : longest;
  return say(spanText(totalMs, locale), kinds[found.kind], spanText(found.ms, locale));
}

function summaryOf(
  { open, logged, records }: TurnFacts,
  persona: string | undefined,
  context: ViewContext,
): Html {
  const { locale } = context;
  const { turn, chat, now } = locale.page;
  const { columns } = now;
  const traced = records.map((record) => [record.model, usageOf(record)] as const);
  const used = traced.length > 0 ? traced : [...(logged?.usage ?? [])];
  const sum = sumOfUsage(used.map(([, usage]) => usage));
  const models = [...new Set(used.map(([model]) => model))].join(", ");
  const isKnown = models !== "" || persona !== undefined;
  const facts: readonly Fact[] = [
    [chat.columns.when, logged?.askedAtMs && timeHtml(logged.askedAtMs)],
    [columns.person, visible(logged?.person ?? "")],
    [chat.columns.outcome, open ? chat.running : logged?.end && turn.ends[logged.end]],
    [columns.model, isKnown && modelHtml(models || unknown, persona, locale)],
    [chat.facts.used, used.length > 0 && tokensText(sum, locale)],
    [columns.cost, costText(used, context)],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== "" && value !== false);
  return factsOf("about", known);
}

const tokensText = ({ inputTokens, outputTokens }: Usage, { page, number }: Locale): string =>
  page.turn.inAndOut(number(inputTokens), number(outputTokens));

function stepsOf({ parts, fromMs }: Timeline, context: ViewContext): Html {
  const { locale } = context;
  const { columns, timeline, rows } = locale.page.turn;
  return tableOf({
    caption: timeline,
    columns: [columns.part, numbers(columns.started), numbers(columns.lasted), columns.details],
    rows: parts.map((part) => [
      html`${swatch(part.kind)} ${rows[part.kind]}`,
      `+${spanText(part.fromMs - fromMs, locale)}`,
      spanText(part.toMs - part.fromMs, locale),
      detailsOf(part, context).map((line) => line && html`<div>${line}</div>`),
    ]),
  });
}

/** Of a call of a model also why it was asked, what came before it, and how it ended. */
function detailsOf(
  { name = "", outcome = "", record }: Part,
  context: ViewContext,
): readonly HtmlValue[] {
  const { locale } = context;
  const { turn } = locale.page;
  const both = [visible(name), visible(outcome)];
  if (record === undefined) return both;
  const { tier, why, attempts, response, timing, model } = record;
  const { failure, finish } = response;
  const code = failure?.kind ?? finish;
  const usage = usageOf(record);
  return [
    ...both,
    html`${turn.tier(tier)}${why !== "" && html`: <span lang="en">${why}</span>`}`,
    ...attempts.slice(0, -1).map((each) => turn.fellBack(each.model, each.failure ?? "")),
    timing.firstTokenMs !== undefined && turn.firstWords(spanText(timing.firstTokenMs, locale)),
    `${tokensText(usage, locale)}, ${costText([[model, usage]], context)}`,
    code && html`<code>${code}</code>`,
  ];
}

/** Leads an owner who asks for what was said to the address that shows it for a time; audited. */
const show: Action = async (_, context) => {
  const { viewer, locale } = context;
  if (viewer.role !== "owner") return { problem: locale.page.turn.ownersOnly };
  const found = await find(context);
  if (found === undefined) return { problem: locale.page.notFound };
  await context.services.audit.write(`page-${randomUUID()}`, actOf(found, context));
  // The log notes problems, and throws none.
  const query = { contents: "shown" };
  if (!(await mayRead(found, { ...context, query }))) return { problem: locale.page.turn.notNoted };
  const { chat, turn } = found;
  return { to: `${chatPath(chat)}/${turn}?contents=shown#contents`, done: "noted" };
};

const actOf = ({ chat, turn }: Named, { viewer }: ViewContext) =>
  ({ action: "contents-shown", by: viewer.person, chat, target: `${turn}` }) as const;

/** An owner, at this address, for a time after their line in the audit log. */
async function mayRead(named: Named, context: ViewContext): Promise<boolean> {
  const { viewer, query, nowMs, services } = context;
  if (viewer.role !== "owner" || query["contents"] !== "shown") return false;
  const act = actOf(named, context);
  return (await readLastAct(services.store, act, nowMs - shownForMs)) !== undefined;
}

/** What was said, and what an answer that is being written says so far. */
async function contentsOf(
  { chat, turn, open, logged, records }: TurnFacts,
  { locale, services: { redact, store } }: ViewContext,
): Promise<Html> {
  const { requests, soFar } = locale.page.turn;
  const growing = open ? await readDraftText(store, chat, turn) : "";
  const account =
    records.length === 0 ? "" : turnAccount(summarise(turn, records, logged?.end), records);
  const entries = (logged?.entries ?? []).map(saidIn);
  if (growing !== "") entries.push([soFar, growing]);
  return html`${entries.map(
    ([title = "", ...texts]) =>
      title !== "" &&
      html`<h3>${visible(title)}</h3>
        ${texts.map((text) => text && html`<pre>${redact(text)}</pre>`)}`,
  )}
  ${
    account !== "" &&
    html`<h3>${requests}</h3>
      <pre lang="en">${redact(account)}</pre>`
  }`;
}

/** Who or what has said something, and what it was; empty: nothing was. */
function saidIn(entry: LogEntry): readonly (string | undefined)[] {
  switch (entry.kind) {
    case "message":
    case "edit":
      return [entry.person.name, entry.text];
    case "reading":
      return [entry.of, entry.text, entry.failure];
    case "assistant": {
      const calls = entry.calls.map(({ name, arguments: given }) => `${name} ${given}`);
      return [entry.model, entry.reasoning, entry.text, ...calls];
    }
    case "tool":
      return [entry.name, entry.text];
    case "end":
      return entry.text === undefined ? [] : [entry.reason, entry.text];
    case "compaction":
      return [entry.strategy, entry.summary];
    case "reset":
    case "undo":
      return [];
    default:
      return unreachable(entry);
  }
}

/** One answer: where its time went, and, for an owner who asks, what was said. */
export const turnView: View = {
  name: "turn",
  path: "/chats/:chat/:turn",
  isInMenu: false,
  /** While it is being written, shortly after, and while its contents are shown. */
  async isLive(context) {
    const { kept, nowMs } = context;
    const facts = await find(context);
    if (facts?.open) kept.openAtMs = nowMs;
    if (nowMs - (kept.openAtMs ?? 0) < settlesMs) return true;
    return facts !== undefined && (await mayRead(facts, context));
  },
  read,
  actions: { show },
};
