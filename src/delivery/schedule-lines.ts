import { z } from "zod";
import type { Card } from "../core/outbox.ts";
import { timingSchema, type Timing } from "../core/schedule.ts";
import type { Locale } from "../locales/locale.ts";
import { dueText, nextText, scheduleName } from "../locales/schedule-text.ts";
import { legible } from "../text/hide-secrets.ts";
import { runsAfter } from "../text/next-run.ts";
import { englishWhen, readWhen } from "../text/when.ts";
import { zoneNamed } from "../text/zones.ts";
import { plain } from "./card-outcome.ts";

/** What is needed of the arguments of `schedule`; a person may have changed them. */
const givenSchema = z.object({
  action: z.enum(["create", "change", "delete"]),
  id: z.string().optional(),
  kind: z.string().default("remind"),
  when: z.string().optional(),
  zone: z.string().optional(),
});
type Given = z.infer<typeof givenSchema>;

/** The schedule that the call named first, as it was then. */
const existingSchema = z.object({
  task: z.object({ type: z.enum(["remind", "ask", "watch"]), text: z.string() }),
  timing: timingSchema,
  zone: z.string(),
});

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
  return [
    ...(existing === undefined ? [] : [existingText(existing, locale)]),
    ...(given.action === "delete" || given.when === undefined
      ? []
      : timeLines(card, { ...given, when: given.when }, { before: existing?.zone, locale })),
  ];
}

/** Undefined: it is another one since a person changed the arguments. */
function existingOf({ facts }: Card, { id }: Given) {
  if (id === undefined || id !== facts?.["id"]) return undefined;
  return existingSchema.safeParse(JSON.parse(facts["schedule"] ?? "null")).data;
}

function existingText({ task, ...due }: z.infer<typeof existingSchema>, locale: Locale): string {
  const shown = existingSchema.shape.task.parse(legible(task, locale.cards.characters));
  return locale.schedules.card.existing(`${scheduleName(shown)} · ${dueText(due, locale)}`);
}

function timeLines(
  card: Card,
  given: Given & { readonly when: string },
  { before = "UTC", locale }: { readonly before: string | undefined; readonly locale: Locale },
): readonly string[] {
  const zone = zoneNamed(given.zone ?? card.facts?.["zone"] ?? before) ?? "UTC";
  const nowMs = card.askedAtMs ?? 0;
  const found = readWhen(given.when, { words: englishWhen, zone, nowMs });
  if (found === undefined || "problem" in found) return [];
  const due = { timing: found.timing, zone };
  const { card: say } = locale.schedules;
  const isRule = due.timing.type !== "at";
  return [
    dueText(due, locale),
    ...(isRule ? [say.next(nextText(due, nowMs, locale))] : []),
    // What a changed one asks is not among the arguments.
    ...(isRule && given.action === "create"
      ? [costText(card, given.kind, { due, nowMs, locale })]
      : []),
  ];
}

function costText(
  { facts }: Card,
  kind: string,
  {
    due: { timing, zone },
    nowMs,
    locale: { schedules, money },
  }: {
    readonly due: { readonly timing: Timing; readonly zone: string };
    readonly nowMs: number;
    readonly locale: Locale;
  },
): string {
  const { cost, costNothing, costUnknown } = schedules.card;
  if (kind === "remind") return costNothing;
  const usd = Number(facts?.["usdPerTurn"] ?? NaN);
  return Number.isFinite(usd) ? cost(money(usd * timesAMonth(timing, zone, nowMs))) : costUnknown;
}

function timesAMonth(timing: Timing, zone: string, nowMs: number): number {
  const times = runsAfter(timing, zone, nowMs).take(maxCounted).toArray();
  const last = times.at(-1) ?? nowMs;
  if (times.length === maxCounted && last < nowMs + monthMs)
    return (maxCounted * monthMs) / (last - nowMs);
  return times.filter((slot) => slot < nowMs + monthMs).length;
}
