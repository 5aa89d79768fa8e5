import {
  ApplicationCommandOptionType,
  EmbedType,
  MessageFlags,
  type APIEmbed,
} from "discord-api-types/v10";
import { ApiError, FormErrors } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { arrayOf, isObject, objectOf, type JsonObject } from "../json.ts";
import { allowedMentions, type AllowedMentions } from "../mentions.ts";
import type { Components, StoredAttachment, StoredMessage } from "../model.ts";
import type { RestRequest, UploadedFile } from "./route.ts";
import { maxContentCharacters, validateComponents, validateEmbeds } from "./message-validation.ts";

/** Docs: Reference, Uploading Files (without boosts), and Create Message. */
const maxFileBytes = 10 * 1024 * 1024;
const maxFiles = 10;
const maxNonceCharacters = 25;

/** A message's body, checked. What was not sent is absent. */
export interface MessageInput {
  readonly content?: string;
  readonly embeds?: APIEmbed[];
  readonly components?: Components;
  readonly attachments?: StoredAttachment[];
  readonly flags?: number;
  readonly nonce?: string | number;
  readonly enforceNonce: boolean;
  readonly reference?: {
    readonly messageId: string;
    readonly failIfNotExists: boolean;
  };
  readonly allowed: AllowedMentions;
}

interface ReadOptions {
  /** The message's object inside the request's body. */
  readonly body: JsonObject;
  /** `data` for interaction callbacks: errors are nested below it. */
  readonly prefix?: "data";
  /** The message that is edited. */
  readonly existing?: StoredMessage;
}

/**
 * Checks and stores what a request says about a message; throws 50035, 40005; records missing
 * `allowed_mentions`.
 */
export function readMessageInput(
  emulation: Emulation,
  request: RestRequest,
  { body, prefix, existing }: ReadOptions,
): MessageInput {
  const errors = new FormErrors();
  const at = (key: string) => (prefix ? `${prefix}.${key}` : key);
  const { content, embeds, components, flags, nonce } = body;
  if (content !== undefined && content !== null)
    errors.length(at("content"), content, { max: maxContentCharacters });
  validateEmbeds(errors, at("embeds"), embeds);
  validateComponents(errors, at("components"), components);
  validateNonce(errors, at("nonce"), nonce);
  validateAllowedMentions(errors, at("allowed_mentions"), body["allowed_mentions"]);
  if (
    flags !== undefined &&
    (typeof flags !== "number" || (flags & MessageFlags.IsComponentsV2) !== 0)
  )
    errors.add(
      at("flags"),
      "MESSAGE_FLAGS_INVALID",
      "The emulator knows no such flags (Components V2 included)",
    );
  if (request.files.size > maxFiles)
    errors.add(at("files"), "BASE_TYPE_MAX_LENGTH", `Must be ${maxFiles} or fewer in length.`);
  errors.throwIfAny();
  requireAllowedMentions(emulation, request, body["allowed_mentions"]);
  if (typeof content === "string") requireKnownCommands(emulation, request, content);
  const attachments = readAttachments(emulation, request, { body, existing });
  const reference = readReference(body["message_reference"]);
  return {
    ...(content === undefined
      ? {}
      : { content: typeof content === "string" ? content.trim() : "" }),
    ...(embeds === undefined ? {} : { embeds: richEmbeds(embeds) }),
    ...(components === undefined ? {} : { components: arrayOf(components) as Components }),
    ...(attachments ? { attachments } : {}),
    ...(typeof flags === "number" ? { flags } : {}),
    ...(typeof nonce === "string" || typeof nonce === "number" ? { nonce } : {}),
    enforceNonce: body["enforce_nonce"] === true,
    ...(reference ? { reference } : {}),
    allowed: allowedMentions(body["allowed_mentions"]),
  };
}

/** 50006, as the real service decides it: components alone are not a message. */
export function refuseEmpty(
  message: Pick<StoredMessage, "content" | "embeds" | "attachments">,
): void {
  if (message.content === "" && message.embeds.length === 0 && message.attachments.length === 0)
    throw ApiError.of("emptyMessage");
}

