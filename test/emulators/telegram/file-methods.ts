import type { Document, Message, PhotoSize } from "@grammyjs/types";
import { randomBytes } from "node:crypto";
import { ApiError, badRequest } from "./api-error.ts";
import type { StoredFile } from "./chat-state.ts";
import { addMessage } from "./message-store.ts";
import { botUser } from "./message-methods.ts";
import {
  type Method,
  type MethodContext,
  openChatForWriting,
  readReplyTo,
  readText,
  readThread,
  watched,
} from "./method-context.ts";
import { booleanField, textField } from "./parameters.ts";
import { readReplyMarkup } from "./reply-markup.ts";
import type { World } from "./world.ts";

/** Bytes. https://core.telegram.org/bots/api#sending-files, #getfile */
const maxUploadBytes = 50 * 1024 * 1024;
const maxPhotoBytes = 10 * 1024 * 1024;
const maxDownloadBytes = 20 * 1024 * 1024;

/** Where Telegram's file server keeps them. */
const places: Readonly<
  Record<StoredFile["kind"], { readonly folder: string; readonly extension: string }>
> = {
  animation: { folder: "animations", extension: ".mp4" },
  audio: { folder: "music", extension: ".mp3" },
  document: { folder: "documents", extension: "" },
  photo: { folder: "photos", extension: ".jpg" },
  sticker: { folder: "stickers", extension: ".webp" },
  video: { folder: "videos", extension: ".mp4" },
  video_note: { folder: "video_notes", extension: ".mp4" },
  voice: { folder: "voice", extension: ".oga" },
};

/** Keeps a file so that `getFile` finds it; returns it with its new id and path. */
export function storeFile(world: World, file: Omit<StoredFile, "fileId">): StoredFile {
  const fileId = `Ag${randomBytes(24).toString("base64url")}`;
  const { folder, extension } = places[file.kind];
  const ending = /\.[^./]+$/.exec(file.fileName ?? "")?.[0] ?? extension;
  const path = `${folder}/file_${world.nextCount()}${ending}`;
  const stored = { ...file, fileId, path };
  world.files.set(fileId, stored);
  return stored;
}

/**
 * The Bot API's description of a file. A photo is listed in two sizes that share the bytes,
 * smallest first.
 */
export function mediaFields(file: StoredFile): Partial<Message> {
  const common = {
    file_id: file.fileId,
    file_unique_id: `Uq${file.fileId.slice(2, 16)}`,
    file_size: file.bytes.length,
  };
  const named: Document = { ...common };
  if (file.fileName !== undefined) named.file_name = file.fileName;
  if (file.mimeType !== undefined) named.mime_type = file.mimeType;
  switch (file.kind) {
    case "photo": {
      const small: PhotoSize = {
        ...common,
        file_unique_id: `${common.file_unique_id}s`,
        width: 90,
        height: 67,
      };
      return { photo: [small, { ...common, width: 1280, height: 960 }] };
    }
    case "document":
      return { document: named };
    case "sticker":
      return {
        sticker: {
          ...common,
          type: "regular",
          width: 512,
          height: 512,
          is_animated: false,
          is_video: false,
          emoji: "👍",
          set_name: "Test",
        },
      };
    case "voice":
      return {
        voice: {
          ...common,
          duration: 2,
          mime_type: file.mimeType ?? "audio/ogg",
        },
      };
    case "audio":
      return { audio: { ...named, duration: 2, title: "Song" } };
    case "video_note":
      return { video_note: { ...common, duration: 2, length: 384 } };
    case "video":
      return { video: { ...named, duration: 2, width: 640, height: 480 } };
    case "animation":
      // Telegram sets `document` too, for clients that know no animations.
      return {
        animation: { ...named, duration: 2, width: 320, height: 240 },
        document: { ...named },
      };
    default:
      return file.kind satisfies never;
  }
}

const sendFile =
  (kind: "document" | "photo"): Method =>
  (context) => {
    const { world, call } = context;
    const { text, entities } = readText(context, "caption");
    const replyMarkup = watched(context, "bad-buttons", () => readReplyMarkup(call.payload));
    const state = openChatForWriting(context);
    const file = readFile(context, kind);
    const caption = text === "" ? {} : { caption: text, caption_entities: [...entities] };
    return addMessage(world, state, {
      from: botUser(context),
      text,
      entities,
      content: { ...mediaFields(file), ...caption },
      threadId: readThread(context, state),
      replyTo: readReplyTo(context, state),
      replyMarkup,
      disableNotification: booleanField(call.payload, "disable_notification"),
      file,
      callId: call.id,
    }).raw;
  };

/**
 * An upload named by `attach://` or by the field itself, or the id of a file that the server knows.
 */
function readFile({ world, call }: MethodContext, kind: "document" | "photo"): StoredFile {
  const value = textField(call.payload, kind);
  const name = value.startsWith("attach://") ? value.slice(9) : kind;
  const upload = call.files[name];
  if (upload === undefined) {
    if (value === "") throw badRequest(`there is no ${kind} in the request`);
    const known = world.files.get(value);
    if (known !== undefined) return { ...known, kind };
    if (URL.canParse(value)) throw badRequest("failed to get HTTP URL content");
    throw badRequest(
      "wrong remote file identifier specified: can't unserialize it. Wrong last symbol",
    );
  }
  if (upload.bytes.length === 0) throw badRequest("file must be non-empty");
  if (upload.bytes.length > maxUploadBytes) throw new ApiError(413, "Request Entity Too Large");
  if (kind === "photo" && upload.bytes.length > maxPhotoBytes) throw badRequest("file is too big");
  return storeFile(world, {
    kind,
    fileName: upload.fileName,
    mimeType: upload.contentType,
    bytes: upload.bytes,
  });
}

const getFile: Method = ({ world, call }) => {
  const file = world.files.get(textField(call.payload, "file_id"));
  if (file === undefined) throw badRequest("wrong file_id or the file is temporarily unavailable");
  if (file.bytes.length > maxDownloadBytes) throw badRequest("file is too big");
  return {
    file_id: file.fileId,
    file_unique_id: `Uq${file.fileId.slice(2, 16)}`,
    file_size: file.bytes.length,
    file_path: file.path,
  };
};

export const fileMethods: Readonly<Record<string, Method>> = {
  sendDocument: sendFile("document"),
  sendPhoto: sendFile("photo"),
  getFile,
};
