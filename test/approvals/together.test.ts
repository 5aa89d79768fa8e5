import { expect, it } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import type { Attempt, AttemptOutcome } from "../../src/approvals/attempt.ts";
import { together } from "../../src/approvals/together.ts";

const approval: Approval = {
  v: 1,
  id: "s1-aaaaaaaaaaaaaaaaaaaaaa",
  chat: "telegram:1:1",
  turn: 1,
  round: 1,
  index: 0,
  tool: "buy",
  arguments: "{}",
  digest: "d",
  requester: { id: "telegram:1", name: "Ann" },
  approvers: "requester",
  expiresAtMs: 1,
};
const attempt: Attempt = {
  approvalId: approval.id,
  status: "approved",
  person: approval.requester,
  role: "member",
  chat: approval.chat,
};
const late: AttemptOutcome = { type: "refused", text: "too late" };
const expired: AttemptOutcome = {
  type: "refused",
  text: "it expired",
  expired: approval,
};

it("of calls of which none was decided, one that has just expired is passed on, so that its chat is told", () => {
  expect(together(attempt, [late, expired])).toEqual({
    type: "refused",
    text: "1: too late\n2: it expired",
    expired: approval,
  });
  expect(together(attempt, [late, late])).toEqual(late);
});
