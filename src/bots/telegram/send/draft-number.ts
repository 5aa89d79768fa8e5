import { createHash } from "node:crypto";

/**
 * Telegram knows a draft by a number that is not 0; the same for every text of one answer. Pure.
 */
export const draftNumber = (id: string): number =>
  (createHash("sha256").update(id).digest().readUInt32BE() >>> 1) + 1;
