import { z } from "zod";
import type { Card } from "../core/outbox.ts";
import { timingSchema } from "../core/schedule.ts";
import type { Locale } from "../locales/locale.ts";
import { dueText, nextText, scheduleName, type Due } from "../locales/schedule-text.ts";
import { legible } from "../text/hide-secrets.ts";
import { runsAfter } from "../text/next-run.ts";
import { englishWhen, readWhen } from "../text/when.ts";
import { zoneNamed } from "../text/zones.ts";
import { plain } from "./card-outcome.ts";

/** What is needed of the arguments of `schedule`; a person may have changed them. */
const givenSchema = z.object({
  action: z.enum(["create", "change", "delete"]),
  id: z.string().optional(),
  kind: z.string().optional(),
  when: z.string().optional(),
  zone: z.string().optional(),
  paused: z.boolean().optional(),
});
type Given = z.infer<typeof givenSchema>;

/** The schedule that the call named first, as it was then. */
const existingSchema = z.object({
  task: z.object({ type: z.enum(["remind", "ask", "watch"]), text: z.string() }),
  timing: timingSchema,
  zone: z.string(),
  paused: z.boolean().optional(),
});
type Existing = z.infer<typeof existingSchema>;

const monthMs = 30 * 86_400_000;
/** Times that are counted for an estimate. */
const maxCounted = 100;

/** What `scheduleTexts` says, in Markdown. Pure. */
export function scheduleLines(card: Card, locale: Locale): readonly string[] {
  const lines = scheduleTexts(card, locale);
  return lines.length === 0 ? [] : [lines.map(plain).join("\n")];
}

/**
 * What a call of `schedule` means, in plain words: which one it changes, when, the next three times,
 * and what it costs a month. Nothing for other calls. Pure.
 */
export function scheduleTexts(card: Card, locale: Locale): readonly string[] {
  if (card.tool !== "schedule") return [];
  const given = givenSchema.safeParse(JSON.parse(card.arguments)).data;
  if (given === undefined) return [];
  const existing = existingOf(card, given);
  const due = dueOf(card, given, existing);
  // Undefined: unknown.
  const kind = given.action === "create" ? (given.kind ?? "remind") : existing?.task.type;
  return [
    ...(existing === undefined ? [] : [existingText(existing, locale)]),
    ...(due === undefined ? [] : timeLines(card, { ...due, kind }, locale)),
  ];
}

/** Undefined: there is none, or it is another one since a person changed the arguments. */
function existingOf({ facts }: Card, { action, id }: Given): Existing | undefined {
  if (action === "create" || id === undefined || id !== facts?.["id"]) return undefined;
  return existingSchema.safeParse(JSON.parse(facts["schedule"] ?? "null")).data;
}

function existingText({ task, paused, ...due }: Existing, locale: Locale): string {
  const shown = existingSchema.shape.task.parse(legible(task, locale.cards.characters));
  const parts = [scheduleName(shown), dueText(due, locale)];
  if (paused) parts.push(locale.schedules.paused.person);
  return locale.schedules.card.existing(parts.join(" · "));
}

/** The same for a new one and for a change: a change may cost more, too. */
function timeLines(
  { facts, askedAtMs: nowMs = 0 }: Card,
  due: Due & { readonly kind: string | undefined },
  locale: Locale,
): readonly string[] {
  if (due.timing.type === "at") return [dueText(due, locale)];
  const { next, cost, costNothing, costUnknown } = locale.schedules.card;
  const usd = due.kind === undefined ? NaN : Number(facts?.["usdPerTurn"] ?? NaN);
  const known = Number.isFinite(usd)
    ? cost(locale.money(usd * timesAMonth(due, nowMs)))
    : costUnknown;
  return [
    dueText(due, locale),
    next(nextText(due, nowMs, locale)),
    due.kind === "remind" ? costNothing : known,
  ];
}

/** When it will be due; undefined: not at all, or that can't be known. */
function dueOf(
  { facts, askedAtMs: nowMs = 0 }: Card,
  { action, when, zone: named, paused }: Given,
  existing: Existing | undefined,
): Due | undefined {
  if (action === "delete") return undefined;
  if (when === undefined) {
    const staysPaused = (paused ?? existing?.paused) === true;
    if (existing === undefined || (staysPaused && named === undefined)) return undefined;
    return { timing: existing.timing, zone: zoneNamed(named ?? "") ?? existing.zone };
  }
  const zone = zoneNamed(named ?? facts?.["zone"] ?? existing?.zone ?? "UTC") ?? "UTC";
  const found = readWhen(when, { words: englishWhen, zone, nowMs });
  return found === undefined || "problem" in found ? undefined : { timing: found.timing, zone };
}

function timesAMonth({ timing, zone }: Due, nowMs: number): number {
  const times = runsAfter(timing, zone, nowMs).take(maxCounted).toArray();
  const last = times.at(-1) ?? nowMs;
  if (times.length === maxCounted && last < nowMs + monthMs)
    return (maxCounted * monthMs) / (last - nowMs);
  return times.filter((slot) => slot < nowMs + monthMs).length;
}
