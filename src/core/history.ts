import { z } from "zod";
import { personSchema } from "./chat.ts";
import { turnPersonaSchema } from "./turn-persona.ts";
import { roles } from "./roles.ts";

/**
 * The raw history of a chat: entries are appended and never rewritten. An entry's position is its
 * index in the log plus the log's base. An inbox message has the same shape as its log entry, so
 * that `begin` moves it verbatim.
 */
export const failureKinds = [
  "tool-error",
  "timeout",
  "invalid-arguments",
  "unknown-tool",
  "policy-denied",
  "confirmation-denied",
  "confirmation-expired",
  "superseded",
  "cancelled",
  "limit-reached",
  "deadline",
  "outcome-unknown",
] as const;
export const failureKindSchema = z.enum(failureKinds);
export type FailureKind = z.infer<typeof failureKindSchema>;

/**
 * A person's choice for their own messages: a tier's name, or one model, `provider/model`, that is
 * asked first.
 */
export const preferenceSchema = z.object({
  tier: z.string().optional(),
  model: z.string().optional(),
  /** Their time zone, by its IANA name. */
  zone: z.string().optional(),
});
export type Preference = Readonly<z.infer<typeof preferenceSchema>>;

/** A message of `/auto`: its goal, this turn's number from 1, and the most turns. */
export const autoSchema = z.object({
  goal: z.string(),
  step: z.number().int().positive(),
  of: z.number().int().positive(),
});
export type Auto = Readonly<z.infer<typeof autoSchema>>;

/**
 * A file that came with a message or a result. Its bytes are stored apart from the history, and for
 * a day only.
 */
export const attachmentSchema = z.object({
  kind: z.enum(["image", "document", "voice"]),
  /** As the sender named it; absent if the platform reports no name. */
  name: z.string().optional(),
  /** E.g. `image/png`; as the platform reports it, which may be wrong. */
  mediaType: z.string(),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** The id of the blob that holds the bytes. */
  blob: z.string(),
});
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>;
/** Pictures in one request: older ones are named, not shown. Providers accept more; this bounds cost and memory. */
export const maxShownImages = 8;

/** The message that was replied to, or the part of it that was quoted. */
const quoteSchema = z.object({
  /** Its author's displayed name; absent if the platform doesn't report it. */
  author: z.string().optional(),
  /** The author's id, for erasures; absent if the platform doesn't report it. */
  authorId: z.string().optional(),
  /** Set when the bot itself wrote it. */
  own: z.boolean().optional(),
  /** At most `maxQuoteLength` UTF-16 units. */
  text: z.string(),
});
export type Quote = Readonly<z.infer<typeof quoteSchema>>;
/** About one message on either platform. */
export const maxQuoteLength = 4_000;

/** How the thread or forum post began in which a conversation takes place. */
const openingSchema = z.object({
  title: z.string().exactOptional(),
  /** Of a forum's post. */
  tags: z.array(z.string()).exactOptional(),
  /** Its first message; absent if the bot can't read it. */
  quote: quoteSchema.exactOptional(),
});
export type Opening = Readonly<z.infer<typeof openingSchema>>;
/** UTF-16 units of a title or a tag, and tags; Discord has up to 100 and 5. */
export const openingLimits = { maxTitleLength: 100, maxTags: 20 };

/** All that other people wrote and that an entry quotes. Pure. */
export const quotesOf = ({
  opening,
  quote,
}: Pick<MessageEntry, "opening" | "quote">): readonly Quote[] =>
  [opening?.quote, quote].filter((each) => each !== undefined);

/** Author or place of a forwarded message. */
const originSchema = z.object({
  /** Displayed name of a person, group or channel. */
  name: z.string(),
  /** A person's id, for erasures; absent if the platform doesn't report it. */
  authorId: z.string().exactOptional(),
});
export type Origin = Readonly<z.infer<typeof originSchema>>;

/** The schedule and the slot that brought a message. */
export const scheduleMarkSchema = z.object({
  id: z.string(),
  slotMs: z.number(),
  /** The answer may be nothing: see `quietAnswer`. */
  isQuiet: z.boolean().optional(),
});

/** A call of a `read` tool, whose result is compared with the one before. */
export const watchSchema = z.object({
  tool: z.string(),
  /** JSON. */
  given: z.string(),
  /** A JSON pointer into the result; absent: all of it. */
  pointer: z.string().optional(),
});

/** The Discord server of a message and its thread's channel, see `Whereabouts`; earlier versions wrote none. */
export const whereSchema = z.object({
  guild: z.string().exactOptional(),
  threadOf: z.string().exactOptional(),
});
export type Where = Readonly<z.infer<typeof whereSchema>>;

