import { randomBytes } from "node:crypto";
import type { Erasure, PlacedEntry, Session } from "../../core/ports.ts";
import { minRetentionMs } from "../turns/commit-values.ts";
import { chatKeys } from "../keys.ts";
import { list, number, text, type Store } from "../redis/redis.ts";

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
  const placed = entries.flatMap(({ position, entry }) => [
    position,
    JSON.stringify(entry),
  ]);
  const reply = await store.run(
    "overwrite",
    [state, log],
    [token, revision, ...placed],
  );
  return number(reply) === 1;
}

/** As `TurnStore.erase`. Of an erased chat only its counters are left, for as long as its ledgers could be. */
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
): Promise<
  | { readonly type: "erased"; readonly again: boolean }
  | { readonly type: "fenced" }
> {
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
      ],
      [
        token,
        revision,
        take,
        of.what,
        `in:${chat}`,
        `out:${chat}`,
        keys.tracePrefix,
        keys.blobPrefix,
        keys.approvalPrefix,
        isChat ? minRetentionMs : Math.max(retentionMs, minRetentionMs),
        randomBytes(12).toString("base64url"),
        keys.deadPrefix,
        chat,
        ...(isChat ? [] : [JSON.stringify(of.personId), ...of.turns]),
      ],
    ),
  );
  return text(reply[0]) === "fenced"
    ? { type: "fenced" }
    : { type: "erased", again: number(reply[1]) === 1 };
}
