import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languages, localeFor } from "../../src/locales/locale-for.ts";
import { nextRun } from "../../src/text/next-run.ts";
import { localAgain, readWhen, type When } from "../../src/text/when.ts";

// A Tuesday, 12:00 in Berlin.
const nowMs = Date.parse("2026-11-24T11:00:00Z");
const read = (text: string, language = "en", zone = "Europe/Berlin", now = nowMs) =>
  readWhen(text, { words: localeFor(language).schedules.when, zone, nowMs: now });

/** As a short text: the moment, the span or the rule, and what follows. */
function shown(when: When | undefined): string {
  if (when === undefined) return "unknown";
  if ("problem" in when) return when.problem;
  const { timing, rest } = when;
  const due =
    timing.type === "at"
      ? new Date(timing.atMs).toISOString().replace(/(:00)?\.000Z$/, "")
      : timing.type === "every"
        ? `every ${timing.everyMs / 60_000}m`
        : timing.rule;
  return `${due} | ${rest}`;
}

const in20m = "2026-11-24T11:20 | x";
const tomorrow = "2026-11-25T08:00 | x";
const monday = "2026-11-30T08:00 | x";

describe("a time in words", () => {
  it.each([
    ["in 20m x", in20m],
    ["in 20 minutes x", in20m],
    ["in 20 min. x", in20m],
    ["tomorrow 9:00 at the dentist", "2026-11-25T08:00 | at the dentist"],
    ["tomorrow 9:00 call at 10:00", "2026-11-25T08:00 | call at 10:00"],
    ["20 min from now: x", in20m],
    ["In 2h 30m x", "2026-11-24T13:30 | x"],
    ["in 1d x", "2026-11-25T11:00 | x"],
    ["in 5s x", "2026-11-24T11:00:05 | x"],
    ["tomorrow 9:00 x", tomorrow],
    ["tomorrow at 9am, x", tomorrow],
    ["today 18:30 x", "2026-11-24T17:30 | x"],
    ["18:30 x", "2026-11-24T17:30 | x"],
    ["9:00 x", tomorrow],
    ["monday 9:00 x", monday],
    ["on monday at 9:00 x", monday],
    ["tomorrow at 9 o'clock x", tomorrow],
    // A time or a day that belongs to what is to be done.
    ["9:00 the 10:00 train", "2026-11-25T08:00 | the 10:00 train"],
    ["in 20m my monday list", "2026-11-24T11:20 | my monday list"],
    ["tomorrow 9:00 for friday 10:00", "2026-11-25T08:00 | for friday 10:00"],
    ["Tue 9:00 x", "2026-12-01T08:00 | x"],
    ["tuesday 13:00 x", "2026-11-24T12:00 | x"],
    ["2027-01-05 09:00 x", "2027-01-05T08:00 | x"],
    ["2027-01-05T09:00 x", "2027-01-05T08:00 | x"],
    ["2027-01-05 9pm x", "2027-01-05T20:00 | x"],
    ["2027-01-05T09:00:00+03:00 x", "2027-01-05T06:00 | x"],
    ["2027-01-05T09:00Z x", "2027-01-05T09:00 | x"],
    ["2027-01-05T09:00:30Z x", "2027-01-05T09:00:30 | x"],
    ["2027-01-05T09:00:30.5+01:00 x", "2027-01-05T08:00:30.500Z | x"],
    ["2027-01-05T09:00:30 x", "2027-01-05T08:00:30 | x"],
    ["2027-01-05 9:00:30.25, x", "2027-01-05T08:00:30.250Z | x"],
    ["2027-01-05 09:00:30 pm x", "2027-01-05T20:00:30 | x"],
    ["2027-01-05 09:00:30 o'clock x", "2027-01-05T08:00:30 | x"],
    ["2027-01-05T09:00+03 x", "2027-01-05T06:00 | x"],
    ["2027-01-05T09:00:30-01 x", "2027-01-05T10:00:30 | x"],
    ["2028-02-29 09:00 x", "2028-02-29T08:00 | x"],
    ["every 2h x", "every 120m | x"],
    ["every 1h 30m x", "every 90m | x"],
    ["every day 9:00 x", "0 9 * * * | x"],
    ["every weekday 9:00 x", "0 9 * * 1-5 | x"],
    ["every sunday 9:30 x", "30 9 * * 0 | x"],
    ['"0 9 1 * *" x', "0 9 1 * * | x"],
    ["0 9 * * mon-fri x", "0 9 * * MON-FRI | x"],
    ["*/5 * * * * x", "*/5 * * * * | x"],
    ["in 20m", "2026-11-24T11:20 | "],
  ])("%s", (text, expected) => {
    expect(shown(read(text))).toBe(expected);
  });

  it.each([
    ["2027-02-30 09:00 x", "impossible"],
    ["2027-13-01 09:00 x", "impossible"],
    ["tomorrow 25:00 x", "impossible"],
    ["tomorrow 9:61 x", "impossible"],
    ["0 25 * * * x", "impossible"],
    ["61 * * * * x", "impossible"],
    ['"0 0 9 * * *" x', "impossible"],
    ["2026-11-24 11:59 x", "past"],
    ["2020-01-01T00:00Z x", "past"],
    ["today 9:00 x", "past"],
    ["in 0m x", "soon"],
    ["in 0s x", "soon"],
    ["in 4s x", "soon"],
    ["2027-01-05T09:00:60Z x", "impossible"],
    ["2027-01-05 09:00:99 x", "impossible"],
    ["2027-01-05 13:00:30 pm x", "impossible"],
    ["2050-01-01 09:00 x", "far"],
    ["in 999999w x", "far"],
    ["0 9 30 2 * x", "never"],
    ["every 4m x", "often"],
    ["every 30s x", "often"],
    ["* * * * * x", "often"],
    ["0,3 9 * * * x", "often"],
    ["58,2 23,0 * * * x", "often"],
  ])("%s is refused: %s", (text, problem) => {
    expect(shown(read(text))).toBe(problem);
  });

  it.each([
    "",
    "call mum",
    "tomorrow call mum",
    "20 push ups every day now",
    "in a while x",
    "next full moon",
    // They begin with a time, and say more of it.
    "9pm tomorrow x",
    "9:00 every day x",
    "every day at 9:00 and 18:00 x",
    "at 9:00 on monday x",
    "in 2 days at 9:00 x",
    "9:00 this friday x",
    "9:00 next friday x",
    "9:00 in the evening x",
    "tomorrow 9:00 tonight x",
    "9 o'clock 30 x",
    "9:00, 18:00 x",
    "tomorrow 9:00:30 x",
  ])("is left to the model: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      "de",
      {
        "in 20 Minuten x": in20m,
        "morgen um 9:00 x": tomorrow,
        "am Montag um 9:00 x": monday,
        "jeden Tag 9:00 x": "0 9 * * * | x",
        "jeden Werktag um 9:00 x": "0 9 * * 1-5 | x",
        "jeden Sonntag 9:00 x": "0 9 * * 0 | x",
        "alle 2 Stunden x": "every 120m | x",
        "heute 18:30 x": "2026-11-24T17:30 | x",
      },
    ],
    [
      "es",
      {
        "en 20 minutos x": in20m,
        "mañana a las 9:00 x": tomorrow,
        "el lunes a las 9:00 x": monday,
        "todos los días a las 9:00 x": "0 9 * * * | x",
        "cada día laborable 9:00 x": "0 9 * * 1-5 | x",
        "cada domingo 9:00 x": "0 9 * * 0 | x",
        "cada 2 horas x": "every 120m | x",
        "hoy 18:30 x": "2026-11-24T17:30 | x",
      },
    ],
    [
      "fr",
      {
        "dans 20 minutes x": in20m,
        "demain à 9:00 x": tomorrow,
        "lundi à 9:00 x": monday,
        "tous les jours à 9:00 x": "0 9 * * * | x",
        "chaque jour ouvré 9:00 x": "0 9 * * 1-5 | x",
        "chaque dimanche 9:00 x": "0 9 * * 0 | x",
        "toutes les 2 heures x": "every 120m | x",
        "aujourd'hui 18:30 x": "2026-11-24T17:30 | x",
      },
    ],
    [
      "ru",
      {
        "через 20 минут x": in20m,
        "завтра в 9:00 x": tomorrow,
        "в понедельник в 9:00 x": monday,
        "каждый день в 9:00 x": "0 9 * * * | x",
        "каждый будний день в 9:00 x": "0 9 * * 1-5 | x",
        "каждое воскресенье 9:00 x": "0 9 * * 0 | x",
        "каждые 2 часа x": "every 120m | x",
        "сегодня 18:30 x": "2026-11-24T17:30 | x",
      },
    ],
    [
      "zh",
      {
        "20分钟后 x": in20m,
        "明天9:00喝茶": "2026-11-25T08:00 | 喝茶",
        "周一 9：00 x": monday,
        "每天9:00喝茶": "0 9 * * * | 喝茶",
        "每个工作日 9:00 x": "0 9 * * 1-5 | x",
        "每周日 9:00 x": "0 9 * * 0 | x",
        "每隔2小时 x": "every 120m | x",
        "今天 18:30 x": "2026-11-24T17:30 | x",
      },
    ],
  ])("in %s", (language, table) => {
    expect(Object.keys(table)).toHaveLength(8);
    for (const [text, expected] of Object.entries(table))
      expect([text, shown(read(text, language))]).toEqual([text, expected]);
    // English is read in every language.
    expect(shown(read("in 20m x", language))).toBe(in20m);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      "de",
      {
        "morgen um 9 Uhr x": tomorrow,
        "morgen 9:00 Uhr x": tomorrow,
        "2027-01-05 09:00:30 Uhr x": "2027-01-05T08:00:30 | x",
        "um 18:00 am Bahnhof x": "2026-11-24T17:00 | am Bahnhof x",
        "um 9:00 am Montag x": "unknown",
        "um 9am x": tomorrow,
        "um 9:00 den 10:00-Zug x": "2026-11-25T08:00 | den 10:00-Zug x",
        "in 20m mit Mo reden": "2026-11-24T11:20 | mit Mo reden",
        "um 9 Uhr 30 x": "unknown",
        "um 9:00 abends x": "unknown",
        "um 9:00 nächsten Montag x": "unknown",
      },
    ],
    [
      "es",
      {
        "los lunes a las 9:00 x": "0 9 * * 1 | x",
        "mañana a las 9:00 ver el tren": "2026-11-25T08:00 | ver el tren",
        "mañana a las 9:00 con 2 amigos": "2026-11-25T08:00 | con 2 amigos",
        "a las 9:00 del lunes x": "unknown",
        "a las 9:00 de lunes a viernes x": "unknown",
        "a las 9:00 el próximo lunes x": "unknown",
        "a las 9:00 de la tarde x": "unknown",
        "mañana a las 9:00 y a las 18:00 x": "unknown",
      },
    ],
    [
      "fr",
      {
        "ce lundi à 9:00 x": monday,
        "à 9:00 pour lundi x": "2026-11-25T08:00 | pour lundi x",
        "à 9:00 vu mardi x": "2026-11-25T08:00 | vu mardi x",
        "à 9:00 le lundi x": "unknown",
        "à 9:00 et à 18:00 x": "unknown",
        "à 9:00 ce soir x": "unknown",
        "à 9:00 du soir x": "unknown",
      },
    ],
    [
      "ru",
      {
        "по понедельникам в 9:00 x": "0 9 * * 1 | x",
        "по будням в 8:00 x": "0 8 * * 1-5 | x",
        "в 9:00 на 10:00 поезд": "2026-11-25T08:00 | на 10:00 поезд",
        "в 9:00 к 10:00 быть там": "2026-11-25T08:00 | к 10:00 быть там",
        "завтра в 9:00 план на пятницу": "2026-11-25T08:00 | план на пятницу",
        "завтра в 9:00 на пятницу план": "2026-11-25T08:00 | на пятницу план",
        "завтра в 9:00 про среду x": "2026-11-25T08:00 | про среду x",
        "в 9:00 в пятницу x": "unknown",
        "в 9:00 и в 18:00 x": "unknown",
        "в 9:00 в следующую пятницу x": "unknown",
        "в 9:00 вечера x": "unknown",
      },
    ],
    [
      "zh",
      {
        "明天9:00去10:00的会": "2026-11-25T08:00 | 去10:00的会",
        "9:00和18:00喝茶": "unknown",
        "9:00晚上喝茶": "unknown",
        "9:00下周一喝茶": "unknown",
      },
    ],
  ])("in %s: what follows a time is more of it, or what is to be done", (language, table) => {
    for (const [text, expected] of Object.entries(table))
      expect([text, shown(read(text, language))]).toEqual([text, expected]);
  });

  it.each(languages)("in %s: what the locale gives as examples is read", (language) => {
    const { schedules, menu } = localeFor(language);
    const commands = [schedules.howTo, schedules.noText, schedules.none].flatMap((text) =>
      [...text.matchAll(/\/remind ([^/]+?)(?=[,，、;。]|$)/gu)].map(([, given = ""]) => given),
    );
    expect(commands.length).toBeGreaterThanOrEqual(4);
    const menus = menu.remind.when.split(/[,、]\s*/);
    expect(menus).toHaveLength(4);
    for (const given of [...commands, ...menus])
      expect([given, read(given, language)]).toEqual([
        given,
        expect.objectContaining({ timing: expect.anything() }),
      ]);
  });

  it("follows the clocks of the zone, also where they change", () => {
    const march = Date.parse("2027-03-20T00:00Z");
    expect(shown(read("2027-03-28 02:30 x", "en", "Europe/Berlin", march))).toBe(
      "2027-03-28T01:00 | x",
    );
    const october = Date.parse("2026-10-20T00:00Z");
    expect(shown(read("2026-10-25 02:30 x", "en", "Europe/Berlin", october))).toBe(
      "2026-10-25T00:30 | x",
    );
    expect(shown(read("tomorrow 9:00 x", "en", "Pacific/Kiritimati"))).toBe("2026-11-25T19:00 | x");
    expect(shown(read("tomorrow 9:00 x", "en", "Pacific/Pago_Pago"))).toBe("2026-11-25T20:00 | x");
  });

  it("keeps the seconds of a time that is meant in another zone", () => {
    const atMs = Date.parse("2027-01-05T09:00:30.5Z");
    expect(localAgain({ type: "at", atMs }, "UTC", "Asia/Kathmandu")).toEqual({
      type: "at",
      atMs: Date.parse("2027-01-05T09:00:30.5+05:45"),
    });
  });

  it("never throws, and is in the future whatever is typed", () => {
    const word = fc.constantFrom(
      ...'in every today tomorrow monday day weekday 2027-01-05 2027-02-30 9:00 25:61 09:00Z T * 0 9 */5 1-5 mon 20m 999999w am pm через завтра 每天 明天 后 + : " ` x'.split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
      fc.array(word, { maxLength: 8 }).map((words) => words.join("")),
      fc.string({ unit: "grapheme", maxLength: 60 }),
    );
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...languages),
        fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns"),
        fc.integer({ min: 1_700_000_000_000, max: 2_000_000_000_000 }),
        (given, language, zone, now) => {
          const when = read(given, language, zone, now);
          if (when === undefined || "problem" in when) return;
          const next = nextRun(when.timing, zone, now);
          expect(next).toBeGreaterThan(now);
        },
      ),
      { numRuns: 300 },
    );
  });
});
