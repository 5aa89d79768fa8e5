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
import { namedChats } from "../chat-link.ts";
import { percentText } from "../format.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import { choiceOf, pageLinks, queryOf } from "../links.ts";
import { factsOf, numbers, tableOf } from "../table.ts";
import type { View, ViewContext } from "../view.ts";
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
  async read(context) {
    const spent = createSpent(context.services.store);
    await context.services.limits.flush();
    const days = await spent.days(listedSince(context.nowMs));
    const shown = shownOf(context, days);
    const scene: Scene = { ...context, spent, ...shown };
    const { by = order } = shown;
    const tables = await Promise.all([by].flat().map((each) => tableBy(scene, each)));
    const isEmpty = tables.every((table) => table === undefined);
    return html`${periodsOf(scene)} ${await totalOf(scene)}
    ${isEmpty ? html`<p class="empty">${context.locale.page.spend.empty}</p>` : tables}
    ${by === order && chartOf(context, days.slice(-chartDays))}`;
  },
};

/** Chats first: the most expensive one is what is looked for most. */
const order: readonly SpentBy[] = ["chat", "person", "model"];

interface Scene extends ViewContext, Shown {
  readonly spent: SpentStore;
}

const addressOf = (
  { period, by, query }: Scene,
  change: Readonly<Record<string, string | undefined>> = {},
): string => `/spend${queryOf({ period, by, sort: query["sort"], ...change })}`;

function periodsOf(scene: Scene): Html {
  const { period, stored, by } = scene;
  const said = scene.locale.page.spend;
  const named = periods.map((each) => {
    const href = addressOf(scene, { period: each });
    return { href, text: said.periods[each], isCurrent: each === period };
  });
  const isNamed = named.some(({ isCurrent }) => isCurrent);
  const day = { href: addressOf(scene), text: stored, isCurrent: true };
  return html`<div class="toolbar">
    ${choiceOf(said.period, [...named, ...(isNamed ? [] : [day])])}
    <span class="faint">${stored} (UTC)</span>
    ${by !== undefined && html`<a href="${addressOf(scene, { by: undefined })}">${said.allTables}</a>`}
  </div>`;
}

/** The whole period, against the limits of everyone together. */
async function totalOf(scene: Scene): Promise<Html> {
  const { locale, total, services } = scene;
  const said = locale.page.spend;
  const caps = await services.limits.limitService.capsOn({ type: "everyone" });
  return html`${factsOf("tiles", [
    [said.cost, locale.money(total.costUsd)],
    [said.tokens, locale.number(total.tokens)],
    [said.answers, locale.number(total.count)],
  ])}
  ${against(scene, total, caps).map((each) => html`<p>${said.everyone}: ${each}</p>`)}`;
}

/** The limits on tokens and cost in the same window, the one that is used most first. */
function against(
  { locale, language, per }: Scene,
  row: SpentRow,
  caps: readonly Cap[],
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
  const { locale, language, spent, stored, sort, total, page } = scene;
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
    ...numbers(name),
    href: addressOf(scene, { sort: metric, page: undefined }),
    isSorted: sort === metric,
  });
  const shareOf = ({ costUsd, tokens }: SpentRow): number =>
    total.costUsd > 0 ? costUsd / total.costUsd : tokens / Math.max(1, total.tokens);
  const to = (other: number): string => addressOf(scene, { page: String(other) });
  const until = Math.min(from + count, found.total);
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
      rows: found.rows.map((row, index) => [
        names[index],
        locale.money(row.costUsd),
        percentText(shareOf(row), language),
        locale.number(row.tokens),
        locale.number(row.count),
        limits[index] ?? html`<span class="faint">${said.noLimit}</span>`,
      ]),
    })}
    ${
      isAlone
        ? pageLinks(locale.page, {
            previous: from > 0 && to(page - 1),
            position: said.position(from + 1, until, found.total),
            next: until < found.total && to(page + 1),
          })
        : found.total > count &&
          html`<p><a href="${addressOf(scene, { by })}">${said.all(found.total)}</a></p>`
    }
  </section>`;
}

/** What the rows are called: people, groups and direct chats by their names, with the id. */
async function namesOf(
  scene: Scene,
  by: SpentBy,
  rows: readonly SpentRow[],
): Promise<readonly HtmlValue[]> {
  const ids = rows.map(({ name }) => name);
  if (by === "model") return ids.map((model) => visible(model));
  if (by === "chat") {
    const chats = ids.map((id) => ({ chat: chatKey(parseChatKey(id)) }));
    const named = await namedChats(chats, scene);
    return chats.map(({ chat }) => named(chat).link);
  }
  const known = await scene.commands.people.knownPeople(ids);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return ids.map((id) => {
    const name = names.get(id);
    return name === undefined ? id : html`${visible(name)} <span class="faint">${id}</span>`;
  });
}

async function limitsOf(scene: Scene, by: SpentBy, row: SpentRow): Promise<Html | undefined> {
  if (by === "model") return undefined;
  const { access, limits } = scene.services;
  const { name } = row;
  const caps = await limits.limitService.capsOn(
    by === "chat"
      ? { type: "chat", chat: chatKey(parseChatKey(name)) }
      : { type: "person", id: name, role: await access.roleOf({ id: name, name }) },
  );
  return against(scene, row, caps)[0];
}

function chartOf({ locale }: ViewContext, days: readonly SpentRow[]): Html | false {
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
      bars: days.map(({ name }, index) => {
        const value = values[index] ?? 0;
        return { name, value, text: textOf(value) };
      }),
    })}
    <details>
      <summary>${said.figures}</summary>
      ${tableOf({
        caption: said.chart,
        columns: [said.day, numbers(said.cost), numbers(said.tokens), numbers(said.answers)],
        rows: days
          .toReversed()
          .map(({ name, costUsd, tokens, count }, index) => [
            index < listedDays ? html`<a href="/spend?period=${name}">${name}</a>` : name,
            locale.money(costUsd),
            locale.number(tokens),
            locale.number(count),
          ]),
      })}
    </details>
    <p class="faint">${said.unpriced}</p>
  </section>`;
}
