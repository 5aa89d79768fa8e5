import { randomBytes } from "node:crypto";
import type { ChatKey } from "../../core/chat.ts";
import { chatKeys } from "../keys.ts";

/**
 * Why an entry was abandoned. `refused`: the platform will never accept it.
 * `tried-for-long`: it could not be sent for a day. `failed-here`: our own
 * handling failed every time. `unknown`: it was sent five times without a known
 * outcome.
 */
export const deadReasons = ["refused", "tried-for-long", "failed-here", "unknown"] as const;
export type DeadReason = (typeof deadReasons)[number];

export const deadTtlMs = 30 * 86_400_000;
/** If a chat has blocked the bot, every entry is refused: the newest ones are enough. */
export const maxDeadOfChat = 20;
/** 25,600 in all. */
export const maxDeadOfShard = 100;

/** A dead letter's shard is part of its id, `<shard>-<random>`. */
export const newDeadId = (chat: ChatKey): string =>
  `${chatKeys(chat).shard}-${randomBytes(8).toString("hex")}`;

export const shardOfDeadId = (id: string): string | undefined =>
  /^(s\d{1,3})-[0-9a-f]{16}$/.exec(id)?.[1];
