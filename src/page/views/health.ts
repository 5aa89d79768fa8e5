import { moment } from "../../commands/moment.ts";
import { platformNames } from "../../core/chat.ts";
import { findingStatuses, type Finding } from "../../core/finding.ts";
import { unservedBot } from "../../core/outage.ts";
import { platformOf } from "../../jobs/notify-platforms.ts";
import { platformProblemLines } from "../../locales/platform-problem.ts";
import { languages, localeFor } from "../../locales/locale-for.ts";
import { fixOf } from "../../locales/error-lines.ts";
import type { Locale } from "../../locales/locale.ts";
import { countApprovals, oldestInboxMs } from "../../store/operations/backlog.ts";
import { createOutages, type Outage } from "../../store/operations/outages.ts";
import { createExamined } from "../../store/operations/examined.ts";
import { createProcesses } from "../../store/operations/processes.ts";
import { readServerFacts, type ServerFacts } from "../../store/redis/server-facts.ts";
import { ownVersion } from "../../util/version.ts";
import { namedChats } from "../chat-link.ts";
import { percentText, spanText, timeHtml } from "../format.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import { pauseNotices } from "../pause-notices.ts";
import { type Fact, factsOf, numbers, tableOf } from "../table.ts";
import type { Action, View, ViewContext } from "../view.ts";

type Part = (context: ViewContext) => Promise<Html>;

const section = (title: string, content: HtmlValue): Html =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;

/** What only owners see. */
const forOwners =
  (titleIn: (said: Locale["page"]["health"]) => string, content: Part): Part =>
  async (context) => {
    const said = context.locale.page.health;
    const isOwner = context.viewer.role === "owner";
    const shown = isOwner ? await content(context) : html`<p class="faint">${said.ownersOnly}</p>`;
    return section(titleIn(said), shown);
  };

const work: Part = async ({ locale, commands, services }) => {
  const said = locale.page.health;
  const [figures, oldestMs, approvals, bots, outages] = await Promise.all([
    commands.figures(),
    oldestInboxMs(services.store),
    countApprovals(services.store),
    services.connectedBots.all(),
    createOutages(services.store).list(),
  ]);
  const { number } = locale;
  const { turns, deliveries, deadLetters, pauses } = figures;
  const facts = factsOf("facts", [
    [said.running, html`<a href="/">${number(turns.active)}</a>`],
    [said.waiting, number(turns.waiting)],
    [said.oldest, oldestMs === 0 ? said.none : spanText(oldestMs, locale)],
    [said.deliveries, number(deliveries)],
    [said.approvals, number(approvals.pending)],
    [said.deadLetters, html`<a href="/dead-letters">${number(deadLetters)}</a>`],
    [said.bots, bots.length === 0 ? said.none : bots.join(", ")],
  ]);
  const { telegram } = services.settings;
  const apiRoot = telegram.enabled ? telegram.apiRoot : undefined;
  const failing = outages.map((outage) => outageNotice(outage, locale, apiRoot));
  return section(said.work, [...failing, ...pauseNotices(pauses, locale), facts]);
};

/** What owners were sent about a model that answers no one, or a platform. */
const outageNotice = (outage: Outage, locale: Locale, apiRoot: string | undefined): Html => {
  const { name, model, kind, sinceMs, unanswered } = outage;
  const bot = unservedBot(name);
  const platform = platformOf(bot ?? "");
  if (bot !== undefined && platform !== undefined)
    return html`<p class="notice problem">
      ${[
        locale.outage.cutOff(platformNames[platform], bot, moment(sinceMs)),
        ...platformProblemLines({ platform, kind, apiRoot }, locale),
      ].join(" ")}
    </p>`;
  const { stopped, replaced } = locale.outage;
  const said = unanswered > 0 ? stopped : replaced;
  return html`<p class="notice problem">
    ${said(model, moment(sinceMs))} ${kind}: ${fixOf(kind, locale)}
  </p>`;
};

const processes: Part = async ({ locale, language, nowMs, services: { store } }) => {
  const said = locale.page.health;
  const { unknown } = said;
  const listed = (await createProcesses(store).read()).toSorted(
    (one, other) => one.role.localeCompare(other.role) || one.host.localeCompare(other.host),
  );
  const versions = [...new Set(listed.map(({ version }) => version))].toSorted();
  const loads = [said.lag, said.busy, said.memory].map(numbers);
  const table = tableOf({
    caption: said.processes,
    empty: said.noProcesses,
    columns: [said.process, said.role, said.version, said.since, ...loads, said.seen],
    rows: listed.map(({ host, pid, role, version, sinceMs, atMs, ...load }) => [
      `${host} (${pid})`,
      role,
      version === ownVersion() ? version : html`<strong class="differs">${version}</strong>`,
      sinceMs === undefined ? unknown : timeHtml(sinceMs),
      load.lagP99Ms === undefined ? unknown : milliseconds(load.lagP99Ms, locale),
      load.busy === undefined ? unknown : percentText(load.busy, language),
      load.memoryBytes === undefined ? unknown : megabytes(load.memoryBytes, locale),
      said.ago(spanText(nowMs - atMs, locale)),
    ]),
  });
  const skew = html`<p class="notice problem">${said.skew(versions.join(", "))}</p>`;
  return section(said.processes, [versions.length > 1 && skew, table]);
};

