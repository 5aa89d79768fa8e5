import { z } from "zod";
import type { Approval } from "./approval.ts";
import { personSchema } from "./chat.ts";

/**
 * What leaves for a platform. Entries of one chat are delivered in order, each once. `id` names the
 * entry's ledger; an answer's id is `turn-<n>`, shared with the drafts that came before it.
 */
const cardSchema = z.object({
  approvalId: z.string(),
  tool: z.string(),
  /** Its server's title for it; absent: it has none, or is built in. */
  title: z.string().optional(),
  /** The tool's own description of the call, in a sentence. */
  about: z.string().optional(),
  /** Canonical JSON of exactly the arguments that will run. */
  arguments: z.string(),
  /** As in the approval. */
  facts: z.record(z.string(), z.string()).optional(),
  requesterName: z.string(),
  approvers: z.string(),
  /** How many different people have to approve it; absent: one. */
  persons: z.literal(2).optional(),
  /** It is in a private chat: no one but its person reads it. */
  direct: z.literal(true).optional(),
  askedAtMs: z.number().optional(),
  expiresAtMs: z.number(),
  /** The longest standing permission for such calls, in milliseconds; absent: none. */
  alwaysAllowMs: z.number().optional(),
  /** Name of the person who changed the arguments. */
  changedBy: z.string().optional(),
  /** That person isn't the requester; earlier versions wrote none. */
  changedByOther: z.literal(true).optional(),
});
export type Card = Readonly<z.infer<typeof cardSchema>>;

const base = {
  v: z.literal(1),
  id: z.string(),
  replyTo: z.string().optional(),
  /**
   * BCP 47 tag of the recipient, for notices during delivery; absent: unknown,
   * so English.
   */
  language: z.string().optional(),
  /**
   * In a group, the id of the person who caused it: the bot's rate limit is
   * shared among people. Absent: the chat's own.
   */
  person: z.string().optional(),
  /** The span that caused it; absent: it is not traced. */
  traceparent: z.string().optional(),
};

/** Of a card whose calls are decided elsewhere, by people who aren't in the chat that asks. */
const relayed = {
  /** In the chat that asks: those who may decide get a copy. */
  elsewhere: z.literal(true).optional(),
  /** On such a copy: who asks, and where; empty: unknown. */
  heading: z.string().optional(),
};

/** Of what a schedule has brought. */
const scheduled = {
  /** Its slot, see `slotName`; absent: no schedule's. */
  slot: z.string().optional(),
  /** The id of the schedule's author, who hears in private what can't be posted. Absent in older ones. */
  author: z.string().optional(),
};

const buttonSchema = z.object({
  label: z.string(),
  /** At most 64 bytes. */ data: z.string(),
});
export type Button = Readonly<z.infer<typeof buttonSchema>>;

