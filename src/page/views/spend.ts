import { chatKey, parseChatKey } from "../../core/chat.ts";
import type { Cap } from "../../core/limits.ts";
import { amountPhrase, maxPhrase } from "../../locales/limit-sentence.ts";
import {
  createSpent,
  type SpentBy,
  type SpentMetric,
  type SpentRow,
  type SpentStore,
} from "../../store/limits/spent.ts";
import { visible } from "../../text/visible-text.ts";
import { barChart, meter } from "../chart.ts";
import { chatLink, namesOfChats } from "../chat-link.ts";
import { factsOf } from "../facts.ts";
import { percentText } from "../format.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import { choiceOf, queryOf } from "../links.ts";
import { numbers, tableOf } from "../table.ts";
import type { View, ViewDeps, ViewRequest } from "../view.ts";
import {
  chartDays,
  listedDays,
  listedSince,
  periods,
  shownOf,
  type Shown,
} from "./spend-period.ts";

/** Rows of each table, and of one alone. */
const topCount = 10;
const pageCount = 50;

/** What is spent, by which people, where and on which models, against the limits that hold now. */
export const spendView: View = {
  name: "spend",
  path: "/spend",
  isInMenu: true,
  async read(request, deps) {
    const spent = createSpent(deps.services.store);
    await deps.services.limits.flush();
    const days = await spent.days(listedSince(request.nowMs));
    const shown = shownOf(request, days);
    const scene: Scene = { request, deps, spent, ...shown };
    const { by } = shown;
    const tables = await Promise.all(
      (by === undefined ? order : [by]).map((each) => tableBy(scene, each)),
    );
    return html`${periodsOf(scene)} ${await totalOf(scene)}
    ${
      tables.every((table) => table === undefined)
        ? html`<p class="empty">${request.locale.page.spend.empty}</p>`
        : tables
    }
    ${by === undefined && chartOf(request, days.slice(-chartDays))}`;
  },
};

/** Chats first: the most expensive one is what is looked for most. */
const order: readonly SpentBy[] = ["chat", "person", "model"];

interface Scene extends Shown {
  readonly request: ViewRequest;
  readonly deps: ViewDeps;
  readonly spent: SpentStore;
}

const addressOf = (
  { period, by, request }: Pick<Scene, "period" | "by" | "request">,
  change: Readonly<Record<string, string | undefined>> = {},
): string => `/spend${queryOf({ period, by, sort: request.query["sort"], ...change })}`;

function periodsOf(scene: Scene): Html {
  const said = scene.request.locale.page.spend;
  const isNamed = periods.some((each) => each === scene.period);
  return html`<div class="toolbar">
    ${choiceOf(said.period, [
      ...periods.map((period) => ({
        href: addressOf(scene, { period }),
        text: said.periods[period],
        isCurrent: period === scene.period,
      })),
      ...(isNamed ? [] : [{ href: addressOf(scene), text: scene.stored, isCurrent: true }]),
    ])}
    <span class="faint">${scene.stored} (UTC)</span>
    ${scene.by !== undefined && html`<a href="${addressOf(scene, { by: undefined })}">${said.allTables}</a>`}
  </div>`;
}

/** The whole period, against the limits of everyone together. */
async function totalOf({ request, deps, total, per }: Scene): Promise<Html> {
  const { locale } = request;
  const said = locale.page.spend;
  const caps = await deps.services.limits.limitService.capsOn({ type: "everyone" });
  return html`${factsOf("tiles", [
    [said.cost, locale.money(total.costUsd)],
    [said.tokens, locale.number(total.tokens)],
    [said.answers, locale.number(total.count)],
  ])}
  ${against(request, { row: total, caps, per }).map((each) => html`<p>${said.everyone}: ${each}</p>`)}`;
}

/** The limits on tokens and cost in the same window, the one that is used most first. */
function against(
  { locale, language }: ViewRequest,
  {
    row,
    caps,
    per,
  }: { readonly row: SpentRow; readonly caps: readonly Cap[]; readonly per: string },
): readonly Html[] {
  return caps
    .flatMap(({ limit: { metric, per: window, max } }) => {
      if (window !== per || (metric !== "tokens" && metric !== "cost")) return [];
      const used = metric === "cost" ? row.costUsd : row.tokens;
      return [{ metric, used, max, share: max === 0 ? 1 : used / max }];
    })
    .toSorted((one, other) => other.share - one.share)
    .map(({ metric, used, max, share }) => {
      const usedText = amountPhrase(metric, used, locale);
      const most =
        metric === "tokens" ? locale.limits.amount.tokens(max) : maxPhrase(metric, max, locale);
      const text = locale.page.spend.used(usedText, most, percentText(share, language));
      return html`<span class="against">${meter({ used, limit: max })} ${text}</span>`;
    });
}

