import { isAtLeast } from "../core/roles.ts";
import type { Schedule } from "../core/schedule.ts";
import { dueText, scheduleName, zonedMoment } from "../locales/schedule-text.ts";
import { nextRun } from "../text/next-run.ts";
import { localAgain } from "../text/when.ts";
import { findZone } from "../text/zones.ts";
import {
  answer,
  pageOf,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { changeSchedule, scheduleActions, type ScheduleAction } from "./change-schedule.ts";
import { described, optional, required } from "./menu.ts";
import { actionButton, zoneButton, zoneButtons } from "./schedule-buttons.ts";
import { commandIn } from "../locales/locale-for.ts";

const idArgument = required("id", ({ schedule }) => schedule.id);
const managed = (action: ScheduleAction) => ({
  ...described(action, ({ schedule }) => schedule[action]),
  action,
  arguments: [idArgument],
});

/** `/schedule [list|run|pause|resume|delete|zone] [id]`: the sender's own; for admins all of the chat. */
export const scheduleCommand: Command = {
  spec: {
    ...described("schedule", ({ schedule }) => schedule.description),
    arguments: [
      optional("action", ({ schedule }) => schedule.action),
      optional("id", ({ schedule }) => schedule.id),
    ],
    subcommands: [
      {
        ...described("list", ({ schedule }) => schedule.list),
        action: "list",
        arguments: [optional("page", ({ schedule }) => schedule.page)],
      },
      ...scheduleActions.map(managed),
      {
        ...described("zone", ({ schedule }) => schedule.zone),
        action: "zone",
        arguments: [optional("city", ({ schedule }) => schedule.city)],
      },
    ],
  },
  role: "member",
  isPrivate: false,
  hasButtons: true,
  async run(call, deps) {
    const { action, first, second } = requestOf(call);
    switch (action) {
      case "":
      case "list":
        return await list(call, deps, Number(first) || 1);
      case "run":
      case "pause":
      case "resume":
      case "delete":
        return await change(call, deps, { action, id: first });
      case "zone":
        return await setZone(call, deps, { name: first, id: second });
      default:
        return answer(call.locale.schedules.badAction(typed(action)));
    }
  },
};

function requestOf({ argument, options }: CommandCall) {
  const [action = "", ...words] = argument.split(/\s+/);
  const { id, city, page } = options ?? {};
  const isTyped = options?.["action"] === undefined;
  const isRetimed =
    words.length > 1 && /^[a-z0-9]{6}$/.test(words.at(-1) ?? "") && words[0]?.includes("/");
  const name = (isRetimed ? words.slice(0, -1) : words).join(" ");
  return {
    action: (options?.["action"] ?? action).toLowerCase(),
    first: isTyped ? name : (id ?? city ?? page ?? "").trim(),
    second: isTyped && isRetimed ? (words.at(-1) ?? "") : "",
  };
}

const mayChange = ({ person, chatRole }: CommandCall, { by }: Schedule): boolean =>
  by.id === person.id || isAtLeast(chatRole, "admin");

/** With three buttons each, a message has room for so many. */
const pageSize = 8;
const runningActions = ["run", "pause", "delete"] as const;
const restingActions = ["resume", "delete"] as const;
const signs: Readonly<Record<ScheduleAction, string>> = {
  run: "▶",
  pause: "⏸",
  resume: "⏵",
  delete: "✕",
};

async function list(call: CommandCall, deps: CommandDeps, page: number): Promise<CommandAnswer> {
  const say = call.locale.schedules;
  const all = (await deps.schedules.list(call.chat)).filter((each) => mayChange(call, each));
  if (all.length === 0) return answer(say.none);
  const { from, shown, next } = pageOf(all, page, pageSize);
  return {
    ...answer(
      say.heading,
      ...shown.map((each, index) => `${from + index + 1}. ${lineOf(each, call)}`),
      say.buttons,
    ),
    buttons: [
      ...shown.flatMap(({ id, nextMs }, index) =>
        (nextMs === undefined ? restingActions : runningActions).map((action) =>
          actionButton(action, id, `${signs[action]} ${from + index + 1}`),
        ),
      ),
      ...(next === undefined ? [] : [actionButton("list", `${next}`, say.more)]),
    ],
  };
}

function lineOf(schedule: Schedule, { locale, person }: CommandCall): string {
  const say = locale.schedules;
  const { id, by, nextMs, pausedWhy, zone, timing } = schedule;
  const resting = pausedWhy === undefined ? say.over : say.paused[pausedWhy];
  const next = nextMs === undefined ? resting : say.next(zonedMoment(nextMs, zone, locale));
  const outcomes = schedule.outcomes.map(
    ({ slotMs, outcome }) => `${say.outcomes[outcome]} ${zonedMoment(slotMs, zone, locale)}`,
  );
  return [
    `${scheduleName(schedule.task)} (${id}${by.id === person.id ? "" : `, ${by.name}`})`,
    ...(timing.type === "at" && nextMs !== undefined
      ? [`${next} (${zone})`]
      : [dueText(schedule, locale), next]),
    ...(outcomes.length === 0 ? [] : [say.last(outcomes.join(", "))]),
  ].join(" · ");
}

async function change(
  call: CommandCall,
  deps: CommandDeps,
  { action, id }: { readonly action: ScheduleAction; readonly id: string },
): Promise<CommandAnswer> {
  const { chat, locale, person, eventId } = call;
  const say = locale.schedules;
  if (id === "") return answer(say.which);
  const schedule = await deps.schedules.read(chat, id.toLowerCase());
  if (schedule === undefined) return answer(say.unknown(typed(id)));
  if (!mayChange(call, schedule)) return answer(say.notYours);
  const name = scheduleName(schedule.task);
  const resume = [actionButton("resume", schedule.id, say.resume)];
  // What people do with their own is no one else's business.
  const auditedBy = schedule.by.id === person.id ? undefined : person;
  const order = { action, schedule, eventId, auditedBy, say };
  const change = await changeSchedule(deps, chat, order);
  if ("problem" in change)
    return {
      ...answer(change.problem),
      ...(action === "run" && schedule.nextMs === undefined && { buttons: resume }),
    };
  const texts: Readonly<Record<typeof change.done, string>> = {
    deleted: say.isDeleted(name),
    running: say.isRunning(name),
    paused: say.isPaused(name),
    resumed: say.isResumed(name, zonedMoment(change.nextMs ?? 0, schedule.zone, locale)),
  };
  return { ...answer(texts[change.done]), ...(action === "pause" && { buttons: resume }) };
}

async function setZone(
  call: CommandCall,
  deps: CommandDeps,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<CommandAnswer> {
  const { locale, person, preference } = call;
  const say = locale.schedules.zone;
  if (name === "") {
    const { zone } = preference;
    return {
      ...answer(zone === undefined ? `${say.isUnknown} ${say.how}` : say.is(zone)),
      buttons: zoneButtons(locale),
    };
  }
  if (person.anonymous) return answer(say.notAnonymously);
  const found = findZone(name, deps.nearest);
  if ("near" in found)
    return answer(
      found.near.length === 0
        ? say.unknown(typed(name))
        : say.near(
            typed(name),
            found.near.map((zone) => commandIn(locale, `/schedule zone {city:${zone}}`)).join(", "),
          ),
    );
  const { zone } = found;
  await deps.access.setPreference(person, { zone });
  const moved = id === "" ? undefined : await moveTo(call, deps, { zone, id });
  const elsewhere = id === "" ? await elsewhereThan(zone, call, deps) : [];
  const lines = [say.isNow(zone), ...(moved === undefined ? [] : [say.moved(moved)])];
  if (elsewhere.length === 0) return answer(...lines);
  const buttons = elsewhere
    .slice(0, maxMoves)
    .map(({ id: other, task }) => zoneButton(zone, other, scheduleName(task)));
  return { ...answer(...lines, say.others), buttons };
}

/** Schedules that an answer offers to move. */
const maxMoves = 8;

/** The sender's own that name a local time of another zone. */
const elsewhereThan = async (
  zone: string,
  { chat, person }: CommandCall,
  { schedules }: CommandDeps,
): Promise<readonly Schedule[]> =>
  (await schedules.list(chat)).filter(
    (each) => each.by.id === person.id && isLocal(each) && isElsewhere(each, zone),
  );

/** An interval and a moment are the same everywhere. */
const isLocal = ({ timing }: Schedule): boolean =>
  timing.type === "cron" || (timing.type === "at" && timing.isMoment !== true);

const isElsewhere = (schedule: Schedule, zone: string): boolean =>
  schedule.zone !== zone && schedule.nextMs !== undefined;

/** Keeps the time that clocks show: it was read in another zone than it was meant in. */
async function moveTo(
  { chat, person, locale }: CommandCall,
  { schedules, now }: CommandDeps,
  { zone, id }: { readonly zone: string; readonly id: string },
): Promise<string | undefined> {
  const schedule = await schedules.read(chat, id);
  if (schedule?.by.id !== person.id || !isElsewhere(schedule, zone)) return undefined;
  const timing = localAgain(schedule.timing, schedule.zone, zone);
  const nextMs = nextRun(timing, zone, now());
  if (nextMs === undefined) return undefined;
  const moved = { ...schedule, timing, zone, nextMs };
  return (await schedules.save(chat, moved)) === "saved" ? dueText(moved, locale) : undefined;
}
