import { maxShownImages, type Attachment, type LogEntry } from "../../core/history.ts";
import { callKey } from "./group-rounds.ts";
import { selectEntries, type Selection, type Shown } from "./select-entries.ts";

/** How many of them may come from tools: what people sent stays in view. */
const maxFromTools = 4;
/** Bytes of all pictures of one request together, before base64. */
const maxBytes = 12 * 1_048_576;

/**
 * The pictures that the next request shows, if their bytes are still there: the newest of what is
 * in view, but for those that a provider has refused. Pure.
 */
export function wantedImages(
  transcript: readonly LogEntry[],
  viewStart: number,
): readonly Attachment[] {
  if (!transcript.some(hasImages)) return [];
  const { shown, readings } = selectEntries(transcript, viewStart);
  const newestFirst = shown.toReversed();
  const fromTools = newestFirst
    .flatMap((piece) => (piece.type === "result" ? imagesOf(piece, readings) : []))
    .slice(0, maxFromTools);
  const fromPeople = newestFirst.flatMap((piece) =>
    piece.type === "message" ? imagesOf(piece, readings) : [],
  );
  const wanted: Attachment[] = [];
  let bytes = 0;
  for (const image of [...fromTools, ...fromPeople]) {
    bytes += image.size;
    // The first that does not fit ends it: which pictures are seen must follow from their order
    // alone.
    if (wanted.length >= maxShownImages || bytes > maxBytes) break;
    wanted.push(image);
  }
  return wanted;
}

/** Newest first. */
function imagesOf(
  piece: Shown & { type: "message" | "result" },
  readings: Selection["readings"],
): readonly Attachment[] {
  const [origin, attached = []] =
    piece.type === "message"
      ? [piece.entry.id, piece.entry.attachments]
      : [callKey(piece.entry), piece.entry.images];
  return attached
    .filter(({ kind, blob }) => kind === "image" && readings.get(blob)?.of !== origin)
    .toReversed();
}

const hasImages = (entry: LogEntry): boolean =>
  entry.kind === "message"
    ? entry.attachments?.some(({ kind }) => kind === "image") === true
    : entry.kind === "tool" && entry.images !== undefined;