async function tableBy(scene: Scene, by: SpentBy): Promise<Html | undefined> {
  const { request, spent, stored, sort, total, page } = scene;
  const { locale, language } = request;
  const said = locale.page.spend;
  const isAlone = scene.by !== undefined;
  const count = isAlone ? pageCount : topCount;
  const from = isAlone ? (page - 1) * count : 0;
  const found = await spent.top(stored, by, { sort, from, count });
  if (found.rows.length === 0) return undefined;
  const [names, limits] = await Promise.all([
    namesOf(scene, by, found.rows),
    Promise.all(found.rows.map((row) => limitsOf(scene, by, row))),
  ]);
  const column = (name: string, metric: SpentMetric) => ({
    name,
    isNumber: true,
    href: addressOf(scene, { sort: metric, page: undefined }),
    isSorted: sort === metric,
  });
  const shareOf = ({ costUsd, tokens }: SpentRow): number =>
    total.costUsd > 0 ? costUsd / total.costUsd : tokens / Math.max(1, total.tokens);
  return html`<section>
    <h2>${said.by[by]}</h2>
    ${tableOf({
      caption: said.by[by],
      columns: [
        said.names[by],
        column(said.cost, "usd"),
        numbers(said.share),
        column(said.tokens, "tokens"),
        column(by === "model" ? said.requests : said.answers, "count"),
        ...(by === "model" ? [] : [said.limit]),
      ],
      rows: found.rows.map((row, index) => ({
        cells: [
          names[index],
          locale.money(row.costUsd),
          percentText(shareOf(row), language),
          locale.number(row.tokens),
          locale.number(row.count),
          limits[index] ?? html`<span class="faint">${said.noLimit}</span>`,
        ],
      })),
    })}
    ${
      isAlone
        ? pagesOf(scene, { from, count, total: found.total })
        : found.total > count &&
          html`<p><a href="${addressOf(scene, { by })}">${said.all(found.total)}</a></p>`
    }
  </section>`;
}

function pagesOf(
  scene: Scene,
  { from, count, total }: { readonly from: number; readonly count: number; readonly total: number },
): Html | false {
  const said = scene.request.locale.page.spend;
  const to = (page: number): string => addressOf(scene, { page: String(page) });
  const [hasBefore, hasMore] = [from > 0, from + count < total];
  return (
    (hasBefore || hasMore) &&
    html`<nav class="pages" aria-label="${said.pages}">
      ${hasBefore && html`<a href="${to(scene.page - 1)}" rel="prev">${said.previous}</a>`}
      <span>${said.position(from + 1, Math.min(from + count, total), total)}</span>
      ${hasMore && html`<a href="${to(scene.page + 1)}" rel="next">${said.next}</a>`}
    </nav>`
  );
}

/** What the rows are called: people, groups and direct chats by their names, with the id. */
async function namesOf(
  { request, deps }: Scene,
  by: SpentBy,
  rows: readonly SpentRow[],
): Promise<readonly HtmlValue[]> {
  const ids = rows.map(({ name }) => name);
  if (by === "model") return ids.map((model) => visible(model));
  if (by === "chat") {
    const chats = ids.map((id) => ({ chat: chatKey(parseChatKey(id)) }));
    const nameOf = await namesOfChats(chats, request, deps);
    return chats.map(({ chat }) => chatLink(chat, nameOf(chat)));
  }
  const known = await deps.commands.people.knownPeople(ids);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return ids.map((id) => personOf(id, names.get(id)));
}

const personOf = (id: string, name: string | undefined): Html =>
  name === undefined ? html`${id}` : html`${visible(name)} <span class="faint">${id}</span>`;

async function limitsOf(
  { request, deps, per }: Scene,
  by: SpentBy,
  row: SpentRow,
): Promise<Html | undefined> {
  if (by === "model") return undefined;
  const { access, limits } = deps.services;
  const { name } = row;
  const caps = await limits.limitService.capsOn(
    by === "chat"
      ? { type: "chat", chat: chatKey(parseChatKey(name)) }
      : { type: "person", id: name, role: await access.roleOf({ id: name, name }) },
  );
  return against(request, { row, caps, per })[0];
}

function chartOf({ locale }: ViewRequest, days: readonly SpentRow[]): Html | false {
  const said = locale.page.spend;
  const isPriced = days.some(({ costUsd }) => costUsd > 0);
  if (!isPriced && days.every(({ tokens }) => tokens === 0)) return false;
  const valueOf = ({ costUsd, tokens }: SpentRow): number => (isPriced ? costUsd : tokens);
  const textOf = (value: number): string =>
    isPriced ? locale.money(value) : locale.limits.amount.tokens(value);
  const values = days.map(valueOf);
  const total = values.reduce((sum, each) => sum + each, 0);
  return html`<section>
    <h2>${said.chart}</h2>
    ${barChart({
      label: said.chartSays(textOf(total), textOf(Math.max(...values))),
      bars: days.map((day) => ({
        name: day.name,
        value: valueOf(day),
        text: textOf(valueOf(day)),
      })),
    })}
    <details>
      <summary>${said.figures}</summary>
      ${tableOf({
        caption: said.chart,
        columns: [said.day, numbers(said.cost), numbers(said.tokens), numbers(said.answers)],
        rows: days.toReversed().map((day, index) => ({
          cells: [
            index < listedDays
              ? html`<a href="/spend?period=${day.name}">${day.name}</a>`
              : day.name,
            locale.money(day.costUsd),
            locale.number(day.tokens),
            locale.number(day.count),
          ],
        })),
      })}
    </details>
    <p class="faint">${said.unpriced}</p>
  </section>`;
}
