import type { Finding } from "../../src/core/finding.ts";
import { findingIn, type Examined } from "../../src/doctor/check.ts";
import { localeFor } from "../../src/locales/locale-for.ts";

/** What `npm run doctor` says of these. */
export const inEnglish = (found: readonly Examined[]): readonly Finding[] =>
  found.map(findingIn(localeFor()));