/** Absent where there is neither. Pure. */
export const whereOf = ({
  guild,
  threadOf,
}: {
  readonly guild?: string | undefined;
  readonly threadOf?: string | undefined;
}): { readonly where?: Where } =>
  guild === undefined && threadOf === undefined
    ? {}
    : {
        where: {
          ...(guild === undefined ? {} : { guild }),
          ...(threadOf === undefined ? {} : { threadOf }),
        },
      };

export const messageEntrySchema = z.object({
  kind: z.literal("message"),
  /**
   * 2 with attachments: versions of Parley that know of no files skip such a message because of its
   * version, instead of answering it without the file. 3 with something to watch, for the same
   * reason.
   */
  v: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** The platform's id of the event that brought it; unique within the chat. */
  id: z.string(),
  /** The platform's id of the message itself, to reply to; absent where the platform has none. */
  messageId: z.string().optional(),
  person: personSchema,
  /** The id of who wrote it, where another person repeats it with `/retry`; earlier versions wrote none. */
  author: z.string().exactOptional(),
  /** The person's role when the message came; earlier versions wrote none. */
  role: z.enum(roles).optional(),
  /** May be empty if there are attachments. */
  text: z.string(),
  attachments: z.array(attachmentSchema).optional(),
  quote: quoteSchema.optional(),
  /** Of the first message of a conversation in a thread; earlier versions wrote none. */
  opening: openingSchema.exactOptional(),
  /** Names of files that came with it and couldn't be opened; earlier versions wrote none. */
  unopened: z.array(z.string()).exactOptional(),
  /** Set when another person wrote the text: this person only forwarded it. */
  forwarded: z.boolean().optional(),
  /** Of a forwarded text; absent where the platform doesn't report it. */
  origin: originSchema.exactOptional(),
  /** Set in groups, where the model sees each author's name. */
  group: z.boolean().optional(),
  where: whereSchema.optional(),
  /** Marks a piece of a gesture, see `continuesGesture`; absent: a plain text. */
  burst: z.string().optional(),
  /** The choice when the message came. */
  preference: preferenceSchema.optional(),
  auto: autoSchema.optional(),
  /** `/skill` brought it: the name of the skill that its turn begins with. */
  skill: z.string().optional(),
  /** The persona that was chosen for its place when it came: see `personaRefText`. */
  persona: z.string().optional(),
  /** It asks for a sample answer of a persona that is being made. */
  sampleOf: turnPersonaSchema.optional(),
  /** A schedule of the person brought it. */
  schedule: scheduleMarkSchema.optional(),
  /** Only in an inbox: it is answered if the call's result has changed. */
  watch: watchSchema.optional(),
  /**
   * Only in an inbox: its author stopped it while it waited after other people's; it is not
   * answered.
   */
  stopped: z.boolean().optional(),
  /** The span of its receipt, if it is traced: the turn's spans are below it. */
  traceparent: z.string().optional(),
  /** Milliseconds since the epoch, by the receiving process's clock. */
  atMs: z.number(),
  /** The same by the platform's clock; earlier versions wrote none. */
  sentAtMs: z.number().exactOptional(),
});
export type MessageEntry = Readonly<z.infer<typeof messageEntrySchema>>;

/**
 * Fields of a provider's own that come with an answer or a call, such as signatures and encrypted
 * thoughts. Opaque: they go back to that provider as they came, and to no one else.
 */
export const extrasSchema = z.record(z.string(), z.unknown());
export type Extras = Readonly<z.infer<typeof extrasSchema>>;

export const callRequestSchema = z.object({
  index: z.number().int().nonnegative(),
  /**
   * The provider's id: only echoed back to the provider, never used as a key.
   */
  wireId: z.string(),
  name: z.string(),
  /** As the model wrote it; may be invalid JSON. */
  arguments: z.string(),
  /** Earlier versions wrote none. */
  extras: extrasSchema.exactOptional(),
});
export type CallRequest = Readonly<z.infer<typeof callRequestSchema>>;

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
});
export type Usage = Readonly<z.infer<typeof usageSchema>>;

/** Why an answer ended before the model had finished it: a length limit. */
export const cutSchema = z.literal("length");

/** In the place of a model, where the platform itself made a call for a person's command. */
export const platformModel = "parley/command";