export const outboxEntrySchema = z.discriminatedUnion("kind", [
  /** A turn's final text, exactly the model's. */
  z.object({
    ...base,
    kind: z.literal("message"),
    text: z.string(),
    /** The platform's own lines below it: plain text. */
    note: z.string().optional(),
    silent: z.boolean().optional(),
    /** Left out where people have seen nothing of it: they read elsewhere that it was stopped. */
    onlyIfSeen: z.boolean().optional(),
    ...scheduled,
  }),
  /** The platform's own words: a command's answer, a refusal, news of a turn. May carry buttons. */
  z.object({
    ...base,
    ...scheduled,
    kind: z.literal("notice"),
    text: z.string(),
    buttons: z.array(buttonSchema).optional(),
    /** Who is asked to answer it with a reply, which the platform opens for them. */
    replyFrom: personSchema.pick({ id: true, name: true }).optional(),
    silent: z.boolean().optional(),
    /**
     * Yields to everything else the bot sends: a refusal, of which a crowd can cause any number.
     */
    patient: z.boolean().optional(),
  }),
  /** An approval to decide; 2 where earlier versions would not know who may. */
  z.object({
    ...base,
    v: z.union([z.literal(1), z.literal(2)]),
    kind: z.literal("card"),
    card: cardSchema,
    silent: z.boolean().optional(),
  }),
  /**
   * Several approvals to decide, or one that needs two people, in one message, rendered in their
   * state at sending time.
   */
  z.object({
    ...base,
    v: z.literal(2),
    kind: z.literal("cards"),
    approvals: z.array(z.string()).min(1),
    ...relayed,
    silent: z.boolean().optional(),
  }),
  /** An update of that message, in its approvals' current state. */
  z.object({
    ...base,
    v: z.literal(2),
    kind: z.literal("cards-outcome"),
    /** The id of the entry that asked. */
    of: z.string(),
    approvals: z.array(z.string()).min(1),
    ...relayed,
  }),
  /** A file, whose bytes are kept apart from the outbox, and for a day only. */
  z.object({
    ...base,
    kind: z.literal("file"),
    /** The id of the blob that holds them. */
    blob: z.string(),
    /** The displayed name; see `safeFileName`. */
    name: z.string(),
    /** E.g. `text/markdown`. */
    mediaType: z.string(),
    /** Plain text, not Markdown; cut to the platform's limit (Telegram: 1,024 units). */
    caption: z.string().optional(),
  }),
  /**
   * What became of an earlier message with buttons, whose entry's id is `of`: it loses them and
   * shows `text`, below the card's content where it was a card.
   */
  z.object({
    ...base,
    kind: z.literal("resolution"),
    of: z.string(),
    text: z.string(),
    /**
     * A notice of messages that weren't taken: `text` behind which their count as of sending is shown. Versions that
     * don't know this field show the entry's own text.
     */
    leftOut: z.object({ of: z.string(), text: z.string() }).optional(),
    /** As its notice's, which it must not overtake. */
    patient: z.boolean().optional(),
    card: cardSchema.optional(),
    /** Its content was erased: `text` remains for versions that don't know this field. */
    erased: z.boolean().optional(),
  }),
]);
export type OutboxEntry = Readonly<z.infer<typeof outboxEntrySchema>>;

export const draftSchema = z.object({
  v: z.literal(1),
  /** The outbox id that the final answer will have. */
  id: z.string(),
  replyTo: z.string().optional(),
  /** Empty: nothing to show yet except that the bot is working. */
  text: z.string(),
  /** Grows with every overwrite. */
  generation: z.number(),
});
export type Draft = Readonly<z.infer<typeof draftSchema>>;

/** The language of an entry, if known. */
export const spokenIn = (language: string | undefined): { readonly language?: string } =>
  language === undefined ? {} : { language };

/** The entry that answers an event without a turn. */
export const replyEntryId = (eventId: string): string => `answer-${eventId}`;

/**
 * Approve and Deny, as every platform's buttons carry them: `a:<id>` and `d:<id>`, at most 64
 * bytes.
 */
export const approveData = (approvalId: string): string => `a:${approvalId}`;
export const denyData = (approvalId: string): string => `d:${approvalId}`;

/** The button that changes the arguments first: it opens a form, or asks for a reply. */
export const editData = (approvalId: string): string => `e:${approvalId}`;
/** The same on a card of several, of which one is chosen first. */
export const editOneOfData = (approvalId: string): string => `es:${approvalId}`;
/** The button for approving it and the same again for a while. */
export const alwaysData = (approvalId: string): string => `al:${approvalId}`;

/** The button that shows in private what the card of this approval hides. */
export const showHiddenData = (approvalId: string): string => `v:${approvalId}`;

/** The buttons for all that still wait on the card of this approval. */
export const approveAllData = (approvalId: string): string => `aa:${approvalId}`;
export const denyAllData = (approvalId: string): string => `da:${approvalId}`;

/**
 * The outbox id of an approval's card; resolutions refer to it. A card of several has the id of the
 * first.
 */
export const cardEntryId = (approvalId: string): string => `card-${approvalId}`;

/**
 * The outbox id of a turn's answer, shared by its drafts. Once a person was asked the answer goes
 * on in a new message, below the card, where people look; what was said before stays as it is.
 */
