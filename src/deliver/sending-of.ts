import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { safeFileName, type OutboxEntry } from "../core/outbox.ts";
import type { Chunk, OutgoingFile, Sender } from "../core/ports.ts";
import type { Blobs } from "../store/blobs.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { cardButtons, cardMarkdown, closedCardMarkdown } from "./card.ts";
import type { Sending } from "./send-chunks.ts";

/** What an entry looks like on its platform; undefined when there is nothing to send. */

const nothingToShow = "(The answer has nothing that can be shown.)";
const fileIsGone = "The file is no longer available.";
const fileWasRefused = "Sorry, the file could not be sent here.";

interface SendingDeps {
  readonly sender: Sender;
  readonly outbox: OutboxStore;
  readonly blobs: Pick<Blobs, "get">;
}

export async function sendingOf(
  { sender, outbox, blobs }: SendingDeps,
  job: {
    readonly chat: ChatKey;
    readonly entry: OutboxEntry;
    readonly interrupted: boolean;
    readonly doubtAgeMs: number;
  },
  /** A resolution's begins with the message that it replaces. */
  ledger: Map<string, string>,
): Promise<Sending | undefined> {
  const { chat, entry } = job;
  const base = {
    chat,
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
      const chunks = sender.render(entry.text);
      // Somebody waits for an answer: one that no platform can show is said to be so.
      return {
        ...base,
        chunks: chunks.length > 0 ? chunks : sender.plain(nothingToShow),
        silent: entry.silent ?? false,
      };
    }
    case "notice":
      return {
        ...base,
        chunks: sender.plain(entry.text),
        silent: entry.silent ?? false,
        buttons: entry.buttons,
      };
    case "card":
      return {
        ...base,
        chunks: sender.render(cardMarkdown(entry.card)),
        buttons: cardButtons(entry.card),
      };
    case "file": {
      const bytes = await blobs.get(chat, entry.blob);
      return bytes === undefined || bytes.byteLength === 0
        ? { ...base, chunks: sender.plain(fileIsGone) }
        : { ...base, ...fileOf(sender, entry, bytes) };
    }
    case "resolution": {
      const messageId = await outbox.lastMessageOf(chat, entry);
      if (messageId === undefined) return undefined;
      ledger.set("m0", messageId);
      const chunks = entry.card
        ? sender.render(closedCardMarkdown(entry.card, entry.text))
        : sender.plain(entry.text);
      return { ...base, chunks: chunks.slice(-1), buttons: [], silent: true };
    }
    default:
      return unreachable(entry);
  }
}

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

/** What is said in the place of a file that a platform refuses: somebody waits for it. */
export const withoutFile = (sending: Sending): Sending => ({
  ...sending,
  file: undefined,
  chunks: sending.sender.plain(fileWasRefused),
});
