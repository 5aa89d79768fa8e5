import { shortApprovalId } from "../../core/approval.ts";
import { journalKey, type Call } from "../../core/turn.ts";
import { auditedPersona } from "../../core/turn-persona.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * Audits a tool execution with the next commit: who asked, where, and the
 * outcome, without arguments and result. A repeated run writes the same line
 * again, once.
 * @param outcome `done`, `unknown`, `cancelled`, or the kind of its failure.
 */
export function auditCall({ deps, session }: TurnContext, call: Call, outcome: string): void {
  const { turn, round, requester } = session.state;
  const { id, name } = requester;
  const key = journalKey(turn, round, call.index);
  const written = deps.audit.write(`${session.chat}/${key}`, {
    action: "tool-executed",
    by: { id, name },
    chat: session.chat,
    target: deps.toolbox.find(call.name)?.name ?? call.name,
    outcome,
    details: {
      effect: call.effect,
      ...auditedPersona(session.state),
      // As the lines of its decision name it.
      ...(call.approvalId === undefined ? {} : { approval: shortApprovalId(call.approvalId) }),
      ...(call.grant === undefined ? {} : { grant: call.grant }),
    },
  });
  session.alongside(written);
}
