import { unreached } from "../../core/approval.ts";
import type { ChatKey } from "../../core/chat.ts";
import type { RefusalReason } from "../../core/refusal.ts";
import {
  deadTtlMs,
  maxDeadOfChat,
  maxDeadOfShard,
  newDeadId,
  type DeadReason,
} from "./dead-letter.ts";
import { maxRefused } from "./dead-chats.ts";
import { approvalAfterlifeMs } from "../approvals/approval-view.ts";
import { approvalKey, chatKeys, deadIndexKey } from "../keys.ts";
import { list, number, text, texts, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";

/** Receipts are kept this long: as long as a redelivered event can ask for them. */
export const ledgerTtlMs = 48 * 3_600_000;
/** Most characters of the reason why an entry was abandoned. */
const maxCauseLength = 500;

export interface DeliverySession {
  readonly chat: ChatKey;
  readonly token: string;
}

export interface Receipt {
  /** The id of the entry or draft. */
  readonly id: string;
  /** An empty value takes the field away. */
  readonly fields: Readonly<Record<string, string>>;
  /** The entry has been dealt with and leaves the outbox. */
  readonly finished?: boolean;
  /**
   * The entry or draft that this session sends now: its delivery is in doubt if the process dies.
   */
  readonly next?: string;
  /**
   * Releases the outbox; it isn't taken again for `delayMs`, or, if it
   * `yields`, only for entries that aren't patient.
   */
  readonly release?: { readonly delayMs?: number; readonly yields?: boolean };
  /** Whether the outcome of the last request is unknown; absent: unchanged. */
  readonly interrupted?: boolean;
  /** Set for the card of these approvals. */
  readonly card?: {
    readonly approvalIds: readonly string[];
    readonly messageId: string;
  };
  /** The same for a copy of the card of this approval, which is another chat's. */
  readonly copy?: { readonly approvalId: string; readonly messageId: string };
  /** The platform's id of a message that asks for something else than approvals by its buttons. */
  readonly askedBy?: string;
  /**
   * An attempt has failed. The entry is abandoned when it has failed `atLeast` times and the first
   * time was `forMs` ago by Redis' clock; `dead` is the dead letter.
   */
  readonly failed?: {
    readonly counter: "tries" | "throws";
    readonly atLeast: number;
    readonly forMs: number;
  };
  /** Makes a dead letter of an entry that this finishes. */
  readonly dead?: {
    readonly why: DeadReason;
    readonly cause: string;
    /** What the platform has against it, where it is known. */
    readonly reason?: RefusalReason;
    /** Whether it may have arrived nevertheless. */
    readonly doubtful: boolean;
    /** Nothing can be sent to the chat any more. */
    readonly isChatDead?: true;
    /**
     * The approvals that the entry was to ask for: those that no message has shown are closed, since
     * no one could be asked.
     */
    readonly asks?: readonly string[];
  };
}

export interface Written {
  /**
   * Entries are left, or, after a release, another process was turned away in
   * between and may know of a draft.
   */
  readonly hasMore: boolean;
  /** The entry became a dead letter. */
  readonly isDead: boolean;
  /** The chat was marked dead now, or earlier; `alive`: it is still marked though this has arrived. */
  readonly life?: "died" | "dead" | "alive";
  /** Ids of the approvals that were closed with it; their chat is to be woken. */
  readonly closed?: readonly string[];
}

/** Undefined when the session is fenced. */
export async function writeReceipt(
  store: Store,
  leaseMs: number,
  { chat, token }: DeliverySession,
  receipt: Receipt,
): Promise<Written | undefined> {
  const keys = chatKeys(chat);
  const reply = list(
    await store.run(
      "receipt",
      [
        keys.state,
        keys.outbox,
        keys.draft,
        keys.wake,
        `${keys.sentPrefix}${receipt.id}`,
        keys.deadIndex,
      ],
      packFields({
        token,
        leaseMs,
        id: receipt.id,
        next: receipt.next,
        ledger: Object.entries(receipt.fields),
        ledgerTtlMs,
        isFinished: receipt.finished,
        interrupted: receipt.interrupted,
        release: receipt.release,
        card: receipt.card && {
          approvals: receipt.card.approvalIds.map(approvalKey),
          messageId: receipt.card.messageId,
        },
        askedBy: receipt.askedBy,
        failed: receipt.failed,
        dead: receipt.dead && deadFields(chat, receipt.dead),
        chat,
        outMember: `out:${chat}`,
      }),
    ),
  );
  if (text(reply[0]) === "fenced") return undefined;
  const closed = texts(reply[3]);
  const life = text(reply[4]);
  return {
    hasMore: number(reply[1]) === 1,
    isDead: number(reply[2]) === 1,
    ...(closed.length > 0 ? { closed } : {}),
    ...(life === "died" || life === "dead" || life === "alive" ? { life } : {}),
  };
}

const deadFields = (
  chat: ChatKey,
  { why, cause, reason, doubtful, isChatDead, asks = [] }: NonNullable<Receipt["dead"]>,
) => ({
  id: newDeadId(chat),
  why,
  isChatDead,
  maxRefused,
  reason: reason ?? "",
  // Keys of another shard aren't this script's.
  asks: asks
    .filter((id) => id.startsWith(`${chatKeys(chat).shard}-`))
    .map((id) => ({ id, key: approvalKey(id), member: `appr:${id}` })),
  unreached,
  afterlifeMs: approvalAfterlifeMs,
  inMember: `in:${chat}`,
  cause: cause.slice(0, maxCauseLength),
  doubtful: Number(doubtful),
  ttlMs: deadTtlMs,
  maxOfChat: maxDeadOfChat,
  maxOfShard: maxDeadOfShard,
  prefix: `${deadIndexKey(chatKeys(chat).shard)}:`,
});
