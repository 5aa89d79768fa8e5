import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { safeFileName, type OutboxEntry } from "../core/outbox.ts";
import type { Chunk, OutgoingFile, Sender } from "../core/ports.ts";
import type { Blobs } from "../store/turns/blobs.ts";
import type { OutboxStore } from "../store/turns/outbox.ts";
import { localeFor } from "../locales/locale-for.ts";
import { askingOf, replacementOf } from "./card-sending.ts";
import { droppedOf } from "./dropped.ts";
import { answerOf } from "./long-answer.ts";
import type { Sending } from "./send-chunks.ts";

interface SendingDeps {
  readonly sender: Sender;
  readonly outbox: OutboxStore;
  readonly blobs: Pick<Blobs, "get">;
}

interface SendingJob {
  readonly chat: ChatKey;
  readonly entry: OutboxEntry;
  readonly interrupted: boolean;
  readonly doubtAgeMs: number;
}

/**
 * An entry as it is sent to its platform, without what that has refused of it; undefined if there is
 * nothing to send.
 * @param ledger A resolution's is made to begin with the message that it replaces.
 */
export async function sendingOf(
  deps: SendingDeps,
  job: SendingJob,
  ledger: Map<string, string>,
): Promise<Sending | undefined> {
  const sending = await wholeOf(deps, job, ledger);
  const refused = droppedOf(ledger, 0);
  if (!sending?.withoutFile || !refused.has("file")) return sending;
  return { ...sending, file: undefined, chunks: await sending.withoutFile() };
}

async function wholeOf(
  deps: SendingDeps,
  job: SendingJob,
  ledger: Map<string, string>,
): Promise<Sending | undefined> {
  const { sender, blobs } = deps;
  const { chat, entry } = job;
  const { delivery } = localeFor(entry.language, chat);
  const base = {
    chat,
    language: entry.language,
    address: parseChatKey(chat),
    sender,
    entryId: entry.id,
    replyTo: entry.replyTo,
    interrupted: job.interrupted,
    doubtAgeMs: job.doubtAgeMs,
    hadDraft: entry.kind === "message",
    ledger,
    silent: false,
    buttons: undefined,
  };
  switch (entry.kind) {
    case "message": {
      if (entry.onlyIfSeen && !mayBeSeen(job, ledger)) return undefined;
      const sent = Number(ledger.get("done") ?? 0);
      const { chunks, ...file } = await answerOf(sender, entry, sent);
      // The person waits for an answer: say that it can't be shown.
      return {
        ...base,
        ...file,
        chunks: chunks.length > 0 ? chunks : sender.plain(delivery.nothingToShow),
        silent: entry.silent ?? false,
      };
    }
    case "notice": {
      const lacksButtons = entry.buttons !== undefined && droppedOf(ledger, 0).has("buttons");
      const text = lacksButtons ? `${entry.text}\n\n${delivery.noButtons}` : entry.text;
      return {
        ...base,
        chunks: sender.plain(text),
        silent: entry.silent ?? false,
        buttons: entry.buttons,
        replyFrom: entry.replyFrom,
      };
    }
    case "card":
    case "cards": {
      const shown = await askingOf(deps, entry, ledger);
      return shown && { ...base, ...shown };
    }
    case "file": {
      if (droppedOf(ledger, 0).has("file")) {
        const words = [entry.caption ?? "", delivery.fileRefused];
        return { ...base, chunks: sender.plain(words.filter(Boolean).join("\n\n")) };
      }
      const bytes = await blobs.get(chat, entry.blob);
      return bytes === undefined || bytes.byteLength === 0
        ? { ...base, chunks: sender.plain(delivery.fileGone) }
        : { ...base, ...fileOf(sender, entry, bytes) };
    }
    case "resolution":
    case "cards-outcome": {
      const shown = await replacementOf(deps, chat, entry, ledger);
      return shown && { ...base, ...shown };
    }
    default:
      return unreachable(entry);
  }
}

/** Whether people have, or may have, a draft of it or a part of it before their eyes. */
const mayBeSeen = (
  { interrupted }: { readonly interrupted: boolean },
  ledger: ReadonlyMap<string, string>,
): boolean =>
  interrupted ||
  // Earlier versions wrote only `shown` of a fleeting draft.
  ["seen", "shown", "m0", "done", "lost"].some((field) => ledger.has(field));

function fileOf(
  sender: Sender,
  { name, mediaType, caption = "" }: OutboxEntry & { kind: "file" },
  bytes: Uint8Array,
): { readonly file: OutgoingFile; readonly chunks: readonly Chunk[] } {
  const [chunk] = sender.plain(caption);
  return {
    chunks: [chunk ?? { text: "" }],
    file: {
      name: safeFileName(name),
      mediaType,
      bytes,
      ...(chunk ? { caption: chunk } : {}),
    },
  };
}
