import type { AnswerButton } from "../core/inbound.ts";
import type { Locale } from "../locales/locale.ts";
import { cityOf } from "../text/zones.ts";
import type { ScheduleAction } from "./change-schedule.ts";
import { commandButtons } from "./command.ts";

const button = commandButtons("schedule");

export const actionButton = (
  action: ScheduleAction | "list",
  argument: string,
  label: string,
): AnswerButton => button(label, `${action} ${argument}`);

/** @param id a schedule that moves to the zone with its person */
export const zoneButton = (zone: string, id: string | undefined, label: string): AnswerButton =>
  button(label, `zone ${zone}${id === undefined ? "" : ` ${id}`}`);

/** Likely zones of a language's speakers. @param id a schedule that was made without a zone */
export const zoneButtons = ({ schedules }: Locale, id?: string): readonly AnswerButton[] =>
  schedules.zones.split(" ").map((zone) => zoneButton(zone, id, cityOf(zone).replaceAll("_", " ")));
