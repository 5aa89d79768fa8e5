import { setTimeout as sleep } from "node:timers/promises";
import { inTheirLanguage } from "../ingress/sender.ts";
import { localeFor } from "../locales/locale-for.ts";
import { limitSentence } from "../locales/limit-sentence.ts";
import { zonedMoment } from "../locales/schedule-text.ts";
import type { ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import { whereOf, type MessageEntry } from "../core/history.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import { graceMs, maxFailures, slotName, type Outcome, type Schedule } from "../core/schedule.ts";
import type { Services } from "../services.ts";
import { restSchedules, wakeSchedule, type RestingDeps } from "./dead-chats.ts";
import { abandonedEntries } from "../store/turns/dead-letters.ts";
import { parsePlanName, type DueSchedule, type Firing } from "../store/turns/schedules.ts";
import { shortenLine } from "../tools/shorten.ts";
import { jitterMs, maxAtOnce, maxJitterMs, nextRun } from "../text/next-run.ts";

export type FiringDeps = RestingDeps & {
  readonly limits: Pick<Services["limits"], "messages">;
  readonly waker: Pick<Services["waker"], "wake">;
  /** Milliseconds since the epoch, by Redis' clock. */
  readonly now: () => number;
};

interface Due {
  readonly chat: ChatKey;
  readonly id: string;
  readonly stored: string;
  readonly schedule: Schedule;
  readonly slotMs: number;
}

/** Schedules that are worked on at the same time, and the time between: others need it, too. */
const together = 4;
const breathMs = 1;
/** For each `size` that are due, as many again are worked on, up to `most` times. */
const crowd = { size: 1_000, most: 16 };

/**
 * Fires schedules that are due: each appends an entry to its chat, once, and moves on to its first
 * slot after now. What more of it was missed isn't done. One that fails is due again soon.
 */
export async function fireSchedules(deps: FiringDeps, due: readonly DueSchedule[]): Promise<void> {
  await deps.limits.messages.refresh();
  let from = 0;
  const fireNext = async (): Promise<void> => {
    while (from < due.length) {
      const some = due.slice(from, from + together);
      from += together;
      for (const each of await Promise.allSettled(some.map(({ name }) => fireNamed(deps, name))))
        if (each.status === "rejected")
          deps.log.warn({ error: messageOf(each.reason) }, "a schedule could not be fired");
      if (from < due.length) await sleep(breathMs);
    }
  };
  const count = Math.min(crowd.most, 1 + Math.floor(due.length / crowd.size));
  await Promise.all(Array.from({ length: count }, fireNext));
}

async function fireNamed(deps: FiringDeps, name: string): Promise<void> {
  const plan = parsePlanName(name);
  if (plan === undefined) throw new Error("its name can't be read");
  const { chat, id } = plan;
  const [opened, deadSinceMs] = await Promise.all([
    deps.schedules.open(chat, id),
    deps.deadChats.since(chat),
  ]);
  const slotMs = opened?.schedule.nextMs;
  if (deadSinceMs !== undefined && slotMs !== undefined)
    return await restSchedules(deps, chat, deadSinceMs);
  if (deadSinceMs === undefined && opened?.schedule.pausedWhy === "dead")
    return await wakeSchedule(deps, chat, opened);
  if (opened !== undefined && slotMs !== undefined && slotMs <= deps.now())
    return await fireOne(deps, { chat, id, ...opened, slotMs });
  const { stored } = opened ?? {};
  await deps.schedules.fire(chat, { id, stored, schedule: "same", againMs: slotMs });
}

/** In which second it is due for the first time. */
const secondOf = ({ slotMs, isSpread }: DueSchedule): number | undefined =>
  isSpread ? undefined : Math.floor(slotMs / 1_000);

/**
 * Those of the due ones to fire now. Of more than `maxAtOnce` in one second each waits a time of its
 * own instead.
 */
export async function spreadCrowds(
  { schedules, now, log }: Pick<FiringDeps, "schedules" | "now" | "log">,
  due: readonly DueSchedule[],
): Promise<readonly DueSchedule[]> {
  const perSecond = Map.groupBy(due, secondOf);
  const nowMs = now();
  const waiting: Parameters<typeof schedules.spread>[0][number][] = [];
  const others = due.filter((each) => {
    const second = secondOf(each);
    const untilMs = each.slotMs + jitterMs(each.name);
    const isCrowd = second !== undefined && (perSecond.get(second)?.length ?? 0) > maxAtOnce;
    // One that can't be read is left to the step that reports it.
    const plan = isCrowd && untilMs > nowMs && parsePlanName(each.name);
    if (plan) waiting.push({ chat: plan.chat, name: each.name, untilMs });
    return !plan;
  });
  await schedules
    .spread(waiting)
    // They are due again soon.
    .catch((error: unknown) =>
      log.warn({ error: messageOf(error) }, "schedules could not be put off"),
    );
  return others;
}

/** A colon is for private answers only. */
const reminderId = (id: string, slot: number): string => `plan-${id}-${slot}`;

interface ToDo {
  readonly outcome: Outcome;
  readonly entry?: Firing["entry"];
  /** Set where it can't go on. */
  readonly pauses?: "rights" | "failures";
}

async function fireOne(deps: FiringDeps, due: Due): Promise<void> {
  const { chat, id, stored, slotMs } = due;
  const nowMs = deps.now();
  const counted = await withLost(deps, due);
  const { nextMs: _, ...schedule } = counted;
  const { outcome, entry, pauses } = await whatToDo(deps, { ...due, schedule: counted }, nowMs);
  const againMs = pauses
    ? undefined
    : nextRun(schedule.timing, schedule.zone, Math.max(nowMs, slotMs));
  // Its only slot was done. One that was skipped or refused stays for its person to see.
  const isOver = againMs === undefined && !pauses && outcome !== "late" && outcome !== "refused";
  const fired = await deps.schedules.fire(chat, {
    id,
    stored,
    againMs,
    schedule: isOver
      ? undefined
      : {
          ...schedule,
          revision: schedule.revision + 1,
          outcomes: [{ slotMs, outcome }, ...schedule.outcomes],
          ...(againMs === undefined ? {} : { nextMs: againMs }),
          ...(pauses ? { pausedWhy: pauses } : {}),
        },
    ...(entry === undefined ? {} : { entry }),
  });
  if (fired === "fired" && entry !== undefined)
    await deps.waker.wake("atMs" in entry ? "turn" : "delivery", chat);
}

const isSent = ({ outcome }: Schedule["outcomes"][number]): boolean =>
  outcome === "sent" || outcome === "asked";

/**
 * As it is where reminders or answers have failed since they were sent, because they became dead
 * letters: the platform may refuse them. That is looked up when the next one is due. Several reminders
 * found at once count as one failure: a platform that was away for a day is no reason to pause. Turns
 * end rows of failures when the model has answered, so that theirs are counted by their outcomes.
 */
async function withLost({ store }: FiringDeps, { chat, id, schedule }: Due): Promise<Schedule> {
  if (!schedule.outcomes.some(isSent)) return schedule;
  const lost = await abandonedEntries(store, chat);
  let hasFailed = false;
  const outcomes = schedule.outcomes.map((each) => {
    // Outcomes are of whole seconds, entries of milliseconds.
    const name = reminderId(id, each.slotMs / 1_000);
    const answer = slotName(id, each.slotMs);
    const isLost = lost.some(({ of, slot }) => of.startsWith(name) || slot === answer);
    if (!isSent(each) || !isLost) return each;
    hasFailed = true;
    return { ...each, outcome: "failed" as const };
  });
  const isReminder = schedule.task.type === "remind";
  const passed = outcomes.findIndex(({ outcome }) => outcome !== "failed");
  const row = passed === -1 ? outcomes.length : passed;
  const failures = isReminder ? schedule.failures + 1 : Math.max(schedule.failures, row);
  if (hasFailed) return { ...schedule, failures, outcomes };
  return isReminder && outcomes[0]?.outcome === "sent" ? { ...schedule, failures: 0 } : schedule;
}

async function whatToDo(
  { access, schedules, limits: { messages } }: FiringDeps,
  { chat, id, schedule, slotMs }: Due,
  nowMs: number,
): Promise<ToDo> {
  const { by, direct, task, late } = schedule;
  const lateMs = nowMs - slotMs;
  if (late === "skip" && lateMs > graceMs) return { outcome: "late" };
  const [profile, isWaiting] = await Promise.all([
    access.profileOf(by, schedule),
    task.type !== "remind" && schedules.isWaiting(chat, id),
  ]);
  // What no one has answered yet is not asked again.
  if (isWaiting) return { outcome: "late" };
  const person = inTheirLanguage(by, profile);
  const { role, preference, placePersona } = profile;
  const locale = localeFor(person.language, person.id);
  const { schedules: words } = locale;
  const name = shortenLine(task.text, maxNameLength);
  const said = (text: string): OutboxEntry => ({
    kind: "notice",
    v: 1,
    id: reminderId(id, slotMs),
    ...spokenIn(person.language),
    ...(direct ? {} : { person: person.id }),
    slot: slotName(id, slotMs),
    author: person.id,
    text,
  });
  if (!isAtLeast(role, "member"))
    return {
      outcome: "refused",
      pauses: "rights",
      // A banned place is sent nothing.
      ...(profile.isSilent ? {} : { entry: said(words.noRights(name)) }),
    };
  if (schedule.failures >= maxFailures)
    return { outcome: "failed", pauses: "failures", entry: said(words.failed(name)) };
  if (task.type === "remind") {
    const text = direct ? words.reminder(task.text) : words.reminderFor(person.name, task.text);
    const due =
      lateMs > tellAfterMs ? `\n${words.wasDue(zonedMoment(slotMs, schedule.zone, locale))}` : "";
    return { outcome: "sent", entry: said(`${text}${due}`) };
  }
  const entry: MessageEntry = {
    kind: "message",
    v: 1,
    id: `plan:${id}:${slotMs}`,
    person,
    role,
    text: task.text.toWellFormed(),
    ...(direct ? {} : { group: true }),
    ...whereOf(schedule),
    ...(Object.keys(preference).length === 0 ? {} : { preference }),
    ...(placePersona === undefined ? {} : { persona: placePersona }),
    schedule: { id, slotMs, ...(task.type === "ask" && task.isQuiet ? { isQuiet: true } : {}) },
    atMs: nowMs,
  };
  if (task.type === "watch") {
    const { type: _, text: __, given, ...call } = task;
    // No message yet: what a change costs is limited when a model is asked.
    const watch = { ...call, given: JSON.stringify(given) };
    return { outcome: "asked", entry: { ...entry, v: 3, watch } };
  }
  const spender = { person, chat, role };
  if (!(await messages.isLimited(spender))) {
    messages.countUnlimited(spender, { countedAs: entry.id });
    return { outcome: "asked", entry };
  }
  const counted = await messages.count(spender, { id: entry.id, countedAs: entry.id });
  if (counted.type === "counted") return { outcome: "asked", entry };
  const limit = limitSentence(counted.hit, { language: person.language, nowMs });
  return {
    outcome: "refused",
    // There is no next time of a single one that would tell.
    ...(counted.isFirst || schedule.timing.type === "at"
      ? { entry: said(`${limit} ${words.notRun(name)}`) }
      : {}),
  };
}

/** Characters of a schedule's text that name it. */
const maxNameLength = 80;
/** A reminder says when it was due, if it comes so much later. Milliseconds. */
const tellAfterMs = 2 * maxJitterMs;
