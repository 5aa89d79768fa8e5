import { localeFor } from "../../../locales/locale-for.ts";
import type { FileRefusal } from "../../files/file-kinds.ts";
import { shorten } from "../../markdown/graphemes.ts";

/** People choose a file's name: no more of it than fits into a line. UTF-16 units. */
const maxNameUnits = 100;

const named = (name: string): string => `"${shorten(name, maxNameUnits)}"`;

/** The same where no model sees pictures, so that the sentence must not ask for some. */
export function blindFileSentence(
  why: FileRefusal,
  name: string,
  language: string | undefined,
): string {
  const { blind } = localeFor(language, "discord").files;
  switch (why) {
    case "picture":
      return blind.picture(named(name));
    case "video":
      return blind.video;
    case "otherFile":
      return blind.file(named(name));
    case "archive":
      return fileSentence(why, name, language);
    default:
      return why satisfies never;
  }
}

/** Why a file can't be accepted or fetched, in the reader's language. */
export const fileSentence = (
  why: FileRefusal | "fileIsGone" | "fileFailed",
  name: string,
  language: string | undefined,
): string => localeFor(language, "discord").discord[why](named(name));

export const tooLargeSentence = (
  name: string,
  maxBytes: number,
  language: string | undefined,
): string =>
  localeFor(language, "discord").discord.fileTooLarge(
    named(name),
    Math.floor(maxBytes / 1_048_576),
  );
