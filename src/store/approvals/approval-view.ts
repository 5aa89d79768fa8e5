import {
  approvalEditSchema,
  approvalSchema,
  approvalStatusSchema,
  type ApprovalView,
} from "../../core/approval.ts";
import { approvalKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { checkStored, parseStored } from "../stored.ts";

/**
 * A closed approval's record is kept this long, so that late taps can be answered; a pending one
 * does not expire by itself, since its turn waits for it. Milliseconds.
 */
export const approvalAfterlifeMs = 30 * 86_400_000;

/** Ids come from buttons and typed commands: anything that cannot be one names no key. */
const idShape = /^s\d{1,3}-[A-Za-z0-9_-]{22}$/;

export const isApprovalId = (id: string): boolean => idShape.test(id);

/** Undefined where there is no such approval, or not any more. */
export async function readApproval(
  { redis }: Pick<Store, "redis">,
  id: string,
): Promise<ApprovalView | undefined> {
  if (!isApprovalId(id)) return undefined;
  const key = approvalKey(id);
  const fields = ["approval", "status", "decidedBy", "reason", "card", "edit"];
  const ids = ["firstId", "firstName", "decidedById"];
  const [json, status, decidedBy, reason, card, edit, ...people] = await redis.hmget(
    key,
    ...fields,
    ...ids,
  );
  const [firstId, firstName, decidedById] = people;
  if (!json) return undefined;
  return {
    approval: parseStored(approvalSchema, key, json),
    status: checkStored(approvalStatusSchema, key, status),
    ...(firstId ? { approvedFirst: { id: firstId, name: firstName ?? "" } } : {}),
    ...(decidedBy ? { decidedBy } : {}),
    ...(decidedById ? { decidedById } : {}),
    ...(reason ? { reason } : {}),
    ...(card ? { cardMessageId: card } : {}),
    ...(edit ? { edit: parseStored(approvalEditSchema, key, edit) } : {}),
  };
}
