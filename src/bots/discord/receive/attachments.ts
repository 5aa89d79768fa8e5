import { isBlank } from "../../../text/blank.ts";
import { PermanentError } from "../../../core/errors.ts";
import { fileKindOf } from "../../../core/file-kind.ts";
import type { InboundAttachment } from "../../../core/inbound.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { kindOfFile } from "../../files/file-kinds.ts";
import { blindFileSentence, fileSentence } from "./file-sentences.ts";
import type { FetchFile } from "./files.ts";
import { wordsOf } from "./words.ts";
import type { AttachmentPayload, ContentPayload } from "./content.ts";

/**
 * The attachments of a message, in its order; nothing is fetched yet. An
 * unsupported one is included: fetching it throws the message that says so,
 * once it is known that the person may read it. Its content doesn't count mentions of the bot.
 */
export function attachmentsOf(
  { content, attachments, sticker_items: stickers, poll }: ContentPayload,
  fetchFile: FetchFile,
): InboundAttachment[] {
  const files = attachments.map((file) => attachmentOf(file, fetchFile));
  // Next to text a sticker is only decoration.
  const isAlone = isBlank(content) && poll === undefined && files.length === 0;
  if (stickers.length > 0 && isAlone)
    files.push(refused((language) => localeFor(language, "discord").discord.sticker));
  return files;
}

/** Those that can be taken; the others are left out without a word. */
export const takenOf = (
  { attachments }: ContentPayload,
  fetchFile: FetchFile,
): InboundAttachment[] =>
  attachments
    .filter((file) => {
      const kind = kindOf(file);
      return !("refusal" in kind || kind.isGuess);
    })
    .map((file) => attachmentOf(file, fetchFile));

/**
 * The attachments of a message that a person points at. Its quote names those that can't be taken;
 * where there is nothing else in it, fetching them says why.
 */
export function pointedFilesOf(content: ContentPayload, fetchFile: FetchFile): InboundAttachment[] {
  const taken = takenOf(content, fetchFile);
  const rest = wordsOf({ ...content, attachments: [], sticker_items: [], stickers: [] });
  return taken.length > 0 || rest !== "" ? taken : attachmentsOf(content, fetchFile);
}

/** One file, be it taken or not. */
export function attachmentOf(file: AttachmentPayload, fetchFile: FetchFile): InboundAttachment {
  const { filename: name, size, url } = file;
  const kind = kindOf(file);
  if ("refusal" in kind) {
    const { refusal } = kind;
    return refused(
      (language, seesPictures) => sentenceFor(seesPictures)(refusal, name, language),
      name,
    );
  }
  const { isGuess = false, ...known } = kind;
  return {
    ...known,
    name,
    size,
    async fetch(limit) {
      const bytes = await fetchFile({ url, name }, limit);
      if (isGuess && fileKindOf(bytes) === undefined)
        throw new PermanentError(
          sentenceFor((await limit.seesPictures?.()) ?? true)("otherFile", name, limit.language),
        );
      return bytes;
    },
  };
}

const kindOf = ({ filename, content_type: mediaType }: AttachmentPayload) =>
  kindOfFile({ name: filename, mediaType: mediaType ?? undefined });

const sentenceFor = (seesPictures: boolean) => (seesPictures ? fileSentence : blindFileSentence);

const refused = (
  sentenceIn: (language: string | undefined, seesPictures: boolean) => string,
  name?: string,
): InboundAttachment => ({
  kind: "document",
  mediaType: "application/octet-stream",
  ...(name === undefined ? {} : { name }),
  async fetch({ language, seesPictures }) {
    throw new PermanentError(sentenceIn(language, (await seesPictures?.()) ?? true));
  },
});
