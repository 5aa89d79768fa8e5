import { inTheirLanguage } from "../ingress/sender.ts";
import { languageOf, localeFor } from "../locales/locale-for.ts";
import { limitSentence } from "../locales/limit-sentence.ts";
import type { ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import { whereOf, type MessageEntry } from "../core/history.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import { maxFailures, type Outcome, type Schedule } from "../core/schedule.ts";
import type { Services } from "../services.ts";
import { deadEntryIds } from "../store/turns/dead-letters.ts";
import {
  isPlanName,
  parsePlanName,
  type DueSchedule,
  type Firing,
} from "../store/turns/schedules.ts";
import { shortenLine } from "../tools/shorten.ts";
import { jitterMs, maxAtOnce, maxJitterMs, nextRun } from "../text/next-run.ts";

export type FiringDeps = Pick<Services, "access" | "schedules" | "log"> & {
  readonly store: Pick<Services["store"], "redis">;
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

/** Schedules that are worked on at the same time: a pass must not hold up the process. */
const together = 12;

/**
 * Fires schedules that are due: each appends an entry to its chat, once, and moves on to its first
 * slot after now. What more of it was missed isn't done. One that fails is due again soon.
 */
export async function fireSchedules(deps: FiringDeps, all: readonly DueSchedule[]): Promise<void> {
  await deps.limits.messages.refresh();
  const names = await withoutCrowds(deps, all);
  const due: Due[] = [];
  await inChunks(deps, names, async (name) => {
    const { chat, id } = parsePlanName(name);
    const opened = await deps.schedules.open(chat, id);
    const slotMs = opened?.schedule.nextMs;
    if (opened !== undefined && slotMs !== undefined && slotMs <= deps.now())
      due.push({ chat, id, ...opened, slotMs });
    else {
      const { stored } = opened ?? {};
      await deps.schedules.fire(chat, { id, stored, schedule: "same", againMs: slotMs });
    }
  });
  const lostIn = oncePerChat((chat) => deadEntryIds(deps.store, chat));
  await inChunks(deps, due, (each) => fireOne(deps, each, lostIn));
}

/** Ids of entries of a chat that are dead letters. */
type LostIn = (chat: ChatKey) => Promise<readonly string[]>;

function oncePerChat(read: LostIn): LostIn {
  const known = new Map<ChatKey, ReturnType<LostIn>>();
  return (chat) => {
    const found = known.get(chat) ?? read(chat);
    known.set(chat, found);
    return found;
  };
}

/**
 * The names of those to fire now. Of more than `maxAtOnce` in one second each waits a time of its
 * own instead.
 */
async function withoutCrowds(
  { schedules, now, log }: FiringDeps,
  all: readonly DueSchedule[],
): Promise<readonly string[]> {
  const perSecond = Map.groupBy(all, ({ slotMs, isSpread }) =>
    isSpread ? undefined : Math.floor(slotMs / 1_000),
  );
  const nowMs = now();
  const names: string[] = [];
  const waiting: { readonly name: string; readonly untilMs: number }[] = [];
  for (const [second, those] of perSecond)
    for (const { name, slotMs } of those) {
      const untilMs = slotMs + jitterMs(name);
      const isCrowd = second !== undefined && those.length > maxAtOnce;
      // One that can't be read is left to the step that reports it.
      if (isCrowd && untilMs > nowMs && isPlanName(name)) waiting.push({ name, untilMs });
      else names.push(name);
    }
  // They are due again soon.
  const onError = (error: unknown) =>
    log.warn({ error: messageOf(error) }, "schedules could not be put off");
  if (waiting.length > 0) await schedules.spread(waiting).catch(onError);
  return names;
}

async function inChunks<Given>(
  { log }: Pick<FiringDeps, "log">,
  all: readonly Given[],
  act: (one: Given) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length; from += together)
    for (const each of await Promise.allSettled(all.slice(from, from + together).map(act)))
      if (each.status === "rejected")
        log.warn({ error: messageOf(each.reason) }, "a schedule could not be fired");
}

/** A colon is for private answers only. */
const reminderId = (id: string, slot: number): string => `plan-${id}-${slot}`;

interface ToDo {
  readonly outcome: Outcome;
  readonly entry?: Firing["entry"];
  /** Set where it can't go on. */
  readonly pauses?: "rights" | "failures";
}

async function fireOne(deps: FiringDeps, due: Due, lostIn: LostIn): Promise<void> {
  const { chat, id, stored, slotMs } = due;
  const nowMs = deps.now();
  const counted = await withLost(due, lostIn);
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

const isSent = ({ outcome }: Schedule["outcomes"][number]): boolean => outcome === "sent";

/**
 * As it is where reminders have failed since they were sent, because they became dead letters: its
 * person may have blocked the bot. That is looked up when the next one is due. Several found at once
 * count as one failure: a platform that was away for a day is no reason to pause.
 */
async function withLost({ chat, id, schedule }: Due, lostIn: LostIn): Promise<Schedule> {
  if (schedule.task.type !== "remind" || !schedule.outcomes.some(isSent)) return schedule;
  const lost = await lostIn(chat);
  let hasFailed = false;
  const outcomes = schedule.outcomes.map((each) => {
    // Outcomes are of whole seconds, entries of milliseconds.
    const name = reminderId(id, each.slotMs / 1_000);
    if (!isSent(each) || !lost.some((entry) => entry.startsWith(name))) return each;
    hasFailed = true;
    return { ...each, outcome: "failed" as const };
  });
  if (hasFailed) return { ...schedule, failures: schedule.failures + 1, outcomes };
  return schedule.outcomes[0]?.outcome === "sent" ? { ...schedule, failures: 0 } : schedule;
}

async function whatToDo(
  { access, schedules, limits: { messages } }: FiringDeps,
  { chat, id, schedule, slotMs }: Due,
  nowMs: number,
): Promise<ToDo> {
  const { by, direct, task, late, graceMs } = schedule;
  const lateMs = nowMs - slotMs;
  if (late === "skip" && lateMs > graceMs) return { outcome: "late" };
  // What no one has answered yet is not asked again.
  if (task.type !== "remind" && (await schedules.isWaiting(chat, id))) return { outcome: "late" };
  const profile = await access.profileOf(by, schedule);
  const person = inTheirLanguage(by, profile);
  const { role, preference, placePersona } = profile;
  const { schedules: words } = localeFor(person.language);
  const name = shortenLine(task.text, maxNameLength);
  const said = (text: string): OutboxEntry => ({
    kind: "notice",
    v: 1,
    id: reminderId(id, slotMs),
    ...spokenIn(person.language),
    ...(direct ? {} : { person: person.id }),
    text,
  });
  if (!isAtLeast(role, "member"))
    return {
      outcome: "refused",
      pauses: "rights",
      // A banned place is sent nothing.
      ...(profile.isSilent ? {} : { entry: said(words.noRights(name)) }),
    };
  if (task.type === "remind") {
    if (schedule.failures >= maxFailures)
      return { outcome: "failed", pauses: "failures", entry: said(words.failed(name)) };
    const text = direct ? words.reminder(task.text) : words.reminderFor(person.name, task.text);
    const due = lateMs > tellAfterMs ? `\n${words.wasDue(dateText(schedule, slotMs, person))}` : "";
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

const dateText = (
  { zone }: Schedule,
  atMs: number,
  { language }: { readonly language?: string | undefined },
): string =>
  new Intl.DateTimeFormat(languageOf(language) ?? "en", {
    timeZone: zone,
    dateStyle: "medium",
    timeStyle: "short",
  }).format(atMs);
