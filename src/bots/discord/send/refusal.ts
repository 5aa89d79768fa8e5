import { RESTJSONErrorCodes, type DiscordAPIError } from "discord.js";
import { decorationToDrop, type Decoration, type RefusalReason } from "../../../core/refusal.ts";

/** The source of all codes: Discord's docs, Opcodes and Status Codes, JSON. */
const parts: ReadonlyMap<unknown, Decoration> = new Map([
  [RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory, "reply"],
  [RESTJSONErrorCodes.CannotReferenceAMessageWithoutPermissionToReadMessageHistory, "reply"],
  [RESTJSONErrorCodes.NSFWChannelMessageReferenceNotAllowed, "reply"],
  [RESTJSONErrorCodes.CannotExecuteActionOnSystemMessage, "reply"],
  [RESTJSONErrorCodes.InvalidMessageType, "reply"],
  [RESTJSONErrorCodes.UnknownMessage, "reply"],
  [RESTJSONErrorCodes.RequestEntityTooLarge, "file"],
  [RESTJSONErrorCodes.FileUploadedExceedsMaximumSize, "file"],
  [RESTJSONErrorCodes.InvalidFileUploaded, "file"],
  [RESTJSONErrorCodes.MaximumNumberOfAttachmentsInAMessageReached, "file"],
  [RESTJSONErrorCodes.AccessToFileUploadsHasBeenLimitedForThisGuild, "file"],
  [RESTJSONErrorCodes.ExplicitContentCannotBeSentToTheDesiredRecipient, "file"],
]);

/** The fields of a message, as 50035 names them. */
const fields: Readonly<Record<string, Decoration>> = {
  message_reference: "reply",
  components: "buttons",
  attachments: "file",
  files: "file",
  flags: "flags",
};

const reasons: ReadonlyMap<unknown, RefusalReason> = new Map([
  [RESTJSONErrorCodes.ThreadLocked, "closed"],
  [RESTJSONErrorCodes.InvalidActionOnArchivedThread, "closed"],
  [RESTJSONErrorCodes.UnknownChannel, "gone"],
  [RESTJSONErrorCodes.UnknownGuild, "gone"],
  [RESTJSONErrorCodes.MissingAccess, "forbidden"],
  [RESTJSONErrorCodes.MissingPermissions, "forbidden"],
  [RESTJSONErrorCodes.CannotSendMessagesInNonTextChannel, "forbidden"],
  [RESTJSONErrorCodes.CannotSendAMessageInAForumChannel, "forbidden"],
  [RESTJSONErrorCodes.ChannelVerificationLevelTooHighForYouToGainAccess, "forbidden"],
  [RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType, "forbidden"],
  [RESTJSONErrorCodes.CannotSendMessagesToThisUser, "blocked"],
  [RESTJSONErrorCodes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds, "blocked"],
  [RESTJSONErrorCodes.MessageWasBlockedByAutomaticModeration, "moderated"],
  [RESTJSONErrorCodes.TitleWasBlockedByAutomaticModeration, "moderated"],
  [RESTJSONErrorCodes.MessageBlockedByHarmfulLinksFilter, "moderated"],
]);

/** The part that may be left out, or the reason why nothing helps. Pure. @param has the parts of the request. */
export function aboutRefusal(
  { code, status, rawError }: Pick<DiscordAPIError, "code" | "status" | "rawError">,
  has: ReadonlySet<Decoration>,
): { readonly about?: Decoration; readonly reason?: RefusalReason } {
  const reason = reasons.get(code);
  const faulty = Object.keys(("errors" in rawError ? rawError.errors : undefined) ?? {});
  const named = faulty.map((field) => fields[field]).find((each) => each && has.has(each));
  const isUnclear =
    status === 400 &&
    reason === undefined &&
    code !== RESTJSONErrorCodes.CannotSendAnEmptyMessage &&
    !faulty.includes("content");
  const about = decorationToDrop(named ?? parts.get(code), has, isUnclear);
  if (about !== undefined) return { about };
  return reason === undefined ? {} : { reason };
}
