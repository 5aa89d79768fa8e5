import type { z } from "zod";
import { approverPolicies, type ApproverPolicy } from "../core/approval.ts";
import { minuteOfDay } from "../core/quiet-hours.ts";
import { count, durationMs, durationMsOrOff, leaf, oneOf, section } from "./leaves.ts";
import { withoutUndefined } from "./without-undefined.ts";

/** Who may decide; `two-persons` is short for two people of the default set. */
const approvers = oneOf(...approverPolicies, "two-persons");

/** How people are asked, under `approvals` and in a rule alike. */
export const askingShape = {
  approvers: approvers.optional(),
  persons: count({ min: 1, max: 2 }).optional(),
  expiresAfter: durationMs.optional(),
  alwaysAllow: durationMsOrOff.optional(),
};
type Given = z.output<z.ZodObject<typeof askingShape>>;

/** Contradictory combinations, each reported at one of its keys. */
export function askingProblems(
  { approvers, persons, alwaysAllow }: Given,
  issues: z.core.$RefinementCtx,
): void {
  const complain = (key: keyof Given, message: string): void =>
    issues.addIssue({ code: "custom", path: [key], message });
  if (persons !== undefined && approvers === undefined)
    complain("persons", "expected approvers next to it: who they are");
  if (persons === 1 && approvers === "two-persons")
    complain("persons", "expected 2 with approvers: two-persons");
  if (persons === 2 && approvers === "requester")
    complain("persons", "expected 1: there is only one requester");
  const isTwo = persons === 2 || approvers === "two-persons";
  if (isTwo && typeof alwaysAllow === "number")
    complain(
      "alwaysAllow",
      "expected off: a call that two persons must approve can't be allowed by one of them",
    );
}

/** The same in the shape that the policy takes. */
export function askingOf(given: Given): {
  readonly approvers: ApproverPolicy | undefined;
  readonly persons?: 1 | 2;
  readonly expiresAfterMs?: number;
  readonly alwaysAllowMs?: number;
} {
  const { approvers, persons, expiresAfter, alwaysAllow } = given;
  const isTwo = persons === 2 || approvers === "two-persons";
  return {
    approvers: approvers === "two-persons" ? "requester-or-admins" : approvers,
    ...(isTwo ? { persons: 2 } : {}),
    ...withoutUndefined({
      expiresAfterMs: expiresAfter,
      alwaysAllowMs: alwaysAllow === "off" ? 0 : alwaysAllow,
    }),
  };
}

const clockTime = leaf("a time of day such as 22:00", (value) => {
  const [, hours, minutes] =
    typeof value === "string" ? (/^([01]?\d|2[0-3]):([0-5]\d)$/.exec(value) ?? []) : [];
  return hours === undefined ? undefined : { value: Number(hours) * 60 + Number(minutes) };
});

const timezone = leaf("a time zone such as Europe/Berlin", (value) => {
  if (typeof value !== "string" || value === "") return undefined;
  try {
    minuteOfDay(value, 0);
    return { value };
  } catch {
    return undefined;
  }
});

const quietHours = section({
  from: clockTime,
  to: clockTime,
  timezone: timezone.default("UTC"),
  // oxlint-disable-next-line unicorn/no-thenable -- a key of the operator's file, never awaited
  then: oneOf("silent", "deny").default("silent"),
})
  .superRefine(({ from, to }, issues) => {
    if (from === to)
      issues.addIssue({
        code: "custom",
        path: ["to"],
        message: "expected another time than from",
      });
  })
  .transform(({ from, to, timezone, then: mode }) => ({
    fromMinute: from,
    toMinute: to,
    timezone,
    mode,
  }));

/** A rule's override of the quiet hours of `approvals`. */
export const quietRule = oneOf("silent", "deny", "off");

/**
 * Default time to decide, and the longest duration of a standing permission.
 * Milliseconds.
 */
const usualExpiryMs = 24 * 3_600_000;
const usualAlwaysAllowMs = 8 * 3_600_000;

export const approvalsSection = section({
  ...askingShape,
  quietHours: quietHours.optional(),
})
  .prefault({})
  .superRefine(askingProblems)
  .transform(({ quietHours, ...given }) => {
    const asking = askingOf(given);
    return {
      ...asking,
      approvers: asking.approvers ?? "requester-or-admins",
      expiresAfterMs: asking.expiresAfterMs ?? usualExpiryMs,
      alwaysAllowMs: asking.alwaysAllowMs ?? usualAlwaysAllowMs,
      ...(quietHours === undefined ? {} : { quietHours }),
    };
  });
