import { answerFileName } from "../core/outbox.ts";
import type { Chunk, Sender } from "../core/ports.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Sending } from "./send-chunks.ts";

/**
 * An answer that takes more messages than this, and more UTF-16 units in them, becomes a file: it
 * would push all else out of sight, and a file is easier to read and to keep. Discord's messages
 * are short, so that the second number keeps there what people still read in one go, e.g. 9,000
 * characters with a long block of code.
 */
const maxMessages = { count: 4, units: 10_000 };

/**
 * UTF-16 units that always make more chunks than are ever sent: text beyond
 * them needn't be rendered.
 */
const headUnits = 64_000;
/** UTF-16 units that fill any platform's first message. */
const firstUnits = 16_000;

/**
 * An answer as messages. If it needs too many of them: its beginning, and a file with the exact
 * text and the note in its caption. A ledger with two sent messages belongs to an answer in
 * messages.
 */
export async function answerOf(
  sender: Sender,
  {
    text,
    note,
    language,
  }: {
    readonly text: string;
    readonly note?: string | undefined;
    readonly language?: string | undefined;
  },
  sent: number,
): Promise<Pick<Sending, "chunks" | "file" | "withoutFile">> {
  const all = async (): Promise<readonly Chunk[]> =>
    await (sender.renderFinal?.(text, note) ?? sender.render(text, note));
  const isLong = text.length > headUnits;
  const chunks = isLong ? await sender.render(headOf(text)) : await all();
  const [first] = chunks;
  if (first === undefined || !isTooLong(chunks) || sent > 1)
    return { chunks: isLong ? await all() : chunks };
  const goesOn = localeFor(language, sender.platform).delivery.goesOn(answerFileName);
  const below = note === undefined ? goesOn : `${goesOn}\n${note}`;
  const [caption = { text: below }] = sender.plain(below);
  return {
    chunks: [first, caption],
    file: {
      name: answerFileName,
      mediaType: "text/markdown",
      bytes: Buffer.from(text),
      caption,
    },
    withoutFile: all,
  };
}

const isTooLong = (chunks: readonly Chunk[]): boolean =>
  chunks.length > maxMessages.count &&
  chunks.reduce((sum, { text }) => sum + text.length, 0) > maxMessages.units;

/** The part of a growing answer that fits into its first message. */
export const shownHead = (text: string): string => headOf(text, firstUnits);

/** The beginning, up to a paragraph's end. */
function headOf(text: string, units: number = headUnits): string {
  if (text.length <= units) return text;
  const paragraph = text.slice(0, units).lastIndexOf("\n\n");
  return text.slice(0, paragraph > units / 2 ? paragraph : units);
}
