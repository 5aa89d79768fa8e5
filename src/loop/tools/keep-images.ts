import { messageOf } from "../../core/errors.ts";
import { fileKindOf } from "../../core/file-kind.ts";
import type { Attachment } from "../../core/history.ts";
import { safeFileName } from "../../core/outbox.ts";
import type { ToolFile } from "../../core/tool.ts";
import type { TurnContext } from "../turn-context.ts";

/** Of one round of calls; see `closeRound`. */
export const maxImagesOfRound = 4;
/** Bytes of one image. */
const maxImageBytes = 1_500_000;

/** What the model reads below a result. */
export const imageWords = {
  tooLarge: (name: string) =>
    `[not shown to you: ${name} is larger than ${maxImageBytes / 1_000_000} MB]`,
  notKept: (name: string) => `[not shown to you: ${name} could not be kept]`,
  tooMany: (count: number) =>
    `[not shown to you: ${count} more images; at most ${maxImagesOfRound} at a time are]`,
} as const;

/**
 * Keeps the images that a call returned, to be shown to models that see. Their bytes are stored
 * before the result is committed, so that a worker that takes over finds them. What is an image
 * follows from its bytes. Never rejects.
 */
export async function keepImages(
  { deps, session: { chat } }: TurnContext,
  given: readonly ToolFile[] = [],
): Promise<{
  readonly images: readonly Attachment[];
  /** Lines for the model. */
  readonly notes: readonly string[];
}> {
  const images: Attachment[] = [];
  const notes: string[] = [];
  let more = 0;
  for (const { name, bytes } of given) {
    const kind = fileKindOf(bytes);
    if (kind?.type !== "image") continue;
    const safeName = safeFileName(name);
    if (bytes.byteLength > maxImageBytes) {
      notes.push(imageWords.tooLarge(safeName));
      continue;
    }
    if (images.length >= maxImagesOfRound) {
      more += 1;
      continue;
    }
    const blob = await deps.blobs.putShown(chat, bytes).catch((error: unknown) => {
      deps.log.warn({ chat, error: messageOf(error) }, "couldn't save a tool's image");
      return undefined;
    });
    if (blob === undefined) notes.push(imageWords.notKept(safeName));
    else
      images.push({
        kind: "image",
        name: safeName,
        mediaType: kind.mediaType,
        size: bytes.byteLength,
        blob,
      });
  }
  if (more > 0) notes.push(imageWords.tooMany(more));
  return { images, notes };
}
