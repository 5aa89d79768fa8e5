import { describePerson } from "../../access/describe-person.ts";
import { changeSchedule, type ScheduleAction } from "../../commands/change-schedule.ts";
import { chatNamed } from "../../core/chat.ts";
import type { Locale } from "../../locales/locale.ts";
import { dueText, zonedMoment } from "../../locales/schedule-text.ts";
import type { ScheduleOfChat } from "../../store/turns/schedules.ts";
import { nextSchedules, restingSchedules } from "../../store/turns/wake-members.ts";
import { unlessUnreadable } from "../../store/unreadable.ts";
import { namedChats, type NamedChat } from "../chat-link.ts";
import { confirmedButton, formButton } from "../form-button.ts";
import { timeHtml } from "../format.ts";
import { html, type Html } from "../html.ts";
import { choiceOf, pageLinks, queryOf } from "../links.ts";
import { reportTo } from "../report.ts";
import { actions, tableOf, type Row } from "../table.ts";
import type { Action, View, ViewContext } from "../view.ts";

/** Schedules on one page. */
const pageSize = 25;

async function read(context: ViewContext): Promise<Html> {
  const { locale, query, services } = context;
  const { page } = locale;
  const say = page.schedules;
  const isResting = query["list"] === "resting";
  const list = isResting ? { list: "resting" } : {};
  const from = query["after"];
  const readPage = isResting ? restingSchedules : nextSchedules;
  const { found, next } = await readPage(services.store, { from, count: pageSize });
  const schedules = await readAll(context, found);
  const named = await namedChats(schedules, context);
  const none = isResting ? say.noneRests : say.empty;
  return html`${choiceOf(page.titles.schedules, [
    { href: "/schedules", text: say.upcoming, isCurrent: !isResting },
    { href: "/schedules?list=resting", text: say.resting, isCurrent: isResting },
  ])}
  ${tableOf({
    caption: page.titles.schedules,
    empty: next === undefined ? none : page.chats.notYet,
    columns: [say.what, say.where, say.by, say.when, say.next, say.last, actions(page)],
    rows: schedules.map((each) => rowOf(each, named(each.chat), locale)),
  })}
  ${pageLinks(page, {
    first: from && `/schedules${queryOf(list)}`,
    next: next && `/schedules${queryOf({ ...list, after: next })}`,
  })}`;
}

/** Without those that were removed since, or can't be read. */
async function readAll({ commands, services }: ViewContext, found: readonly ScheduleOfChat[]) {
  const report = reportTo(services.log, "a schedule can't be shown");
  const read = await Promise.all(
    found.map(async ({ chat, id }) => {
      const schedule = await unlessUnreadable(report, `${chat} ${id}`, () =>
        commands.schedules.read(chat, id),
      );
      return schedule === undefined ? [] : [{ chat, id, schedule }];
    }),
  );
  return read.flat();
}

/** Its text is what people wrote: it isn't shown here. */
function rowOf(
  { chat, id, schedule }: Awaited<ReturnType<typeof readAll>>[number],
  { name, link }: NamedChat,
  locale: Locale,
): Row {
  const say = locale.page.schedules;
  const { task, by, nextMs, pausedWhy, zone, outcomes, revision } = schedule;
  const [last] = outcomes;
  const { paused, over, ...labels } = locale.schedules;
  const button = (action: ScheduleAction) => ({
    to: `/schedules/${action}`,
    fields: { chat, id, revision },
    label: labels[action],
    about: `${say.kinds[task.type]}, ${name}, ${id}`,
  });
  const resting = pausedWhy === undefined ? over : paused[pausedWhy];
  // As its author's clocks show it.
  const zoned = (atMs: number) => timeHtml(atMs, `${zonedMoment(atMs, zone, locale)} (${zone})`);
  return [
    say.kinds[task.type],
    link,
    describePerson(by),
    dueText(schedule, locale),
    nextMs === undefined ? resting : zoned(nextMs),
    last && html`${labels.outcomes[last.outcome]}: ${zoned(last.slotMs)}`,
    [
      nextMs === undefined
        ? pausedWhy !== undefined && formButton(button("resume"))
        : [formButton(button("run")), formButton(button("pause"))],
      confirmedButton(`${labels.delete}…`, { ...button("delete"), kind: "bad" }),
    ],
  ];
}

const act =
  (action: ScheduleAction): Action =>
  async (fields, { locale, viewer, commands }) => {
    const say = locale.schedules;
    const { id = "", revision = "" } = fields;
    const chat = chatNamed(fields["chat"]);
    const schedule = chat && (await commands.schedules.read(chat, id));
    const isRevision = /^[1-9]\d{0,9}$/.test(revision);
    if (chat === undefined || schedule === undefined || !isRevision)
      return { problem: say.justChanged };
    // What the form shows; a save refuses another one. It also knows a form that is sent twice.
    const shown = { ...schedule, revision: Number(revision) };
    const isCurrent = shown.revision === schedule.revision;
    if (action === "delete" && !isCurrent) return { problem: say.justChanged };
    const change = await changeSchedule(commands, chat, {
      action,
      schedule: shown,
      eventId: `page-${id}-${revision}`,
      auditedBy: isCurrent ? viewer.person : undefined,
      say,
    });
    return "problem" in change ? change : { to: "/schedules", done: change.done };
  };

/** Everything that is planned, in all chats: admins may change it as in the chats themselves. */
export const schedulesView: View = {
  name: "schedules",
  path: "/schedules",
  isInMenu: true,
  read,
  actions: { run: act("run"), pause: act("pause"), resume: act("resume"), delete: act("delete") },
};
