import { expect, it } from "vitest";
import { errorLines } from "../../src/locales/error-lines.ts";
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
