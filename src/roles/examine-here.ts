import { redacted, type Finding } from "../core/finding.ts";
import type { Locale } from "../locales/locale.ts";
import type { Services } from "../services.ts";

/** A person waits for it: what takes longer is a finding. Milliseconds. */
const limitMs = 8_000;

/**
 * The findings of `npm run doctor` for this process, in the language of a reader and without
 * secrets. Never rejects.
 */
export async function examineHere(
  services: Services,
): Promise<(locale: Locale) => readonly Finding[]> {
  const [{ examine }, { findingIn }] = await Promise.all([
    import("../doctor/examine.ts"),
    import("../doctor/check.ts"),
  ]);
  const { settings, redact, running } = services;
  const found = await examine({
    settings,
    services,
    workingFolder: process.cwd(),
    limitMs,
    ...(running.examineServer && { examineServer: running.examineServer }),
    signal: new AbortController().signal,
  });
  return (locale) => found.map(findingIn(locale)).map((finding) => redacted(finding, redact));
}
