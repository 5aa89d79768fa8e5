import { describePerson } from "../../access/describe-person.ts";
import { changeSchedule, type ScheduleAction } from "../../commands/change-schedule.ts";
import { messageOf } from "../../core/errors.ts";
import type { Schedule } from "../../core/schedule.ts";
import type { Locale } from "../../locales/locale.ts";
import { dueText, zonedMoment } from "../../locales/schedule-text.ts";
import {
  nextSchedules,
  restingSchedules,
  type ScheduleOfChat,
  type SchedulePosition,
} from "../../store/turns/wake-members.ts";
import { unlessUnreadable } from "../../store/unreadable.ts";
import { chatLink, chatNamed, namesOfChats } from "../chat-link.ts";
import { confirmedButton, formButton } from "../form-button.ts";
import { timeHtml } from "../format.ts";
import { html, type Html } from "../html.ts";
import { choiceOf, pageLinks } from "../links.ts";
import { actions, tableOf, type Row } from "../table.ts";
import type { Action, View, ViewDeps, ViewRequest } from "../view.ts";

/** Schedules on one page. */
const pageSize = 25;

async function read(request: ViewRequest, deps: ViewDeps): Promise<Html> {
  const { locale, query } = request;
  const say = locale.page.schedules;
  const isResting = query["list"] === "resting";
  const found = isResting
    ? await resting(deps, query["after"])
    : await upcoming(deps, query["after"]);
  const { schedules } = found;
  const nameOf = await namesOfChats(schedules, request, deps);
  const list = isResting ? "/schedules?list=resting" : "/schedules";
  return html`${choiceOf(locale.page.titles.schedules, [
    { href: "/schedules", text: say.upcoming, isCurrent: !isResting },
    { href: "/schedules?list=resting", text: say.resting, isCurrent: isResting },
  ])}
  ${tableOf({
    caption: locale.page.titles.schedules,
    empty:
      found.next === undefined ? (isResting ? say.noneRests : say.empty) : locale.page.chats.notYet,
    columns: [say.what, say.where, say.by, say.when, say.next, say.last, actions(locale.page)],
    rows: schedules.map((each) => rowOf(each, nameOf(each.chat), locale)),
  })}
  ${pageLinks(locale.page, { first: query["after"] && list, next: found.next })}`;
}

interface ScheduleList {
  readonly schedules: readonly (ScheduleOfChat & { readonly schedule: Schedule })[];
  /** The address of the next page. */
  readonly next?: string;
}

async function upcoming(deps: ViewDeps, after?: string): Promise<ScheduleList> {
  const position = positionIn(after);
  const found = await nextSchedules(deps.services.store, {
    after: position,
    count: pageSize + 1,
  });
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  const next = last && `/schedules?after=${encodeURIComponent(`${last.atMs}/${last.name}`)}`;
  return { schedules: await readAll(deps, shown), ...(next === undefined ? {} : { next }) };
}

function positionIn(after = ""): SchedulePosition | undefined {
  const [, atMs, name] = /^(\d+(?:\.\d+)?)\/(.+)$/.exec(after) ?? [];
  return name === undefined ? undefined : { atMs: Number(atMs), name };
}

async function resting(deps: ViewDeps, from?: string): Promise<ScheduleList> {
  const { store } = deps.services;
  const { found, next } = await restingSchedules(store, { from, count: pageSize });
  return {
    schedules: await readAll(deps, found),
    ...(next === undefined ? {} : { next: `/schedules?list=resting&after=${next}` }),
  };
}

/** Without those that were removed since, or can't be read. */
async function readAll({ commands, services }: ViewDeps, found: readonly ScheduleOfChat[]) {
  const report = (what: string, error: unknown): void =>
    services.log.warn({ what, error: messageOf(error) }, "a schedule can't be shown");
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
  { chat, id, schedule }: ScheduleList["schedules"][number],
  name: string | undefined,
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
    about: `${say.kinds[task.type]}, ${name ?? chat}, ${id}`,
  });
  const resting = pausedWhy === undefined ? over : paused[pausedWhy];
  return {
    cells: [
      say.kinds[task.type],
      chatLink(chat, name),
      describePerson(by),
      dueText(schedule, locale),
      nextMs === undefined ? resting : zoned(nextMs, zone, locale),
      last && html`${labels.outcomes[last.outcome]}: ${zoned(last.slotMs, zone, locale)}`,
      [
        nextMs === undefined
          ? pausedWhy !== undefined && formButton(button("resume"))
          : [formButton(button("run")), formButton(button("pause"))],
        confirmedButton(`${labels.delete}…`, { ...button("delete"), kind: "bad" }),
      ],
    ],
  };
}

/** As its author's clocks show it. */
const zoned = (atMs: number, zone: string, locale: Locale): Html =>
  timeHtml(atMs, `${zonedMoment(atMs, zone, locale)} (${zone})`);

const act =
  (action: ScheduleAction): Action =>
  async (fields, { locale, viewer }, { commands }) => {
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
    });
    switch (change.type) {
      case "not-running":
        return { problem: say.paused[schedule.pausedWhy ?? "person"] };
      case "over":
        return { problem: say.isOver };
      case "stale":
        return { problem: say.justChanged };
      default:
        return { to: "/schedules", done: change.type };
    }
  };

/** Everything that is planned, in all chats: admins may change it as in the chats themselves. */
export const schedulesView: View = {
  name: "schedules",
  path: "/schedules",
  isInMenu: true,
  read,
  actions: { run: act("run"), pause: act("pause"), resume: act("resume"), delete: act("delete") },
};
