import { shortApprovalId, type Approval } from "../core/approval.ts";
import { secretsIn } from "../text/hide-secrets.ts";
import { visible } from "../text/visible-text.ts";
import { localeFor } from "../locales/locale-for.ts";
import { toolTitleAndName } from "../locales/tool-title.ts";
import type { Which } from "./attempt.ts";
import type { DecidingDeps } from "./decide-approval.ts";
import { pendingFor, type Refusal, type DecisionRequest } from "./pending-for.ts";

/**
 * The masked values of a card's open calls, for a person who may decide them; the caller shows them
 * to that person alone. The audit log records that they were shown, once per person and call, but
 * never the values.
 */
export async function showHidden(
  deps: DecidingDeps,
  attempt: DecisionRequest,
  which: Which,
): Promise<{ readonly type: "shown"; readonly text: string } | Refusal> {
  const { approvalId } = attempt;
  const view = which === "all" ? await deps.approvals.find(approvalId) : undefined;
  const open: Approval[] = [];
  let refusal: Refusal | undefined;
  const ids = which === "one" || which === "all" ? [approvalId] : which;
  for (const id of view?.approval.together ?? ids) {
    const request = { ...attempt, approvalId: id };
    const pending = await pendingFor(deps, request, { isCopyEnough: true });
    if (pending.type === "pending") open.push(pending.approval);
    else refusal ??= pending;
  }
  if (open.length === 0 && refusal !== undefined) return refusal;
  const locale = localeFor(attempt.person.language, attempt.person.id);
  const say = locale.approvals;
  const texts: string[] = [];
  for (const approval of open) {
    const found = secretsIn(JSON.parse(approval.arguments));
    if (found.length === 0) continue;
    const lines = found.map(({ path, secret }) => `${visible(path)}: ${visible(secret, "\n")}`);
    texts.push(
      [say.hiddenValues(visible(toolTitleAndName(approval, locale))), ...lines].join("\n"),
    );
    await note(deps, attempt, approval);
  }
  return { type: "shown", text: texts.join("\n\n") || say.nothingHidden };
}

const note = (
  { audit }: DecidingDeps,
  { person: { id, name }, chat }: DecisionRequest,
  approval: Approval,
): Promise<void> =>
  audit.write(`${approval.id} values shown`, {
    action: "values-shown",
    by: { id, name },
    chat,
    target: approval.tool,
    details: { approval: shortApprovalId(approval.id) },
  });
