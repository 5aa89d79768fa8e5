import { findingStatuses, type Finding } from "../../core/finding.ts";
import { languages, localeFor } from "../../locales/locale-for.ts";
import type { Locale } from "../../locales/locale.ts";
import { countApprovals, oldestInboxMs } from "../../store/operations/backlog.ts";
import { createExamined } from "../../store/operations/examined.ts";
import { createProcesses } from "../../store/operations/processes.ts";
import { readServerFacts, type ServerFacts } from "../../store/redis/server-facts.ts";
import { ownVersion } from "../../util/version.ts";
import { chatLink, namesOfChats } from "../chat-link.ts";
import { factsOf, type Fact } from "../facts.ts";
import { percentText, spanText, timeHtml } from "../format.ts";
import { html, type Html } from "../html.ts";
import { pauseNotices } from "../pause-notices.ts";
import { numbers, tableOf } from "../table.ts";
import type { Action, View, ViewDeps, ViewRequest } from "../view.ts";

type Part = (request: ViewRequest, deps: ViewDeps) => Promise<Html>;

const work: Part = async ({ locale }, { commands, services }) => {
  const said = locale.page.health;
  const [figures, oldestMs, approvals, bots] = await Promise.all([
    commands.figures(),
    oldestInboxMs(services.store),
    countApprovals(services.store),
    services.connectedBots.all(),
  ]);
  const { number } = locale;
  const { turns, deliveries, deadLetters, pauses } = figures;
  return html`<section>
    <h2>${said.work}</h2>
    ${pauseNotices(pauses, locale)}
    ${factsOf("facts", [
      [said.running, html`<a href="/">${number(turns.active)}</a>`],
      [said.waiting, number(turns.waiting)],
      [said.oldest, oldestMs === 0 ? said.none : spanText(oldestMs, locale)],
      [said.deliveries, number(deliveries)],
      [said.approvals, number(approvals.pending)],
      [said.deadLetters, html`<a href="/dead-letters">${number(deadLetters)}</a>`],
      [said.bots, bots.length === 0 ? said.none : bots.join(", ")],
    ])}
  </section>`;
};

const processes: Part = async ({ locale, language, nowMs }, { services: { store } }) => {
  const said = locale.page.health;
  const listed = (await createProcesses(store).read()).toSorted(
    (one, other) => one.role.localeCompare(other.role) || one.host.localeCompare(other.host),
  );
  const versions = [...new Set(listed.map(({ version }) => version))].toSorted();
  return html`<section>
    <h2>${said.processes}</h2>
    ${versions.length > 1 && html`<p class="notice problem">${said.skew(versions.join(", "))}</p>`}
    ${tableOf({
      caption: said.processes,
      empty: said.noProcesses,
      columns: [
        said.process,
        said.role,
        said.version,
        said.since,
        numbers(said.lag),
        numbers(said.busy),
        numbers(said.memory),
        said.seen,
      ],
      rows: listed.map(({ host, pid, role, version, sinceMs, atMs, ...load }) => ({
        cells: [
          `${host} (${pid})`,
          role,
          version === ownVersion() ? version : html`<strong class="differs">${version}</strong>`,
          sinceMs === undefined ? said.unknown : timeHtml(sinceMs),
          load.lagP99Ms === undefined ? said.unknown : milliseconds(load.lagP99Ms, locale),
          load.busy === undefined ? said.unknown : percentText(load.busy, language),
          load.memoryBytes === undefined ? said.unknown : megabytes(load.memoryBytes, locale),
          said.ago(spanText(nowMs - atMs, locale)),
        ],
      })),
    })}
  </section>`;
};

const tenths = (value: number): number => Math.round(value * 10) / 10;
const milliseconds = (ms: number, { number }: Locale): string => `${number(tenths(ms))} ms`;
const megabytes = (bytes: number, { number }: Locale): string =>
  `${number(tenths(bytes / 1e6))} MB`;

const redis: Part = async ({ locale }, { services: { store } }) => {
  const servers = await readServerFacts(store.redis);
  return html`<section>
    <h2>Redis</h2>
    ${servers.map((facts) => html`${facts.name !== "" && html`<h3>${facts.name}</h3>`} ${factsOf("facts", redisFacts(facts, locale))}`)}
  </section>`;
};

