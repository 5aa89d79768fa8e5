import { findingStatuses, type FindingStatus } from "../core/finding.ts";
import type { Repaired } from "./check.ts";

const marks: Readonly<Record<FindingStatus, string>> = {
  ok: "✓",
  note: "i",
  warning: "!",
  broken: "✗",
};

/** The worst first, each with its reason and its fix. Pure. */
export function showFindings(findings: readonly Repaired[]): string {
  const lines = findingStatuses
    .toReversed()
    .flatMap((status) => findings.filter((each) => each.status === status))
    .flatMap(({ status, what, why, fix, fixed }) => [
      `${marks[status]} ${what}`,
      ...(fixed === undefined ? [] : [`    fixed  ${fixed}`]),
      ...(status === "ok" || why === undefined ? [] : [`    why    ${why}`]),
      ...(status === "ok" || fix === undefined ? [] : [`    fix    ${fix}`]),
    ]);
  return [...lines, "", summary(findings)].join("\n");
}

function summary(findings: readonly Repaired[]): string {
  const count = (status: FindingStatus): number =>
    findings.filter((each) => each.status === status).length;
  const [broken, warnings] = [count("broken"), count("warning")];
  const fine = count("ok") + count("note");
  return [
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`] : []),
    `${fine} fine`,
  ].join(", ");
}