const assistantEntrySchema = z.object({
  kind: z.literal("assistant"),
  v: z.literal(1),
  turn: z.number(),
  round: z.number(),
  /** `provider/model`, or `platformModel`. */
  model: z.string(),
  text: z.string(),
  reasoning: z.string().optional(),
  /** Earlier versions wrote none. */
  extras: extrasSchema.exactOptional(),
  calls: z.array(callRequestSchema),
  usage: usageSchema.optional(),
  /** Set when a stop cut it off. */
  partial: z.boolean().optional(),
  cut: cutSchema.optional(),
  /** The name of the persona that answered; absent: none. */
  persona: z.string().optional(),
  /** Lines of Parley itself below `text`; never shown to a model. */
  note: z.string().optional(),
  /** A budget made a cheaper tier answer. */
  downgraded: z.boolean().optional(),
});
export type AssistantEntry = Readonly<z.infer<typeof assistantEntrySchema>>;

const toolEntrySchema = z.object({
  kind: z.literal("tool"),
  v: z.literal(1),
  turn: z.number(),
  round: z.number(),
  index: z.number(),
  name: z.string(),
  /** What the model reads; for a failure it starts with the failure's kind. */
  text: z.string(),
  failure: failureKindSchema.optional(),
  /** The arguments that a person set instead of the model's; canonical JSON. */
  changed: z.string().optional(),
  /**
   * The ids of the people whose reason or changed arguments the text repeats: an erasure finds
   * their text in other people's turns by it. Earlier versions wrote none.
   */
  wordsOf: z.array(z.string()).optional(),
  /** Images for models that see; the text names them. */
  images: z.array(attachmentSchema).optional(),
});
export type ToolEntry = Readonly<z.infer<typeof toolEntrySchema>>;

export const endReasons = [
  "answered",
  "max-model-calls",
  "max-tool-executions",
  "max-tokens",
  "max-cost",
  "deadline",
  "loop-detected",
  "tool-failure",
  "confirmation-denied",
  "policy-denied",
  "cancelled",
  "superseded",
  "model-failed",
  "poisoned",
  /** A turn of `/compact`: nothing was to be answered. */
  "compacted",
] as const;
export const endReasonSchema = z.enum(endReasons);
export type EndReason = z.infer<typeof endReasonSchema>;

/** A turn's end without an answer by the model; `text` is the message that was sent, if any. */
const endEntrySchema = z.object({
  kind: z.literal("end"),
  v: z.literal(1),
  turn: z.number(),
  reason: endReasonSchema,
  text: z.string().optional(),
  /** The name of the turn's persona; absent: none. Versions before this wrote it to answers only. */
  persona: z.string().optional(),
  /** Set if the answer was cut before its first word. */
  cut: cutSchema.optional(),
  /** See `answer`. */
  note: z.string().optional(),
  /**
   * For a turn that was stopped while running: the watermark. Waiting messages
   * up to it were stopped with it.
   */
  stopAt: z.number().optional(),
});
export type EndEntry = Readonly<z.infer<typeof endEntrySchema>>;

/**
 * A person restarted the conversation: the view begins after the newest of
 * these.
 */
const resetEntrySchema = z.object({
  kind: z.literal("reset"),
  v: z.literal(1),
  id: z.string(),
  atMs: z.number(),
});
export type ResetEntry = Readonly<z.infer<typeof resetEntrySchema>>;

/**
 * The view shows a summary instead of a part of the history. The newest one since the last reset
 * applies; it includes the earlier ones.
 */
const compactionEntrySchema = z.object({
  kind: z.literal("compaction"),
  v: z.literal(1),
  turn: z.number(),
  /**
   * Log positions of the first and the last summarised entry; `toSeq <
   * fromSeq`: none.
   */
  fromSeq: z.number(),
  toSeq: z.number(),
  summary: z.string(),
  /**
   * Entries of that part that are shown verbatim after the summary, e.g. results of the class
   * `keep`.
   */
  kept: z.array(z.string()),
  /**
   * Results after `toSeq` that are shown shortened: log position and shown
   * text.
   */
  results: z.array(z.object({ seq: z.number(), text: z.string() })),
  strategy: z.enum(["summarise", "agent", "truncate"]),
  /** `provider/model` that wrote the summary; absent if the text was only cut. */
  model: z.string().optional(),
  /** Of the whole request, estimated. */
  tokensBefore: z.number(),
  tokensAfter: z.number(),
});
export type CompactionEntry = Readonly<z.infer<typeof compactionEntrySchema>>;

/**
 * The view leaves out everything from `fromSeq` up to this entry: `/undo`, or `/retry` before the
 * message is repeated.
 */
