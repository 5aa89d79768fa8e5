import type { AuditEntry, AuditLog } from "../core/audit.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Store } from "../store/redis/redis.ts";
import {
  dropDeadLetter,
  entryToReplay,
  replayDeadLetter,
  type DeadLetter,
} from "../store/turns/dead-letters.ts";

export interface SettlingDeps {
  readonly store: Store;
  readonly audit: AuditLog;
  readonly wakeDelivery: (chat: ChatKey) => Promise<void>;
}

/** Who did it; the shell knows no person, and says so in the details. */
export type Settler = Pick<AuditEntry, "by" | "details">;

/**
 * Sends a dead letter again. False if it is gone: another process was faster.
 * @throws PermanentError when the stored value can't be an outbox entry.
 */
export async function replayLetter(
  deps: SettlingDeps,
  letter: DeadLetter,
  settler: Settler,
): Promise<boolean> {
  entryToReplay(letter);
  await note(deps, letter, settler, "replayed");
  if (!(await replayDeadLetter(deps.store, letter))) return false;
  await deps.wakeDelivery(letter.chat);
  return true;
}

/** Forgets a dead letter. False if it is gone already. */
export async function dropLetter(
  deps: SettlingDeps,
  letter: Pick<DeadLetter, "id" | "chat">,
  settler: Settler,
): Promise<boolean> {
  await note(deps, letter, settler, "dropped");
  return await dropDeadLetter(deps.store, letter);
}

/** Before it is settled: after a crash in between, there would be no letter left to ask about. */
const note = (
  { audit }: SettlingDeps,
  { id, chat }: Pick<DeadLetter, "id" | "chat">,
  settler: Settler,
  outcome: "replayed" | "dropped",
): Promise<void> =>
  audit.write(`${id} ${outcome}`, { action: "dead-letter-settled", ...settler, chat, outcome });
