import { maxSchedules, type Schedule } from "../core/schedule.ts";
import { dueText, zonedMoment } from "../locales/schedule-text.ts";
import type { Locale } from "../locales/locale.ts";
import { isBlank } from "../text/blank.ts";
import { maxTaskText, newSchedule } from "../text/new-schedule.ts";
import { readWhen } from "../text/when.ts";
import { answer, type Command, type CommandAnswer, type CommandCall } from "./command.ts";
import { startTurn } from "./control.ts";
import { described, optional } from "./menu.ts";
import { actionButton, zoneButtons } from "./schedule-buttons.ts";

/** `/remind <when> <text>`; what the grammar doesn't know is for the model. */
export const remindCommand: Command = {
  spec: {
    ...described("remind", ({ remind }) => remind.description),
    arguments: [
      optional("when", ({ remind }) => remind.when),
      optional("text", ({ remind }) => remind.text),
    ],
    startsTurn: true,
    isInOrder: true,
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { schedules: say } = call.locale;
    const { when = "", text: named = "" } = call.options ?? {};
    const given = (call.options === undefined ? call.argument : `${when} ${named}`).trim();
    if (isBlank(given)) return howTo(call);
    const zone = call.preference.zone ?? "UTC";
    const nowMs = deps.now();
    const found = readWhen(given, { words: say.when, zone, nowMs });
    if (found === undefined)
      return await startTurn(call, deps, {
        id: `${call.eventId}-remind`,
        text: say.forModel(given.toWellFormed()),
        begun: say.begun,
      });
    if ("problem" in found) return answer(say.problems[found.problem]);
    const text = found.rest.toWellFormed();
    if (isBlank(text)) return answer(say.noText);
    if (text.length > maxTaskText) return answer(say.tooLong(text.length, maxTaskText));
    const { timing } = found;
    const schedule = newSchedule(
      { seed: call.eventId, task: { type: "remind", text }, timing, zone, by: call.person },
      call,
      nowMs,
    );
    if ((await deps.schedules.save(call.chat, schedule)) === "too-many")
      return answer(say.tooMany(maxSchedules));
    // The times of an interval are read on clocks, too.
    const showsTimes = found.isLocal || timing.type === "every";
    const asksZone = showsTimes && call.preference.zone === undefined && !call.person.anonymous;
    return {
      ...answer(
        say.willRemind(whenText(schedule, call.locale)),
        ...(asksZone ? [`${say.zone.ask} ${say.zone.how}`] : []),
      ),
      buttons: [
        actionButton("delete", schedule.id, say.delete),
        ...(asksZone ? zoneButtons(call.locale, schedule.id) : []),
      ],
    };
  },
};

/** When it is due, and for a rule also the first time. */
const whenText = ({ nextMs, ...schedule }: Schedule, locale: Locale): string =>
  schedule.timing.type === "at" || nextMs === undefined
    ? dueText(schedule, locale)
    : `${dueText(schedule, locale)}, ${locale.schedules.next(zonedMoment(nextMs, schedule.zone, locale))}`;

function howTo({ locale, preference: { zone } }: CommandCall): CommandAnswer {
  const { howTo: how, zone: say } = locale.schedules;
  return zone === undefined
    ? { ...answer(how, say.isUnknown), buttons: zoneButtons(locale) }
    : answer(how, say.is(zone));
}
