import { notifyOwners } from "../access/notify-admins.ts";
import { quotedTitle } from "../access/place-name.ts";
import { parseChatKey, platformNames, type ChatKey } from "../core/chat.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import { placesOf } from "../core/places.ts";
import type { Schedule } from "../core/schedule.ts";
import type { Locale } from "../locales/locale.ts";
import { localeFor } from "../locales/locale-for.ts";
import { scheduleName } from "../locales/schedule-text.ts";
import type { Services } from "../services.ts";
import { paused, resumed } from "../text/new-schedule.ts";
import { shortenLine } from "../tools/shorten.ts";
import { noticeId } from "./notice-id.ts";
import { privateChatOf } from "./private-chat.ts";

export type RestingDeps = Pick<
  Services,
  "access" | "schedules" | "deadChats" | "people" | "connectedBots" | "post" | "log"
> & {
  readonly store: Pick<Services["store"], "redis">;
  /** Milliseconds since the epoch, by Redis' clock. */
  readonly now: () => number;
};

/** Characters of a schedule's text that name it. */
const maxNameLength = 80;

/**
 * Pauses the schedules of a dead chat, and notifies their authors once: in private, where that is
 * possible, else the owners. Nothing is sent to the chat. Notices come first, and each has a name of
 * its own: repeated after a crash, they are the same.
 */
export async function restSchedules(
  deps: RestingDeps,
  chat: ChatKey,
  sinceMs: number,
): Promise<void> {
  const { schedules, log } = deps;
  const active = (await schedules.list(chat)).filter(({ nextMs }) => nextMs !== undefined);
  for (const theirs of Map.groupBy(active, ({ by }) => by.id).values())
    await notifyAuthor(deps, { chat, sinceMs, theirs });
  for (const { id } of active) {
    const opened = await schedules.open(chat, id);
    if (opened?.schedule.nextMs === undefined) continue;
    const { stored, schedule } = opened;
    const rests = { ...paused(schedule), pausedWhy: "dead" } as const;
    const next = { ...rests, revision: schedule.revision + 1 };
    await schedules.fire(chat, { id, stored, schedule: next });
  }
  log.info({ chat, schedules: active.length }, "nothing can be sent there: schedules are paused");
}

/** Its chat is alive again. One that was due once in between is late, as after any other break. */
export async function wakeSchedule(
  { schedules, now }: RestingDeps,
  chat: ChatKey,
  { stored, schedule }: { readonly stored: string; readonly schedule: Schedule },
): Promise<void> {
  const { timing, id, revision } = schedule;
  const goesOn = resumed(schedule, now());
  const nextMs = goesOn.nextMs ?? (timing.type === "at" ? timing.atMs : undefined);
  const next = { ...goesOn, revision: revision + 1, ...(nextMs === undefined ? {} : { nextMs }) };
  await schedules.fire(chat, { id, stored, schedule: next, againMs: nextMs });
}

interface Lost {
  readonly chat: ChatKey;
  readonly sinceMs: number;
  /** Of one author; at least one. */
  readonly theirs: readonly Schedule[];
}

async function notifyAuthor(deps: RestingDeps, lost: Lost): Promise<void> {
  const [first] = lost.theirs;
  if (first === undefined) return;
  const { by } = first;
  const [profile, place, own] = await Promise.all([
    deps.access.profileOf(by, first),
    placeOf(deps, first),
    privateChatOf(deps, lost.chat, by.id),
  ]);
  const id = noticeId("dead", String(lost.sinceMs), lost.chat, by.id);
  if (own !== undefined) {
    const language = profile.language ?? by.language;
    const text = textFor(localeFor(language, own), lost, place);
    await deps.post(own, { kind: "notice", v: 1, id, ...spokenIn(language), text });
    return;
  }
  await notifyOwners(deps, ({ schedules: { dead } }, owner): OutboxEntry | undefined => {
    if (owner.chat === lost.chat) return undefined;
    const ids = lost.theirs.map((each) => each.id).join(", ");
    const text = first.direct
      ? dead.ofPerson(by.name, ids)
      : dead.ofGroup(by.name, place ?? dead.someGroup, ids);
    return { kind: "notice", v: 1, id, text };
  });
}

function textFor({ schedules: { dead } }: Locale, { chat, theirs }: Lost, place?: string): string {
  const { platform } = parseChatKey(chat);
  const isDirect = theirs.every(({ direct }) => direct);
  const name = platform === "console" ? platform : platformNames[platform];
  return [
    isDirect ? dead.inPrivate(name) : dead.inGroup(place ?? dead.someGroup),
    ...theirs.map(({ id, task }) => `${shortenLine(scheduleName(task), maxNameLength)} (${id})`),
    dead.goesOn,
  ].join("\n");
}

/** The group, channel or server, as people call it. */
async function placeOf({ people }: RestingDeps, schedule: Schedule): Promise<string | undefined> {
  const places = placesOf(schedule);
  if (places.length === 0) return undefined;
  const [known] = await people.knownPeople(places);
  return known && quotedTitle(known.name);
}
