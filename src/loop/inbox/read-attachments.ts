import type { Attachment, LogEntry, UnreadableReason } from "../../core/history.ts";
import { openMessages } from "../../core/open-messages.ts";
import { chatTierNames, type RequestImage } from "../../core/model.ts";
import type { FileText } from "../../core/ports.ts";
import { untilAborted } from "../../util/abort.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import { capText } from "../tools/cap-text.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { callKey } from "../view/group-rounds.ts";
import { selectEntries } from "../view/select-entries.ts";
import { wantedImages } from "../view/wanted-images.ts";
import { localeOf } from "../locale-of.ts";
import type { TurnContext } from "../turn-context.ts";

/** UTF-16 units of a file that a model sees at once; `read_more` gives it the rest. */
const maxShownLength = 50_000;

/**
 * Prepares attachments for the model: documents and voice notes are read once,
 * before the first model call that sees them, and their text is kept in the
 * history; pictures are loaded for this session. Returns early when the session
 * is interrupted.
 * @throws TurnLeft
 */
export async function readAttachments(context: TurnContext, draft: AnswerDraft): Promise<void> {
  await readDocuments(context, draft);
  await loadImages(context);
}

function readingNews(session: TurnSession, { kind, name }: Attachment): string {
  const { reading, nameless } = localeOf(session).files;
  return reading(name ?? nameless[kind]);
}

async function readDocuments(context: TurnContext, draft: AnswerDraft): Promise<void> {
  const { deps, session } = context;
  const unread = unreadIn(session);
  if (unread.length === 0) return;
  for (const each of unread) {
    const { of, attachment } = each;
    draft.setNews(readingNews(session, attachment));
    const file = await readOnce(context, each);
    if (file === undefined) return;
    const { chat, state } = session;
    const read =
      file.type === "read"
        ? await capText(deps, { chat, turn: state.turn }, file.text, maxShownLength)
        : "";
    session.append({
      kind: "reading",
      v: 2,
      of,
      blob: attachment.blob,
      text: read,
      ...(file.type === "read" ? {} : { failure: file.why }),
    });
    session.record({ type: "reading-ended" });
  }
  draft.setNews("");
  await session.commit();
}

/**
 * A session before this one ended while it read a file: what is known of that file now is that it
 * could not be read.
 */
export function failReading(session: TurnSession): void {
  const { reading } = session.state;
  if (reading === undefined) return;
  session.append({
    kind: "reading",
    v: 2,
    ...reading,
    text: "",
    failure: "failed" satisfies UnreadableReason,
  });
  session.record({ type: "reading-ended" });
}

/**
 * That a document is being read is committed first: a file that ends the process, however it does
 * that, is not read by the next one. A voice note is only passed on to a model. Undefined: the
 * session was interrupted, and the next one reads it.
 * @throws TurnLeft
 */
async function readOnce(
  { deps, session }: TurnContext,
  { of, person, attachment }: Unread,
): Promise<FileText | undefined> {
  const { chat, signal } = session;
  const { kind, mediaType, blob } = attachment;
  if (kind === "image") throw new TypeError("pictures are not read");
  if (kind === "document") {
    session.record({ type: "reading-started", of, blob });
    await session.commit();
  }
  const load = () => deps.blobs.get(chat, blob);
  try {
    return await deps.reader.read({ kind, mediaType, person, load }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    session.record({ type: "reading-ended" });
    return undefined;
  }
}

interface Unread {
  /** The message's id. */
  readonly of: string;
  /** The sender's id. */
  readonly person: string;
  readonly attachment: Attachment;
}

/**
 * Of what is in view, oldest first, each file once, however often `/retry` repeats its message; but
 * what could not be read is tried again then.
 */
function unreadIn({ transcript, viewStart }: TurnSession): readonly Unread[] {
  if (!transcript.some(hasDocuments)) return [];
  const { shown, readings } = selectEntries(transcript, viewStart);
  const known = new Set<string>();
  const unread: Unread[] = [];
  for (const piece of shown) {
    if (piece.type !== "message") continue;
    const { id, person, attachments = [] } = piece.entry;
    for (const attachment of attachments) {
      const { kind, blob } = attachment;
      const reading = readings.get(blob);
      const isRead = reading !== undefined && (reading.failure === undefined || reading.of === id);
      if (kind === "image" || isRead || known.has(blob)) continue;
      known.add(blob);
      unread.push({ of: id, person: person.id, attachment });
    }
  }
  return unread;
}

const hasDocuments = (entry: LogEntry): boolean =>
  entry.kind === "message" && entry.attachments?.some(({ kind }) => kind !== "image") === true;

/** Of each session: what was loaded, by blob. */
const loaded = new WeakMap<TurnSession, ReadonlyMap<string, RequestImage>>();
const none: ReadonlyMap<string, RequestImage> = new Map();

/**
 * The pictures that the next request shows, by their blobs; the same object as long as they are the
 * same.
 */
export const imagesOf = (session: TurnSession): ReadonlyMap<string, RequestImage> =>
  loaded.get(session) ?? none;

/**
 * A provider has refused the request, perhaps for a picture in it: those that no model has seen yet
 * are not shown any more, or all if there are none such. Otherwise one broken picture would fail
 * every turn as long as it is in view.
 *
 * @returns whether there was any.
 */
export function refuseImages(session: TurnSession): boolean {
  const { transcript, state } = session;
  const shown = imagesOf(session);
  const suspects = (messages: readonly LogEntry[]) =>
    messages.flatMap((entry) =>
      attachedTo(entry).flatMap(({ blob }) =>
        shown.has(blob) ? [{ of: originOf(entry), blob }] : [],
      ),
    );
  const newest = suspects([...openMessages(transcript, state.turn), ...unseenResults(transcript)]);
  const refused = newest.length > 0 ? newest : suspects(transcript);
  for (const { of, blob } of refused)
    session.append({
      kind: "reading",
      v: 2,
      of,
      blob,
      text: "",
      failure: "refused" satisfies UnreadableReason,
    });
  return refused.length > 0;
}

/** Behind the last thing that a model has said. */
const unseenResults = (transcript: readonly LogEntry[]): readonly LogEntry[] =>
  transcript
    .slice(transcript.findLastIndex(({ kind }) => kind === "assistant") + 1)
    .filter(({ kind }) => kind === "tool");

const attachedTo = (entry: LogEntry): readonly Attachment[] =>
  (entry.kind === "message"
    ? entry.attachments
    : entry.kind === "tool"
      ? entry.images
      : undefined) ?? [];

const originOf = (entry: LogEntry): string =>
  entry.kind === "message" ? entry.id : entry.kind === "tool" ? callKey(entry) : "";

async function loadImages({ deps, session }: TurnContext): Promise<void> {
  const before = imagesOf(session);
  const wanted = wantedImages(session.transcript, session.viewStart);
  const isSame = wanted.length === before.size && wanted.every(({ blob }) => before.has(blob));
  if (isSame) return;
  // Which tiers see is presumed until their servers were asked.
  const chains = chatTierNames.map((tier) => deps.models.chain(tier));
  await untilAborted(Promise.all(chains.map(async (chain) => chain.learnCard?.())), session.signal);
  const images = await Promise.all(
    wanted.map(async ({ blob, mediaType }) => {
      const known = before.get(blob);
      if (known !== undefined) return [[blob, known] as const];
      const bytes = await deps.blobs.get(session.chat, blob);
      if (bytes === undefined) return [];
      const data = Buffer.from(bytes).toString("base64");
      return [[blob, { mediaType, data }] as const];
    }),
  );
  loaded.set(session, new Map(images.flat()));
}
