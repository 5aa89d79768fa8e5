import { randomUUID } from "node:crypto";
import { summarise, usageOf } from "../../cli/trace-summary.ts";
import { turnAccount } from "../../cli/trace-text.ts";
import { unreachable } from "../../core/errors.ts";
import type { LogEntry } from "../../core/history.ts";
import type { TraceRecord } from "../../core/trace.ts";
import { visible } from "../../text/visible-text.ts";
import { answererOf, type Answerer } from "../answerer.ts";
import { chatNamed, chatPath, namesOfChats } from "../chat-link.ts";
import { factsOf, type Fact } from "../facts.ts";
import { costText, modelHtml, spanText, timeHtml } from "../format.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import { swatch, timelineSvg } from "../svg.ts";
import { numbers, tableOf } from "../table.ts";
import { longestOf, type Part, type Timeline } from "../timeline.ts";
import { readTurnFacts, type TurnFacts } from "../turn-facts.ts";
import type { Action, View, ViewDeps, ViewRequest } from "../view.ts";

export const turnView: View = {
  name: "turn",
  path: "/chats/:chat/:turn",
  isInMenu: false,
  read: async (request, deps) => (await readPage(request, deps))?.page,
  actions: { show },
};

async function readPage(request: ViewRequest, deps: ViewDeps) {
  const chat = chatNamed(request.params["chat"]);
  const number = request.params["turn"] ?? "";
  if (chat === undefined || !/^\d{1,15}$/.test(number)) return undefined;
  const turn = Number(number);
  const [facts, nameOf] = await Promise.all([
    readTurnFacts(deps.services, chat, turn),
    namesOfChats([{ chat }], request, deps),
  ]);
  if (facts === undefined) return undefined;
  const persona = facts.persona ?? (facts.open && (await answererOf(facts.open, deps)).persona);
  const { page } = request.locale;
  const { timeline, records } = facts;
  const verdict = timeline && verdictOf(timeline, request);
  return {
    chat,
    turn,
    facts,
    page: html`<p>
        <strong>${nameOf(chat)}</strong> <span class="faint">${chat}</span>
        <a href="${chatPath(chat)}">${page.turn.back}</a>
      </p>
      ${verdict !== undefined && html`<p class="verdict">${verdict}</p>`}
      ${summaryOf({ ...facts, persona }, request, deps)}
      ${
        timeline === undefined
          ? html`<p>${page.turn.empty}</p>`
          : html`<h2>${page.turn.timeline}</h2>
              ${timelineSvg(timeline, verdict ?? page.turn.timeline)}
              ${stepsOf(timeline, request, deps)}`
      }
      ${records.length === 0 && html`<p class="faint">${page.turn.noTrace}</p>`}
      <h2>${page.turn.contents}</h2>
      ${
        request.viewer.role === "owner"
          ? html`<form method="post" action="${chatPath(chat)}/${turn}/show">
              <p class="faint">${page.turn.showHow}</p>
              <button>${page.turn.show}</button>
            </form>`
          : html`<p class="faint">${page.turn.ownersOnly}</p>`
      }`,
  };
}

/** Where the time went, in a sentence. */
function verdictOf(timeline: Timeline, { locale }: ViewRequest): string | undefined {
  const { most, longest, kinds } = locale.page.turn;
  const found = longestOf(timeline);
  if (found === undefined) return undefined;
  const totalMs = timeline.toMs - timeline.fromMs;
  const say = found.ms * 2 > totalMs ? most : longest;
  return say(spanText(totalMs, locale), kinds[found.kind], spanText(found.ms, locale));
}

function summaryOf(
  { open, logged, records, persona }: TurnFacts & Pick<Answerer, "persona">,
  { locale }: ViewRequest,
  { costOf }: ViewDeps,
): Html {
  const { turn, chat, now } = locale.page;
  const { columns } = now;
  const traced = records.map((record) => [record.model, usageOf(record)] as const);
  const used = traced.length > 0 ? traced : [...(logged?.usage ?? [])];
  const sum = (of: "inputTokens" | "outputTokens"): string =>
    locale.number(used.reduce((total, [, usage]) => total + usage[of], 0));
  const models = [...new Set(used.map(([model]) => model))].join(", ");
  const outcome = open ? chat.running : logged?.end && turn.ends[logged.end];
  const facts: readonly Fact[] = [
    [chat.columns.when, logged?.askedAtMs && timeHtml(logged.askedAtMs)],
    [columns.person, logged?.person && visible(logged.person)],
    [chat.columns.outcome, outcome],
    [
      columns.model,
      models === "" && persona === undefined ? "" : modelHtml(models || "–", { persona, locale }),
    ],
    [chat.facts.used, used.length > 0 && turn.inAndOut(sum("inputTokens"), sum("outputTokens"))],
    [columns.cost, costText(used, { costOf, locale })],
  ];
  return factsOf("about", facts.filter(isKnown));
}

