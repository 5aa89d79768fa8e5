import { randomBytes } from "node:crypto";
import type { Erasure, PlacedEntry, Session } from "../../core/ports.ts";
import { minRetentionMs } from "../turns/commit-fields.ts";
import { chatKeys } from "../keys.ts";
import { memoryMember } from "../memory/windows.ts";
import { list, number, text, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";

interface EraseOptions {
  readonly store: Store;
  readonly retentionMs: number;
}

/** As `TurnStore.overwrite`. */
export async function overwriteEntries(
  store: Store,
  {
    session: { chat, token },
    revision,
    entries,
  }: {
    readonly session: Session;
    readonly revision: number;
    readonly entries: readonly PlacedEntry[];
  },
): Promise<boolean> {
  const { state, log } = chatKeys(chat);
  const placed = entries.flatMap(({ position, entry }) => [position, JSON.stringify(entry)]);
  const reply = await store.run("overwrite", [state, log], [token, revision, ...placed]);
  return number(reply) === 1;
}

/**
 * As `TurnStore.erase`. Of an erased chat only its counters are left, for as long as its ledgers
 * could be.
 */
export async function eraseChat(
  { store, retentionMs }: EraseOptions,
  {
    session: { chat, token },
    revision,
    erasure: { take, of },
  }: {
    readonly session: Session;
    readonly revision: number;
    readonly erasure: Erasure;
  },
): Promise<{ readonly type: "erased"; readonly again: boolean } | { readonly type: "fenced" }> {
  const keys = chatKeys(chat);
  const isChat = of.what === "chat";
  const reply = list(
    await store.run(
      "erase",
      [
        keys.state,
        keys.inbox,
        keys.log,
        keys.calls,
        keys.outbox,
        keys.draft,
        keys.wake,
        keys.usage,
        keys.notes,
        keys.todos,
        keys.settings,
        keys.traces,
        keys.kept,
        keys.deadIndex,
        keys.files,
        keys.grants,
        keys.personas,
        keys.plans,
        keys.windows,
        keys.vectors,
        keys.facts,
        keys.summaries,
        keys.idle,
      ],
      packFields({
        token,
        revision,
        take,
        what: of.what,
        quotedPerson: isChat ? undefined : JSON.stringify(of.personId),
        turns: isChat ? [] : of.turns.map(String),
        chat,
        epoch: randomBytes(12).toString("base64url"),
        retentionMs: isChat ? minRetentionMs : Math.max(retentionMs, minRetentionMs),
        inMember: `in:${chat}`,
        outMember: `out:${chat}`,
        memMember: memoryMember(chat),
        tracePrefix: keys.tracePrefix,
        blobPrefix: keys.blobPrefix,
        approvalPrefix: keys.approvalPrefix,
        deadPrefix: keys.deadPrefix,
      }),
    ),
  );
  if (text(reply[0]) === "fenced") return { type: "fenced" };
  return { type: "erased", again: number(reply[1]) === 1 };
}
