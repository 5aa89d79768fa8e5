import { z } from "zod";
import type { MessageType } from "discord.js";

/** One of Discord's numbers; it may be newer than our list of them. */
export const numbered = <Type extends number>() =>
  z.custom<Type>((value) => typeof value === "number");

/** Null or malformed, an optional field counts as absent, so that it never loses its message. */
export const optional = <Output>(schema: z.ZodType<Output>) => schema.optional().catch(undefined);

/** A list without its malformed items; empty where it is no list. */
export const listOf = <Output>(item: z.ZodType<Output>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((each) => {
        const { success, data } = item.safeParse(each);
        return success ? [data] : [];
      }),
    );

const text = optional(z.string());
const number = optional(z.number());

export const attachmentSchema = z.object({
  filename: z.string().catch("file"),
  content_type: text,
  /** The alternative text. */
  description: text,
  /** Seconds; only voice messages have it. */
  duration_secs: number,
  /** Bytes. */
  size: z.number().catch(0),
  url: z.string(),
});
export type AttachmentPayload = z.infer<typeof attachmentSchema>;

const mediaSchema = optional(z.object({ url: text, description: text }));

const embedSchema = z.object({
  title: text,
  description: text,
  url: text,
  /** ISO 8601. */
  timestamp: text,
  author: optional(z.object({ name: text, url: text })),
  provider: optional(z.object({ name: text })),
  footer: optional(z.object({ text })),
  fields: listOf(z.object({ name: text, value: text })),
  image: mediaSchema,
  thumbnail: mediaSchema,
  video: mediaSchema,
});
export type EmbedPayload = z.infer<typeof embedSchema>;

const pollMediaSchema = optional(z.object({ text, emoji: optional(z.object({ name: text })) }));

const pollSchema = z.object({
  question: pollMediaSchema,
  answers: listOf(z.object({ answer_id: number, poll_media: pollMediaSchema })),
  results: optional(
    z.object({
      is_finalized: optional(z.boolean()),
      answer_counts: listOf(z.object({ id: z.number(), count: z.number() })),
    }),
  ),
});
export type PollPayload = z.infer<typeof pollSchema>;

const stickersSchema = listOf(z.object({ name: z.string() }));

/** A message's content, regardless of its author and how it arrived. */
export const contentSchema = z.object({
  type: optional(numbered<MessageType>()),
  content: z.string().catch(""),
  attachments: listOf(attachmentSchema),
  embeds: listOf(embedSchema),
  /** Nested to any depth; `componentWords` reads them. */
  components: z.unknown().optional(),
  sticker_items: stickersSchema,
  /** The old form of the same. */
  stickers: stickersSchema,
  poll: optional(pollSchema),
  activity: optional(z.object({})),
  /** Of an activity. */
  application: optional(z.object({ name: text })),
  call: optional(z.object({ ended_timestamp: text })),
  role_subscription_data: optional(z.object({ tier_name: text })),
  shared_client_theme: optional(z.object({})),
});
export type ContentPayload = z.infer<typeof contentSchema>;
