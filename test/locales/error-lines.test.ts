import { expect, it } from "vitest";
import { errorLines, fixOf } from "../../src/locales/error-lines.ts";
import { tryAgainIn } from "../../src/locales/moment.ts";
import { languages, localeFor } from "../../src/locales/locale-for.ts";

it.each(languages)("an error of ours is said in %s, and not in the log's English", (language) => {
  const locale = localeFor(language);
  for (const kind of ["empty", "poisoned"] as const)
    expect(errorLines({ kind, cause: "3 workers died" }, locale)).toEqual([
      locale.errors.fix[kind],
    ]);
  expect(errorLines({ kind: "network", cause: "ECONNREFUSED" }, locale)).toEqual([
    locale.errors.cause("ECONNREFUSED"),
    locale.errors.fix.network,
  ]);
});

it.each([
  ["en", "in about 10 minutes", "in about 1 hour", "in about 2 days"],
  ["de", "in etwa 10 Minuten", "in etwa 1 Stunde", "in etwa 2 Tagen"],
  ["fr", "dans environ 10 minutes", "dans environ 1 heure", "dans environ 2 jours"],
  [
    "es",
    "dentro de aproximadamente 10 minutos",
    "dentro de aproximadamente 1 hora",
    "dentro de aproximadamente 2 días",
  ],
  ["ru", "примерно через 10 минут", "примерно через 1 час", "примерно через 2 дня"],
  ["zh", "大约10分钟后", "大约1小时后", "大约2天后"],
])("a waiting time that is known is said in %s", (language, minutes, hour, days) => {
  const locale = localeFor(language);
  const said = (seconds: number) => tryAgainIn(locale, seconds * 1_000);
  expect([said(600), said(3_600), said(48 * 3_600)]).toEqual([minutes, hour, days]);
  // Rounded up: never earlier than it is.
  expect(said(541)).toBe(minutes);
  for (const kind of ["rate-limited", "overloaded"] as const) {
    expect(locale.modelFailed[kind]("k7m2qx", said(600))).toContain(minutes);
    expect(fixOf(kind, locale, 600_000)).toContain(minutes);
  }
  // Retries wait for so long themselves.
  expect([said(30), tryAgainIn(locale, undefined)]).toEqual([undefined, undefined]);
});