const redisFacts = (facts: ServerFacts, locale: Locale): readonly Fact[] => {
  const said = locale.page.health;
  const { version, usedBytes, maxBytes, hasAppendOnlyFile, appendfsync, cannotWrite } = facts;
  const size = (bytes: number): string => megabytes(bytes, locale);
  const writes = hasAppendOnlyFile ? `append-only, ${appendfsync ?? said.unknown}` : said.notKept;
  return [
    [said.version, version ?? said.unknown],
    [said.memory, maxBytes === 0 ? size(usedBytes) : said.of(size(usedBytes), size(maxBytes))],
    [
      said.persistence,
      cannotWrite ? html`<strong class="differs">${said.cannotWrite}</strong>` : writes,
    ],
    [said.clients, locale.number(facts.clients)],
    [said.latency, milliseconds(facts.answersInMs, locale)],
  ];
};

const examination: Part = async ({ locale, language, viewer }, { services }) => {
  const said = locale.page.health;
  if (viewer.role !== "owner")
    return html`<section>
      <h2>${said.examination}</h2>
      <p class="faint">${said.ownersOnly}</p>
    </section>`;
  const last = await createExamined(services.store).read();
  return html`<section>
    <h2>${said.examination}</h2>
    <form method="post" action="/health/examine">
      <button>${said.examine}</button> <span class="faint">${said.takes}</span>
    </form>
    ${
      last === undefined
        ? html`<p class="empty">${said.empty}</p>`
        : html`<p class="faint">${said.examinedAt} ${timeHtml(last.atMs)}</p>
            <ul class="findings">
              ${worstFirst(last.findings[language] ?? last.findings["en"] ?? []).map(
                ({ status, what, why, fix }) =>
                  html`<li class="${status}">
                    <span class="tag">${said.statuses[status]}</span> ${what}
                    ${status !== "ok" && why !== undefined && html`<br />${why}`}
                    ${fix !== undefined && html`<br /><span class="faint">${locale.doctor.fix(fix)}</span>`}
                  </li>`,
              )}
            </ul>`
    }
  </section>`;
};

const worstFirst = <Each extends Pick<Finding, "status">>(
  findings: readonly Each[],
): readonly Each[] =>
  findings.toSorted(
    (one, other) => findingStatuses.indexOf(other.status) - findingStatuses.indexOf(one.status),
  );

/** As `/doctor`: for owners. */
const examine: Action = async (_, { viewer, locale }, { commands, services }) => {
  if (viewer.role !== "owner") return { problem: locale.page.health.ownersOnly };
  const found = await commands.doctor();
  await createExamined(services.store).note(
    Object.fromEntries(languages.map((each) => [each, found(localeFor(each))])),
  );
  return { to: "/health", done: "examined" };
};

/** As `/error`: for owners. */
const errors: Part = async (request, deps) => {
  const { locale, viewer } = request;
  const { page } = locale;
  const said = page.health;
  const reports = viewer.role === "owner" ? await deps.commands.errors.list() : undefined;
  const nameOf = await namesOfChats(reports ?? [], request, deps);
  return html`<section>
    <h2>${said.errors}</h2>
    ${
      reports === undefined
        ? html`<p class="faint">${said.ownersOnly}</p>`
        : tableOf({
            caption: said.errors,
            empty: said.noErrors,
            columns: [
              said.id,
              page.audit.when,
              said.kind,
              page.spend.names.model,
              said.cause,
              page.titles.chat,
            ],
            rows: reports.map(({ id, atMs, kind, model, cause, chat }) => ({
              cells: [
                id,
                timeHtml(atMs),
                kind,
                model ?? said.none,
                html`${cause}<br /><span class="faint">${locale.errors.fix[kind]}</span>`,
                chatLink(chat, nameOf(chat)),
              ],
            })),
          })
    }
  </section>`;
};

/** Whether everything runs: processes, Redis, what waits, and what was found wrong. */
export const healthView: View = {
  name: "health",
  path: "/health",
  isInMenu: true,
  async read(request, deps) {
    const parts = [work, processes, redis, examination, errors];
    return html`${await Promise.all(parts.map((part) => part(request, deps)))}`;
  },
  actions: { examine },
};
