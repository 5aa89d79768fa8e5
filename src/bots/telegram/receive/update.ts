import { z } from "zod";

/*
 * The part of Telegram's updates that we read; all else is let through unread. Whatever real
 * messages lack now and then is optional, and counts as absent where it has another shape, so that
 * only something that is no update at all is refused. https://core.telegram.org/bots/api#update
 */

/** Absent where it isn't one. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** Those that are none are left out. */
const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  lenient(
    z.array(z.unknown()).transform((values) =>
      values.flatMap((value): z.output<Schema>[] => {
        const parsed = schema.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      }),
    ),
  );

const text = lenient(z.string());
const number = lenient(z.number());
const flag = lenient(z.boolean());

const userSchema = z.object({
  id: z.number(),
  is_bot: flag,
  first_name: text,
  last_name: text,
  username: text,
  language_code: text,
});
export type TelegramUser = z.infer<typeof userSchema>;

const chatSchema = z.object({
  id: z.number(),
  type: z.string(),
  title: text,
  first_name: text,
  last_name: text,
  username: text,
  is_forum: flag,
  is_direct_messages: flag,
});

const entitySchema = z.object({
  type: z.string(),
  offset: z.number(),
  length: z.number(),
  url: text,
  user: lenient(userSchema),
  language: text,
  /** Seconds. */
  unix_time: number,
});
export type TelegramEntity = z.infer<typeof entitySchema>;
/** Those that are none are left out. */
export const entitiesSchema = listOf(entitySchema);

const buttonSchema = z.object({
  text: z.string(),
  url: text,
  web_app: lenient(z.object({ url: z.string() })),
  copy_text: lenient(z.object({ text: z.string() })),
});

/**
 * A message or a referenced message: the fields of its kind (`photo`,
 * `sticker`, …) are parsed where needed.
 */
const contentSchema = z.looseObject({
  text,
  entities: entitiesSchema,
  caption: text,
  caption_entities: entitiesSchema,
  reply_markup: lenient(z.object({ inline_keyboard: z.array(listOf(buttonSchema)) })),
  link_preview_options: lenient(z.object({ is_disabled: flag, url: text })),
});
export type TelegramContent = z.infer<typeof contentSchema>;

const repliedSchema = contentSchema.extend({
  message_id: number,
  from: lenient(userSchema),
  sender_chat: lenient(chatSchema),
  author_signature: text,
  forum_topic_created: z.unknown().optional(),
});
export type TelegramReplied = z.infer<typeof repliedSchema>;

/** https://core.telegram.org/bots/api#messageorigin */
const originSchema = z.object({
  sender_user: lenient(userSchema),
  sender_user_name: text,
  sender_chat: lenient(chatSchema),
  chat: lenient(chatSchema),
  author_signature: text,
});

const messageSchema = contentSchema.extend({
  message_id: z.number(),
  /** Unix time in seconds. */
  date: number,
  edit_date: number,
  message_thread_id: number,
  is_topic_message: flag,
  is_automatic_forward: flag,
  author_signature: text,
  media_group_id: text,
  chat: chatSchema,
  from: lenient(userSchema),
  sender_chat: lenient(chatSchema),
  // Of any shape these say that someone else wrote it, or that it is someone else's chat.
  forward_origin: originSchema.optional().catch({}),
  via_bot: userSchema.optional().catch({ id: 0 }),
  sender_business_bot: z.unknown().optional(),
  business_connection_id: z.unknown().optional(),
  guest_query_id: z.unknown().optional(),
  reply_to_message: lenient(repliedSchema),
  external_reply: lenient(contentSchema.extend({ origin: lenient(originSchema) })),
  reply_to_story: lenient(z.object({ chat: chatSchema })),
  reply_to_checklist_task_id: number,
  reply_to_poll_option_id: text,
  quote: lenient(z.object({ text: z.string(), entities: entitiesSchema })),
  migrate_to_chat_id: number,
  migrate_from_chat_id: number,
});
export type TelegramMessage = z.infer<typeof messageSchema>;

const keyboardSchema = z.object({
  inline_keyboard: z.array(z.array(z.object({ callback_data: z.string().optional() }))),
});

const tapSchema = z.object({
  id: z.string(),
  from: userSchema,
  data: z.string().optional(),
  /**
   * Only `chat` and `message_id` where the message is too old or gone; absent for inline messages.
   */
  message: messageSchema
    .pick({
      message_id: true,
      message_thread_id: true,
      is_topic_message: true,
      chat: true,
    })
    .extend({ reply_markup: keyboardSchema.optional() })
    .optional(),
});
export type TelegramTap = z.infer<typeof tapSchema>;

/** The user pressed Stop below a draft. */
const stopSchema = z.object({
  chat: chatSchema,
  message_thread_id: z.number().optional(),
  draft_id: z.number(),
});
export type TelegramStop = z.infer<typeof stopSchema>;

const membershipSchema = z.object({
  status: z.string(),
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
});

/** What became of the bot's own membership. https://core.telegram.org/bots/api#chatmemberupdated */
const ownMembershipSchema = z.object({
  chat: chatSchema,
  from: userSchema,
  date: z.number(),
  old_chat_member: membershipSchema,
  new_chat_member: membershipSchema,
});
export type TelegramOwnMembership = z.infer<typeof ownMembershipSchema>;

export const updateSchema = z.object({
  update_id: z.number(),
  message: messageSchema.optional(),
  edited_message: messageSchema.optional(),
  callback_query: tapSchema.optional(),
  stopped_message_generation: stopSchema.optional(),
  my_chat_member: ownMembershipSchema.optional(),
});

/** The kinds of updates that we ask for. */
export const allowedUpdates = [
  "message",
  "edited_message",
  "callback_query",
  "stopped_message_generation",
  "my_chat_member",
] as const;