const tenths = (value: number): number => Math.round(value * 10) / 10;
const milliseconds = (ms: number, { number }: Locale): string => `${number(tenths(ms))} ms`;
const megabytes = (bytes: number, { number }: Locale): string =>
  `${number(tenths(bytes / 1e6))} MB`;

const redis: Part = async ({ locale, services: { store } }) => {
  const servers = await readServerFacts(store.redis);
  return section(
    "Redis",
    servers.map((facts) => [
      facts.name !== "" && html`<h3>${facts.name}</h3>`,
      factsOf("facts", redisFacts(facts, locale)),
    ]),
  );
};

const redisFacts = (facts: ServerFacts, locale: Locale): readonly Fact[] => {
  const said = locale.page.health;
  const { version, usedBytes, maxBytes, hasAppendOnlyFile, appendfsync, cannotWrite } = facts;
  const size = (bytes: number): string => megabytes(bytes, locale);
  const writes = hasAppendOnlyFile ? `append-only, ${appendfsync ?? said.unknown}` : said.notKept;
  const broken = html`<strong class="differs">${said.cannotWrite}</strong>`;
  return [
    [said.version, version ?? said.unknown],
    [said.memory, maxBytes === 0 ? size(usedBytes) : said.of(size(usedBytes), size(maxBytes))],
    [said.persistence, cannotWrite ? broken : writes],
    [said.clients, locale.number(facts.clients)],
    [said.latency, milliseconds(facts.answersInMs, locale)],
  ];
};

/** As `/doctor`. */
const examination = forOwners(
  ({ examination }) => examination,
  async ({ locale, language, services }) => {
    const said = locale.page.health;
    const last = await createExamined(services.store).read();
    const found = last?.findings[language] ?? last?.findings["en"] ?? [];
    const list = found
      .toSorted((one, other) => rank(one) - rank(other))
      .map(
        ({ status, what, why, fix }) =>
          html`<li class="${status}">
            <span class="tag">${said.statuses[status]}</span> ${what}
            ${status !== "ok" && why !== undefined && html`<br />${why}`}
            ${fix !== undefined && html`<br /><span class="faint">${locale.doctor.fix(fix)}</span>`}
          </li>`,
      );
    return html`<form method="post" action="/health/examine">
        <button>${said.examine}</button> <span class="faint">${said.takes}</span>
      </form>
      ${
        last === undefined
          ? html`<p class="empty">${said.empty}</p>`
          : html`<p class="faint">${said.examinedAt} ${timeHtml(last.atMs)}</p>
              <ul class="findings">
                ${list}
              </ul>`
      }`;
  },
);

/** The worst comes first. */
const rank = ({ status }: Pick<Finding, "status">): number => -findingStatuses.indexOf(status);

/** As `/doctor`: for owners. */
const examine: Action = async (_, { viewer, locale, commands, services }) => {
  if (viewer.role !== "owner") return { problem: locale.page.health.ownersOnly };
  const found = await commands.doctor();
  await createExamined(services.store).note(
    Object.fromEntries(languages.map((each) => [each, found(localeFor(each))])),
  );
  return { to: "/health", done: "examined" };
};

/** As `/error`. */
const errors = forOwners(
  ({ errors }) => errors,
  async (context) => {
    const { page } = context.locale;
    const said = page.health;
    const { when } = page.audit;
    const { model: modelName } = page.spend.names;
    const reports = await context.commands.errors.list();
    const named = await namedChats(reports, context);
    return tableOf({
      caption: said.errors,
      empty: said.noErrors,
      columns: [said.id, when, said.kind, modelName, said.cause, page.titles.chat],
      rows: reports.map(({ id, atMs, kind, model, cause, chat }) => [
        id,
        timeHtml(atMs),
        kind,
        model ?? said.none,
        html`${cause}<br /><span class="faint">${fixOf(kind, context.locale)}</span>`,
        named(chat).link,
      ]),
    });
  },
);

/** Whether everything runs: processes, Redis, what waits, and what was found wrong. */
export const healthView: View = {
  name: "health",
  path: "/health",
  isInMenu: true,
  async read(context) {
    const parts = [work, processes, redis, examination, errors];
    return html`${await Promise.all(parts.map((part) => part(context)))}`;
  },
  actions: { examine },
};