const undoEntrySchema = z.object({
  kind: z.literal("undo"),
  v: z.literal(1),
  id: z.string(),
  fromSeq: z.number(),
  /** Calls in that part that may have changed something: `/undo` doesn't undo them. */
  ran: z.array(
    z.object({
      name: z.string(),
      arguments: z.string(),
      failure: failureKindSchema.optional(),
    }),
  ),
  /** Its commit removed from the memory what it takes back; earlier versions removed nothing. */
  forgets: z.literal(true).exactOptional(),
  atMs: z.number(),
});
export type UndoEntry = Readonly<z.infer<typeof undoEntrySchema>>;

/** An order by a person that waits for its turn. */
export const controlEntrySchema = z.object({
  kind: z.literal("control"),
  v: z.literal(1),
  id: z.string(),
  control: z.enum(["compact", "retry", "undo"]),
  person: personSchema,
  /** The person's role then; earlier versions wrote none. */
  role: z.enum(roles).optional(),
  messageId: z.string().optional(),
  group: z.boolean().optional(),
  preference: preferenceSchema.optional(),
  /** Undoes only what `person` asked for, who is no admin of this group. */
  ownOnly: z.boolean().optional(),
  /** See `messageEntrySchema`. */
  stopped: z.boolean().optional(),
  atMs: z.number(),
});
export type ControlEntry = Readonly<z.infer<typeof controlEntrySchema>>;

/** An order to erase. Earlier versions of Parley skip it because of its version. */
const erasureEntrySchema = z.object({
  kind: z.literal("control"),
  v: z.literal(2),
  id: z.string(),
  /** `forget-chat` erases the chat, `forget-author` what `person` wrote in it. */
  control: z.enum(["forget-chat", "forget-author"]),
  person: personSchema,
  atMs: z.number(),
});
export type ErasureEntry = Readonly<z.infer<typeof erasureEntrySchema>>;

/** Replaces erased text. */
export const erasedText = "[erased]";
/** Replaces the id of an erased person. */
export const erasedPersonId = "erased";

/** Why an attachment could not be read. */
export const unreadableReasons = [
  "locked",
  "damaged",
  "too-complicated",
  "pictures",
  "empty",
  "unknown",
  "no-transcription",
  "not-transcribed",
  "silent",
  /** Parley ended or failed while it read the file, and doesn't retry by itself. */
  "failed",
  /** Files are kept for a day. */
  "gone",
  /** The model's provider does not take the picture. */
  "refused",
] as const;
export type UnreadableReason = (typeof unreadableReasons)[number];

/**
 * The text of a document or voice note, once it was read, or the reason why a picture could not be
 * shown; the view shows it with its message. Earlier versions of Parley skip the chat because of
 * the version.
 */
const readingEntrySchema = z.object({
  kind: z.literal("reading"),
  v: z.literal(2),
  /** The id of the message entry with the attachment; for a result's image the call's key. */
  of: z.string(),
  /** The attachment's blob. */
  blob: z.string(),
  /** Empty if it could not be read. */
  text: z.string(),
  /** Why it could not be read: an `UnreadableReason`, or, from an earlier version, a sentence. */
  failure: z.string().optional(),
});
export type ReadingEntry = Readonly<z.infer<typeof readingEntrySchema>>;

/** An edit of a message; it opens no turn. For the version see `readingEntrySchema`. */
const editEntrySchema = z.object({
  kind: z.literal("edit"),
  v: z.literal(2),
  id: z.string(),
  /** The `messageId` of the message entry. */
  edits: z.string(),
  person: personSchema,
  /** The message's whole new text. */
  text: z.string(),
  group: z.boolean().optional(),
  /** Only in the log: the position of the message. Earlier versions wrote none. */
  of: z.number().exactOptional(),
  /** It came after the message's answer: it is for the memory alone, and no model reads it. */
  past: z.literal(true).exactOptional(),
  atMs: z.number(),
});
export type EditEntry = Readonly<z.infer<typeof editEntrySchema>>;

export const logEntrySchema = z.discriminatedUnion("kind", [
  messageEntrySchema,
  readingEntrySchema,
  editEntrySchema,
  assistantEntrySchema,
  toolEntrySchema,
  endEntrySchema,
  resetEntrySchema,
  compactionEntrySchema,
  undoEntrySchema,
]);
export type LogEntry = Readonly<z.infer<typeof logEntrySchema>>;

export const inboxEntrySchema = z.discriminatedUnion("kind", [
  messageEntrySchema,
  editEntrySchema,
  resetEntrySchema,
  z.discriminatedUnion("v", [controlEntrySchema, erasureEntrySchema]),
]);
export type InboxEntry = Readonly<z.infer<typeof inboxEntrySchema>>;
