import type { Finding } from "../core/finding.ts";
import type { Services } from "../services.ts";

/** A person waits for it: what takes longer is a finding. Milliseconds. */
const limitMs = 8_000;

/** The findings of `npm run doctor` for this process, without secrets. Never rejects. */
export async function examineHere(services: Services): Promise<readonly Finding[]> {
  const [{ examine }, { withoutRepairs }] = await Promise.all([
    import("../doctor/examine.ts"),
    import("../doctor/check.ts"),
  ]);
  const { settings, redact } = services;
  const found = await examine({
    settings,
    services,
    workingFolder: process.cwd(),
    notices: [],
    limitMs,
    signal: new AbortController().signal,
  });
  return withoutRepairs(found).map((finding) => ({
    ...finding,
    what: redact(finding.what),
    ...(finding.why === undefined ? {} : { why: redact(finding.why) }),
    ...(finding.fix === undefined ? {} : { fix: redact(finding.fix) }),
  }));
}