export const answerEntryId = ({
  turn,
  segment,
}: {
  readonly turn: number;
  readonly segment?: number | undefined;
}): string => (segment === undefined ? `turn-${turn}` : `turn-${turn}-${segment}`);

/**
 * Whether its card changes before it is decided, and is therefore rendered in its approvals'
 * current state.
 */
const isRedrawn = ({ together, persons, elsewhere }: Approval): boolean =>
  together !== undefined || persons === 2 || elsewhere === true;

const elsewhereOf = ({ elsewhere }: Approval): { readonly elsewhere?: true } =>
  elsewhere === undefined ? {} : { elsewhere };

/** An entry whose copies go to other chats. */
export const isForElsewhere = (
  entry: OutboxEntry,
): entry is OutboxEntry & { readonly kind: "cards" | "cards-outcome" } =>
  (entry.kind === "cards" || entry.kind === "cards-outcome") && entry.elsewhere === true;

/**
 * The entry that asks a person: one card for these approvals, which name each other where they are
 * several.
 */
export function askingEntry(
  approvals: readonly [Approval, ...Approval[]],
  reply: { readonly replyTo?: string; readonly silent?: true },
): OutboxEntry {
  const [first, ...others] = approvals;
  const id = cardEntryId(first.id);
  const about = { ...spokenIn(first.requester.language), ...reply };
  return others.length === 0 && !isRedrawn(first)
    ? { kind: "card", v: first.v, id, card: cardOf(first), ...about }
    : {
        kind: "cards",
        v: 2,
        id,
        approvals: approvals.map((each) => each.id),
        ...elsewhereOf(first),
        ...about,
      };
}

/**
 * The entry that shows an approval's outcome in place of its card.
 * @param told.text for a card of a single call; a card of several is rendered
 * again from its approvals.
 */
export function outcomeEntry(
  approval: Approval,
  { id, text }: { readonly id: string; readonly text: string },
): OutboxEntry {
  const { together = [approval.id], requester } = approval;
  const language = spokenIn(requester.language);
  return !isRedrawn(approval)
    ? {
        kind: "resolution",
        v: 1,
        id,
        ...language,
        of: cardEntryId(approval.id),
        text,
        card: cardOf(approval),
      }
    : {
        kind: "cards-outcome",
        v: 2,
        id,
        ...language,
        of: cardEntryId(together[0] ?? approval.id),
        approvals: [...together],
        ...elsewhereOf(approval),
      };
}

/** The parts of an approval that a card shows. */
export const cardOf = (approval: Approval): Card => ({
  approvalId: approval.id,
  tool: approval.tool,
  ...(approval.title === undefined ? {} : { title: approval.title }),
  ...(approval.about === undefined ? {} : { about: approval.about }),
  arguments: approval.arguments,
  ...(approval.facts === undefined ? {} : { facts: approval.facts }),
  requesterName: approval.requester.name,
  approvers: approval.approvers,
  ...(approval.persons === undefined ? {} : { persons: approval.persons }),
  ...(approval.direct === undefined ? {} : { direct: approval.direct }),
  ...(approval.askedAtMs === undefined ? {} : { askedAtMs: approval.askedAtMs }),
  ...(approval.alwaysAllowMs === undefined ? {} : { alwaysAllowMs: approval.alwaysAllowMs }),
  ...(approval.changedBy === undefined ? {} : { changedBy: approval.changedBy }),
  ...((approval.changedById ?? approval.requester.id) === approval.requester.id
    ? {}
    : { changedByOther: true }),
  expiresAtMs: approval.expiresAtMs,
});

const maxFileNameLength = 100;

/** Of the file that holds an answer too long for messages. */
export const answerFileName = "answer.md";

/**
 * A name that is one in every folder, header and message: letters, digits, `.`, `_` and `-`, no dot
 * in front, and at most 100 characters, of which the ending stays. Pure.
 */
export function safeFileName(name: string): string {
  const safe = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .replace(/(?<![.])[.]+$/, "");
  if (safe === "") return "file";
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(safe)?.[0] ?? "";
  const stem = safe.slice(0, safe.length - ending.length);
  return stem.slice(0, maxFileNameLength - ending.length) + ending;
}
