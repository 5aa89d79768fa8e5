import { messageOf, PermanentError } from "../../core/errors.ts";
import { safeFileName, type OutboxEntry } from "../../core/outbox.ts";
import type { ToolFile } from "../../core/tool.ts";
import type { Call } from "../../core/turn.ts";
import type { TurnContext } from "../turn-context.ts";

/** Of one call. */
const maxFiles = 4;
/** Of all calls of one turn: a person can look through these. */
const maxFilesOfTurn = 10;

/** What the model reads below a result. */
const words = {
  sent: (names: string) => `[sent to the person as a file: ${names}]`,
  notSent: (name: string) => `[not sent to the person: ${name} is empty or too large]`,
  tooMany: (count: number) =>
    `[not sent to the person: ${count} more files; at most ${maxFiles} of one call and ${maxFilesOfTurn} of one answer are]`,
} as const;

/**
 * Keeps a call's files for people, as outbox entries whose ids derive from the
 * call. A file that can't be kept is left out, and the model is informed. Never
 * rejects.
 */
export async function keepFiles(
  { deps, session }: TurnContext,
  { index }: Call,
  given: readonly ToolFile[] = [],
): Promise<{
  readonly files: readonly OutboxEntry[];
  /** Lines for the model. */
  readonly notes: readonly string[];
}> {
  const { chat, state } = session;
  const left = Math.max(0, maxFilesOfTurn - (state.files ?? 0));
  const taken = given.slice(0, Math.min(maxFiles, left));
  // Calls run side by side: what one of them may still send is known to the next.
  if (taken.length > 0) session.record({ type: "files-kept", count: taken.length });
  const files: (OutboxEntry & { kind: "file" })[] = [];
  const notes: string[] = [];
  for (const [place, { name, mediaType, bytes }] of taken.entries()) {
    const safeName = safeFileName(name);
    try {
      if (bytes.byteLength === 0) throw new PermanentError("the file is empty");
      files.push({
        kind: "file",
        v: 1,
        // Begins as all that the turn says does: an erasure finds it so.
        id: `turn-${state.turn}-file-${state.round}-${index}-${place}`,
        blob: await deps.blobs.put(chat, bytes),
        name: safeName,
        mediaType,
        ...(state.replyTo === undefined ? {} : { replyTo: state.replyTo }),
      });
    } catch (error) {
      deps.log.warn({ chat, error: messageOf(error) }, "a tool's file is not sent");
      notes.push(words.notSent(safeName));
    }
  }
  const more = given.length - taken.length;
  return {
    files,
    notes: [
      ...(files.length === 0 ? [] : [words.sent(files.map((file) => file.name).join(", "))]),
      ...notes,
      ...(more > 0 ? [words.tooMany(more)] : []),
    ],
  };
}
