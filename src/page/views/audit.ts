import { auditParts, actionIn, namesIn } from "../../commands/audit-lines.ts";
import { findPerson } from "../../commands/who.ts";
import { auditActions } from "../../core/audit.ts";
import { platforms } from "../../core/chat.ts";
import type { AuditFilter } from "../../store/operations/audit.ts";
import { dayOf } from "../../store/limits/spent.ts";
import { html, type Html } from "../html.ts";
import { chatLinks } from "../chat-link.ts";
import { optionsOf } from "../form-button.ts";
import { timeHtml } from "../format.ts";
import { pageLinks, queryOf } from "../links.ts";
import { tableOf } from "../table.ts";
import type { View, ViewContext } from "../view.ts";

const pageCount = 50;
const dayMs = 86_400_000;

/** Who did what, the newest first. */
export const auditView: View = {
  name: "audit",
  path: "/audit",
  isInMenu: true,
  async read(context) {
    const { locale, query } = context;
    const said = locale.page.audit;
    const filter = await filterOf(context);
    if ("problem" in filter)
      return html`${formOf(context)}
        <p class="notice problem" role="alert">${filter.problem}</p>`;
    // One more than is shown is the next page's first.
    const { records, isPart } = await context.commands.audit.newest(filter, pageCount + 1);
    const shown = records.slice(0, pageCount);
    const next = records[pageCount];
    const texts = shown.map(({ chat = "" }) => chat);
    const [nameOf, chats] = await Promise.all([
      namesIn(shown, context.commands.people),
      chatLinks(texts, context),
    ]);
    const rows = shown.map((record, index) => {
      const { who, what, details } = auditParts(record, nameOf, locale);
      return [
        timeHtml(record.atMs),
        who,
        what,
        html`<span class="faint">${details}</span>`,
        chats[index],
      ];
    });
    const at = (until: string | undefined): string => `/audit${queryOf({ ...query, until })}`;
    return html`${formOf(context)}
    ${tableOf({
      caption: locale.page.titles.audit,
      empty: isFiltered(context) ? said.nothing : said.empty,
      columns: [said.when, said.who, said.what, said.details, locale.page.titles.chat],
      rows,
    })}
    ${isPart && html`<p class="faint">${locale.audit.part}</p>`}
    ${pageLinks(locale.page, {
      first: query["until"] && at(undefined),
      next: next && at(next.id),
    })}`;
  },
};

const isFiltered = ({ query }: ViewContext): boolean =>
  ["person", "action", "day"].some((name) => (query[name] ?? "") !== "");

/** What is asked for, or what can't be understood of it. */
async function filterOf(context: ViewContext): Promise<AuditFilter | { readonly problem: string }> {
  const { query, locale, viewer, commands } = context;
  const action = auditActions.find((each) => each === query["action"]);
  const text = query["person"]?.trim() ?? "";
  const platform = platforms.find((each) => viewer.person.id.startsWith(`${each}:`)) ?? "console";
  const asked = { locale, address: { platform, bot: "", chat: "" } };
  const named = { text, name: "audit" };
  const found = text === "" ? undefined : await findPerson(asked, commands, named);
  if (found?.type === "problem") return { problem: found.text };
  const day = query["day"] ?? "";
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  if (day !== "" && (Number.isNaN(fromMs) || dayOf(fromMs) !== day))
    return { problem: locale.page.audit.badDay };
  const until = /^\d{1,16}-\d{1,16}$/.exec(query["until"] ?? "")?.[0];
  return {
    ...(found === undefined ? {} : { personId: found.person.id }),
    ...(action === undefined ? {} : { action }),
    ...(day === "" ? {} : { fromMs, until: String(fromMs + dayMs - 1) }),
    ...(until === undefined ? {} : { until }),
  };
}

function formOf(context: ViewContext): Html {
  const { query, locale, nowMs } = context;
  const said = locale.page.audit;
  const actions = auditActions.map((each) => [each, actionIn(locale.audit, each)] as const);
  return html`<form method="get" action="/audit" class="filter">
    <label
      >${locale.page.spend.names.person}
      <input name="person" value="${query["person"]}" placeholder="@name, telegram:123"
    /></label>
    <label
      >${said.action}
      <select name="action">
        ${optionsOf([["", said.anyAction], ...actions], query["action"])}
      </select></label
    >
    <label
      >${said.day} <input type="date" name="day" value="${query["day"]}" max="${dayOf(nowMs)}"
    /></label>
    <button>${said.filter}</button>
    ${isFiltered(context) && html`<a href="/audit">${said.clear}</a>`}
  </form>`;
}
