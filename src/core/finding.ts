/** From the best to the worst. A `note` is fine, but worth knowing. */
export const findingStatuses = ["ok", "note", "warning", "broken"] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** What one check of the deployment found. */
export interface Finding {
  /** `<group>.<what>`, the same in every run, such as `redis.version`. */
  readonly id: string;
  readonly status: FindingStatus;
  /** One sentence: what is the case. */
  readonly what: string;
  /** Why it matters; absent where nothing is to be done. */
  readonly why?: string;
  /** The command, or the step, that fixes it. */
  readonly fix?: string;
}

/** Without secrets, in what causes and commands quote. */
export const redacted = <Given extends Finding>(
  finding: Given,
  redact: (text: string) => string,
): Given => ({
  ...finding,
  what: redact(finding.what),
  ...(finding.why === undefined ? {} : { why: redact(finding.why) }),
  ...(finding.fix === undefined ? {} : { fix: redact(finding.fix) }),
});

export const isWorse = (one: FindingStatus, other: FindingStatus): boolean =>
  findingStatuses.indexOf(one) > findingStatuses.indexOf(other);

/** The worst status of all; `ok` where there is none. */
export const worstOf = (findings: readonly Pick<Finding, "status">[]): FindingStatus =>
  findings.reduce<FindingStatus>(
    (worst, { status }) => (isWorse(status, worst) ? status : worst),
    "ok",
  );