function validateNonce(errors: FormErrors, path: string, nonce: unknown): void {
  if (nonce === undefined || nonce === null) return;
  if (typeof nonce !== "string" && typeof nonce !== "number")
    errors.add(path, "NONCE_TYPE_INVALID", "Nonce must be an integer or a string.");
  else errors.length(path, String(nonce), { max: maxNonceCharacters });
}

function validateAllowedMentions(errors: FormErrors, path: string, value: unknown): void {
  if (!isObject(value)) return;
  for (const [index, kind] of arrayOf(value["parse"]).entries())
    errors.choice(`${path}.parse.${index}`, kind, ["users", "roles", "everyone"]);
  for (const kind of ["users", "roles"])
    if (arrayOf(value["parse"]).includes(kind) && arrayOf(value[kind]).length > 0)
      errors.add(
        path,
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      );
}

/** Not Discord's rule but Parley's: no model output may ping anybody. */
function requireAllowedMentions(emulation: Emulation, request: RestRequest, value: unknown): void {
  const { parse } = objectOf(value);
  if (!Array.isArray(parse) || parse.length > 0)
    emulation.recorder.violation(
      `${request.method} ${request.path} without allowed_mentions { parse: [] }`,
    );
}

/**
 * A mention of a command that isn't registered is shown as it is written (docs: Message Formatting,
 * slash commands).
 */
function requireKnownCommands(
  { commands, recorder }: Emulation,
  request: RestRequest,
  content: string,
): void {
  for (const [mention, name = "", id = ""] of content.matchAll(/<\/([^:<>\n]+):(\d+)>/g)) {
    const command = commands.get(undefined, id);
    const [root, sub] = name.split(" ");
    const branches = (command?.options ?? []).filter(
      ({ type }) => type === ApplicationCommandOptionType.Subcommand,
    );
    const isKnown =
      command?.name === root &&
      (sub === undefined ? branches.length === 0 : branches.some((each) => each.name === sub));
    if (!isKnown) recorder.violation(`${request.path}: ${mention} names no registered command`);
  }
}

function readReference(value: unknown): MessageInput["reference"] {
  if (!isObject(value) || typeof value["message_id"] !== "string") return undefined;
  return {
    messageId: value["message_id"],
    failIfNotExists: value["fail_if_not_exists"] !== false,
  };
}

function richEmbeds(value: unknown): APIEmbed[] {
  return arrayOf(value).map((embed) => ({
    type: EmbedType.Rich,
    ...objectOf(embed),
  }));
}

/**
 * Kept ones that `attachments` names (all, when it is not sent), then the uploaded ones; undefined:
 * no change.
 */
function readAttachments(
  emulation: Emulation,
  request: RestRequest,
  { body, existing }: { body: JsonObject; existing: StoredMessage | undefined },
): StoredAttachment[] | undefined {
  const named = Array.isArray(body["attachments"]) ? body["attachments"].map(objectOf) : undefined;
  if (!named && request.files.size === 0) return undefined;
  const before = existing?.attachments ?? [];
  const kept = named ? before.filter((file) => named.some(({ id }) => id === file.id)) : before;
  const uploaded = [...request.files].map(([key, file]) => {
    const index = /^files\[(\d+)\]$/.exec(key)?.[1];
    if (index === undefined) throw fileError(key);
    const about = named?.find(({ id }) => String(id) === index);
    return storeFile(emulation, file, about?.["description"]);
  });
  for (const { id } of named ?? [])
    if (!before.some((file) => file.id === id) && !request.files.has(`files[${String(id)}]`))
      throw fileError(`attachments ${String(id)}`);
  return [...kept, ...uploaded];
}

function storeFile(
  { world }: Emulation,
  file: UploadedFile,
  description: unknown,
): StoredAttachment {
  if (file.bytes.byteLength > maxFileBytes) throw ApiError.of("entityTooLarge");
  return world.addFile({
    ...file,
    ...(typeof description === "string" ? { description } : {}),
  });
}

function fileError(key: string): ApiError {
  const errors = {
    attachments: {
      _errors: [
        {
          code: "ATTACHMENT_NOT_FOUND",
          message: `Attachment data not found: ${key}`,
        },
      ],
    },
  };
  return new ApiError(400, {
    code: 50035,
    message: "Invalid Form Body",
    errors,
  });
}