const isKnown = ([, value]: Fact): boolean =>
  value !== undefined && value !== "" && value !== false;

function stepsOf({ parts, fromMs }: Timeline, { locale }: ViewRequest, { costOf }: ViewDeps): Html {
  const { columns, timeline, rows } = locale.page.turn;
  return tableOf({
    caption: timeline,
    columns: [columns.part, numbers(columns.started), numbers(columns.lasted), columns.details],
    rows: parts.map((each) => ({
      cells: [
        html`${swatch(each.kind)} ${rows[each.kind]}`,
        `+${spanText(each.fromMs - fromMs, locale)}`,
        spanText(each.toMs - each.fromMs, locale),
        [...detailsOf(each), ...(each.record ? callOf(each.record, locale, costOf) : [])].map(
          (line) => html`<div>${line}</div>`,
        ),
      ],
    })),
  });
}

const detailsOf = ({ name = "", outcome = "" }: Part): readonly string[] =>
  [name, outcome].filter((line) => line !== "").map((line) => visible(line));

/** Which model was asked and why, what came before it, and how it ended. */
function callOf(
  record: TraceRecord,
  locale: ViewRequest["locale"],
  costOf: ViewDeps["costOf"],
): readonly HtmlValue[] {
  const { turn } = locale.page;
  const { tier, why, attempts, response, timing, model } = record;
  const usage = usageOf(record);
  const failed = attempts.slice(0, -1);
  const { failure, finish } = response;
  return [
    html`${turn.tier(tier)}${why !== "" && html`: <span lang="en">${why}</span>`}`,
    ...failed.map((attempt) => turn.fellBack(attempt.model, attempt.failure ?? "")),
    timing.firstTokenMs !== undefined && turn.firstWords(spanText(timing.firstTokenMs, locale)),
    `${turn.inAndOut(locale.number(usage.inputTokens), locale.number(usage.outputTokens))}, ${costText([[model, usage]], { costOf, locale })}`,
    failure === undefined
      ? finish && html`<code>${finish}</code>`
      : html`<code>${failure.kind}</code>`,
  ].filter((line) => line !== undefined && line !== false);
}

/** What was said, for an owner who asks for it, in this response only; audited. */
async function show(...[, request, deps]: Parameters<Action>): ReturnType<Action> {
  const { viewer, locale } = request;
  if (viewer.role !== "owner") return { problem: locale.page.turn.ownersOnly };
  const found = await readPage(request, deps);
  if (found === undefined) return { problem: locale.page.notFound };
  const { chat, turn, facts, page } = found;
  const { services } = deps;
  await services.audit.write(`page-${randomUUID()}`, {
    action: "contents-shown",
    by: viewer.person,
    chat,
    target: String(turn),
  });
  const { records, logged } = facts;
  const account =
    records.length === 0 ? "" : turnAccount(summarise(turn, records, logged?.end), records);
  return {
    show: html`${page} ${(logged?.entries ?? []).map((entry) => entryHtml(entry, services.redact))}
    ${
      account !== "" &&
      html`<h3>${locale.page.turn.requests}</h3>
        <pre lang="en">${services.redact(account)}</pre>`
    }`,
  };
}

function entryHtml(entry: LogEntry, redact: (text: string) => string): HtmlValue {
  const shown = (title: string, ...texts: readonly (string | undefined)[]): Html =>
    html`<h3>${visible(title)}</h3>
      ${texts.map((text) => text !== undefined && text !== "" && html`<pre>${redact(text)}</pre>`)}`;
  switch (entry.kind) {
    case "message":
    case "edit":
      return shown(entry.person.name, entry.text);
    case "reading":
      return shown(entry.of, entry.text, entry.failure);
    case "assistant":
      return shown(
        entry.model,
        entry.reasoning,
        entry.text,
        ...entry.calls.map(({ name, arguments: given }) => `${name} ${given}`),
      );
    case "tool":
      return shown(entry.name, entry.text);
    case "end":
      return entry.text !== undefined && shown(entry.reason, entry.text);
    case "compaction":
      return shown(entry.strategy, entry.summary);
    case "reset":
    case "undo":
      return false;
    default:
      return unreachable(entry);
  }
}
