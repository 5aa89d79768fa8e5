import type { Attachment, LogEntry } from "../../core/history.ts";
import { selectEntries } from "./select-entries.ts";

/** Of one request. Providers take more; what they cost, and what is kept in memory, is bounded by these. */
const maxImages = 8;
/** Bytes of all pictures of one request together, before base64. */
const maxBytes = 12 * 1_048_576;

/**
 * The pictures that the next request shows, if their bytes are still there: the newest of what is in view, but for those
 * that a provider has refused. Pure.
 */
export function wantedImages(
  transcript: readonly LogEntry[],
  viewStart: number,
): readonly Attachment[] {
  if (!transcript.some(hasImages)) return [];
  const { shown, readings } = selectEntries(transcript, viewStart);
  const newestFirst = shown
    .flatMap((piece) =>
      piece.type === "message"
        ? (piece.entry.attachments ?? []).filter(
            ({ kind, blob }) =>
              kind === "image" && readings.get(blob)?.of !== piece.entry.id,
          )
        : [],
    )
    .toReversed();
  const wanted: Attachment[] = [];
  let bytes = 0;
  for (const image of newestFirst) {
    bytes += image.size;
    // The first that does not fit ends it: which pictures are seen must follow from their order alone.
    if (wanted.length >= maxImages || bytes > maxBytes) break;
    wanted.push(image);
  }
  return wanted;
}

const hasImages = (entry: LogEntry): boolean =>
  entry.kind === "message" &&
  entry.attachments?.some(({ kind }) => kind === "image") === true;
