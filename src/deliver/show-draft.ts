import { parseChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { Draft } from "../core/outbox.ts";
import type { DeliverySession, Ledger, Receipt } from "../store/outbox.ts";
import type { DeliveryDeps, DeliveryResult } from "./deliver-chat.ts";
import { chunkDigest, nonceOf } from "./send-chunks.ts";

/**
 * Brings the growing answer to its newest text: one message, edited at the platform's pace, never with unchanged text.
 * Its failures cost nothing but the preview; only a rate limit is obeyed like any other.
 */
export async function showDraft(
  deps: DeliveryDeps,
  session: DeliverySession,
  {
    draft,
    ledger,
    interrupted,
  }: {
    readonly draft: Draft;
    readonly ledger: Ledger;
    /** The owner before may have shown a draft without writing it down. */
    readonly interrupted: boolean;
  },
): Promise<DeliveryResult> {
  const address = parseChatKey(session.chat);
  const nowMs = deps.now();
  const release = async (
    receipt: Omit<Receipt, "id" | "release">,
    delayMs?: number,
  ): Promise<DeliveryResult> => {
    const left = await deps.outbox.write(session, {
      id: draft.id,
      ...receipt,
      release: delayMs === undefined ? {} : { delayMs },
    });
    if (delayMs !== undefined) return { type: "later", atMs: nowMs + delayMs };
    return { type: left !== undefined && left > 0 ? "again" : "done" };
  };

  const [chunk] = draft.text === "" ? [] : deps.sender.render(draft.text);
  if (chunk === undefined || ledger.has("done")) {
    if (!ledger.has("done")) await deps.sender.typing(address);
    return await release({ fields: {} });
  }
  const digest = chunkDigest(chunk);
  if (ledger.get("shown") === digest) {
    await deps.sender.typing(address);
    return await release({ fields: {} });
  }
  const dueMs =
    Number(ledger.get("at") ?? 0) + deps.sender.editIntervalMs(address);
  if (nowMs < dueMs) {
    const result = await release({ fields: {} });
    return result.type === "again" ? result : { type: "later", atMs: dueMs };
  }

  const messageId = ledger.get("m0");
  const isUncertain =
    messageId === undefined && (interrupted || ledger.get("lost") === "1");
  // Perhaps a preview stands there that nobody can edit: not another one, and the answer says that it may be a repetition.
  if (isUncertain && !deps.sender.deduplicates)
    return await release({ fields: { lost: "1" }, interrupted: false });
  const outcome =
    messageId === undefined
      ? await deps.sender.send(address, chunk, {
          nonce: nonceOf(session.chat, draft.id, 0),
          final: false,
          ...(draft.replyTo === undefined ? {} : { replyTo: draft.replyTo }),
        })
      : await deps.sender.edit(address, messageId, chunk, { final: false });
  switch (outcome.type) {
    case "sent":
      return await release({
        fields: {
          m0: outcome.messageId,
          // Where the first of two sends counts, what stands there is perhaps older.
          shown: isUncertain ? "" : digest,
          at: String(nowMs),
          ...(isUncertain ? { lost: "0" } : {}),
        },
        interrupted: false,
      });
    case "retry":
      return await release(
        { fields: { at: String(nowMs) } },
        outcome.retryAfterMs,
      );
    case "unknown":
      return await release({
        fields:
          messageId === undefined
            ? { at: String(nowMs), lost: "1" }
            : { at: String(nowMs), shown: "" },
      });
    case "gone":
    case "refused":
      deps.log.debug(
        { chat: session.chat, cause: outcome.cause },
        "draft not shown",
      );
      return await release({ fields: { at: String(nowMs) } });
    default:
      return unreachable(outcome);
  }
}
