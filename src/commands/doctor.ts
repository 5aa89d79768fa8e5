import { findingStatuses, type Finding, type FindingStatus } from "../core/finding.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";

const marks: Readonly<Record<FindingStatus, string>> = {
  broken: "❌",
  warning: "⚠️",
  note: "ℹ️",
  ok: "✅",
};

/** `/doctor`: the checks of `npm run doctor`, in the language of the owner. */
export const doctorCommand: Command = {
  spec: {
    ...described("doctor", ({ doctor }) => doctor.description),
    adminOnly: true,
  },
  role: "owner",
  isPrivate: true,
  run: async ({ locale }, { doctor }) => answer(...linesOf((await doctor())(locale), locale)),
};

/** The worst first; of what is fine only the number. Pure. */
function linesOf(findings: readonly Finding[], { doctor }: Locale): readonly string[] {
  const of = (status: FindingStatus) => findings.filter((each) => each.status === status);
  const [broken, warnings] = [of("broken").length, of("warning").length];
  const fine = findings.length - broken - warnings;
  return [
    broken + warnings === 0 ? doctor.fine(fine) : doctor.found(broken, warnings),
    ...findingStatuses
      .toReversed()
      .filter((status) => status !== "ok")
      .flatMap(of)
      .flatMap(({ status, what, why, fix }) => [
        "",
        `${marks[status]} ${what}`,
        ...(why === undefined ? [] : [why]),
        ...(fix === undefined ? [] : [doctor.fix(fix)]),
      ]),
    ...(broken + warnings === 0 ? [] : ["", `${marks.ok} ${doctor.rest(fine)}`]),
  ];
}
