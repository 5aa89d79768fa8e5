import { randomBytes } from "node:crypto";
import {
  approvalStatusSchema,
  type ApprovalEdit,
  type ApprovalStatus,
  type ApprovalView,
} from "../../core/approval.ts";
import { chatKey, parseChatKey, type ChatKey } from "../../core/chat.ts";
import type { OutboxEntry } from "../../core/outbox.ts";
import { approvalAfterlifeMs, isApprovalId, readApproval } from "./approval-view.ts";
import { approvalKey, chatKeys, wakeKey } from "../keys.ts";
import { serialiseOut } from "../turns/inbox.ts";
import { ledgerTtlMs } from "../turns/receipt.ts";
import { list, text, type Reply, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";
import { checkStored } from "../stored.ts";

export type Decided =
  | { readonly type: "decided"; readonly status: ApprovalStatus }
  | {
      readonly type: "already";
      readonly status: ApprovalStatus;
      readonly decidedBy: string;
      /** Who approved first, where two had to. */
      readonly approvedFirst?: string;
    }
  /** It is the first of two approvals that are needed. */
  | { readonly type: "counted" }
  /** The same person was the first of two already. */
  | { readonly type: "same" }
  /** It has not expired yet. */
  | { readonly type: "early" }
  /** It came to be carried out too late to count. */
  | { readonly type: "late" }
  | { readonly type: "unknown" };

interface Decision {
  /**
   * Names the try: the same one gets the same answer again, e.g. after a crash. Absent: it is
   * another one every time.
   */
  readonly attempt?: string;
  readonly status: "approved" | "denied" | "expired" | "changed";
  /** The name of the person who decided; empty for no one. */
  readonly decidedBy: string;
  /**
   * Their id, by which an erasure finds their words; must be given where two have to approve it.
   */
  readonly decidedById?: string;
  /**
   * A first approver whose approval no longer counts; the person who decides
   * takes their place.
   */
  readonly voidFirstId?: string;
  /** With `expired`: why before its time. */
  readonly reason?: string;
  /** With `changed`: the arguments to ask about instead. */
  readonly edit?: ApprovalEdit;
  /** Milliseconds since the epoch, by Redis' clock: carried out later, it does not count. */
  readonly notAfterMs?: number;
  /**
   * The entry for the card's chat; the other one is used if the approval turns
   * out to have expired.
   */
  readonly told: OutboxEntry;
  readonly toldExpired: OutboxEntry;
  /**
   * Used instead after the first of two approvals; required where two are
   * needed.
   */
  readonly toldFirst?: OutboxEntry;
}

export interface Asked {
  readonly asked: readonly ApprovalView[];
  /**
   * The platform's id of the newest message whose buttons are about something else; absent: there
   * was none.
   */
  readonly otherQuestionId?: string;
}

interface QuestionMessages {
  /** The platform's ids. */
  readonly ids: readonly string[];
  /** One was asked a moment ago, and its id is not known yet. */
  readonly isBeingSent: boolean;
}

export interface ApprovalStore {
  find(id: string): Promise<ApprovalView | undefined>;
  /** All approvals of a chat's open turn, in order: shown or not, recently decided or not. */
  askedOf(chat: ChatKey): Promise<Asked>;
  /** The pending approvals of a chat that were shown to people, in order. */
  shownOf(chat: ChatKey): Promise<readonly ApprovalView[]>;
  /** Decides once; the outbox entry and the chat's wake-up are part of it. */
  decide(view: ApprovalView, decision: Decision): Promise<Decided>;
  /**
   * The chat is about to be asked a question that a reply answers, perhaps not for the first time.
   * @returns the id of the outbox entry that asks it.
   */
  expectReply(chat: ChatKey, question: string): Promise<string>;
  /** The messages that asked it in the last two days. */
  askedIn(chat: ChatKey, question: string): Promise<QuestionMessages>;
  /** Drops what the wake index holds of an approval that has no record. */
  forget(id: string): Promise<void>;
}

/** Of a question that was asked more often, replies to the newest messages count. */
const maxQuestionMessages = 20;
/** A question that has no message after this time may never get one. Milliseconds. */
const beingSentMs = 10_000;

export function createApprovalStore(store: Store): ApprovalStore {
  return {
    askedOf: (chat) => readAsked(store, chat),
    async shownOf(chat) {
      const { asked } = await readAsked(store, chat);
      return asked.filter(
        ({ status, cardMessageId }) => status === "pending" && cardMessageId !== undefined,
      );
    },
    async expectReply(chat, question) {
      const { redis, clock } = store;
      const counter = `${chatKeys(chat).sentPrefix}${question}`;
      const count = await redis.hincrby(counter, "asked", 1);
      const key = `${counter}-${count}`;
      // Of an earlier count there may be a message.
      const posting = redis.multi().pexpire(counter, ledgerTtlMs).del(key);
      await posting.hset(key, "posted", clock.now()).pexpire(key, ledgerTtlMs).exec();
      return `${question}-${count}`;
    },
    askedIn: (chat, question) => readMessages(store, `${chatKeys(chat).sentPrefix}${question}`),
    async forget(id) {
      if (!isApprovalId(id)) return;
      const [shard = ""] = id.split("-", 1);
      await store.redis.zrem(wakeKey(shard), `appr:${id}`);
    },
    async find(id) {
      if (!isApprovalId(id)) return undefined;
      return await readApproval(store, id);
    },
    async decide({ approval }, decision) {
      const chat = chatKey(parseChatKey(approval.chat));
      const keys = chatKeys(chat);
      const reply = list(
        await store.run(
          "decide",
          [approvalKey(approval.id), keys.outbox, keys.wake],
          packFields({
            status: decision.status,
            decidedBy: decision.decidedBy,
            decidedById: decision.decidedById ?? "",
            reason: decision.reason ?? "",
            edit: decision.edit === undefined ? "" : JSON.stringify(decision.edit),
            persons: approval.persons ?? 1,
            voidFirstId: decision.voidFirstId,
            attempt: decision.attempt ?? randomBytes(9).toString("base64url"),
            notAfterMs: decision.notAfterMs,
            told: serialiseOut(decision.told),
            toldExpired: serialiseOut(decision.toldExpired),
            toldFirst: serialiseOut(decision.toldFirst ?? decision.told),
            afterlifeMs: approvalAfterlifeMs,
            inMember: `in:${chat}`,
            outMember: `out:${chat}`,
            approvalMember: `appr:${approval.id}`,
          }),
        ),
      );
      const type = text(reply[0]);
      switch (type) {
        case "decided":
          return { type, status: statusOf(approval.id, reply) };
        case "already":
          return {
            type,
            status: statusOf(approval.id, reply),
            decidedBy: text(reply[2]),
            ...firstOf(text(reply[3])),
          };
        case "counted":
        case "same":
        case "early":
        case "late":
        case "unknown":
          return { type };
        default:
          throw new TypeError(`decide answered ${type}`);
      }
    },
  };
}

/** @param counter has the message's id itself if an earlier version asked. */
async function readMessages({ redis, clock }: Store, counter: string): Promise<QuestionMessages> {
  const [asked, own] = await redis.hmget(counter, "asked", "m0");
  const last = Number(asked ?? 0);
  const first = Math.max(1, last - maxQuestionMessages + 1);
  const counts = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const found = await Promise.all(
    counts.map((count) => redis.hmget(`${counter}-${count}`, "m0", "posted")),
  );
  const sinceMs = clock.now() - beingSentMs;
  return {
    ids: [own, ...found.map(([id]) => id)].filter((id) => typeof id === "string"),
    isBeingSent: found.some(([id, posted]) => !id && Number(posted ?? 0) > sinceMs),
  };
}

async function readAsked(store: Store, chat: ChatKey): Promise<Asked> {
  const [ids, other] = await store.redis.hmget(chatKeys(chat).state, "approvals", "out:asked");
  const views = await Promise.all((ids ?? "").split(" ").map((id) => readApproval(store, id)));
  return {
    asked: views.flatMap((view) => (view === undefined ? [] : [view])),
    ...(other ? { otherQuestionId: other } : {}),
  };
}

const firstOf = (name: string): { readonly approvedFirst?: string } =>
  name === "" ? {} : { approvedFirst: name };

/** The status that `decide` has returned. @throws PermanentError if it is none. */
const statusOf = (id: string, reply: readonly Reply[]): ApprovalStatus =>
  checkStored(approvalStatusSchema, approvalKey(id), text(reply[1]));
