import { z } from "zod";

/**
 * The part of Telegram's updates that we read; all else is let through unread. Whatever real
 * messages lack now and then is optional, so that only something that is no update at all is
 * refused. https://core.telegram.org/bots/api#update
 */
const userSchema = z.object({
  id: z.number(),
  is_bot: z.boolean().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
  language_code: z.string().optional(),
});
export type TelegramUser = z.infer<typeof userSchema>;

const chatSchema = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
  is_forum: z.boolean().optional(),
  is_direct_messages: z.boolean().optional(),
});

const entitySchema = z.object({
  type: z.string(),
  offset: z.number(),
  length: z.number(),
  user: userSchema.optional(),
});
export type TelegramEntity = z.infer<typeof entitySchema>;

/**
 * A message or a referenced message: the fields of its kind (`photo`,
 * `sticker`, …) are parsed where needed.
 */
const contentSchema = z.looseObject({
  text: z.string().optional(),
  caption: z.string().optional(),
});
export type TelegramContent = z.infer<typeof contentSchema>;

const repliedSchema = contentSchema.extend({
  message_id: z.number().optional(),
  from: userSchema.optional(),
  sender_chat: chatSchema.optional(),
  author_signature: z.string().optional(),
  forum_topic_created: z.unknown().optional(),
});
export type TelegramReplied = z.infer<typeof repliedSchema>;

/** https://core.telegram.org/bots/api#messageorigin */
const originSchema = z.object({
  sender_user: userSchema.optional(),
  sender_user_name: z.string().optional(),
  sender_chat: chatSchema.optional(),
  chat: chatSchema.optional(),
  author_signature: z.string().optional(),
});

const messageSchema = contentSchema.extend({
  message_id: z.number(),
  /** Unix time in seconds. */
  date: z.number().optional(),
  edit_date: z.number().optional(),
  message_thread_id: z.number().optional(),
  is_topic_message: z.boolean().optional(),
  is_automatic_forward: z.boolean().optional(),
  forward_origin: originSchema.optional(),
  author_signature: z.string().optional(),
  media_group_id: z.string().optional(),
  chat: chatSchema,
  from: userSchema.optional(),
  sender_chat: chatSchema.optional(),
  via_bot: userSchema.optional(),
  sender_business_bot: z.unknown().optional(),
  business_connection_id: z.string().optional(),
  guest_query_id: z.string().optional(),
  reply_to_message: repliedSchema.optional(),
  external_reply: contentSchema.extend({ origin: originSchema.optional() }).optional(),
  reply_to_story: z.object({ chat: chatSchema }).optional(),
  quote: z.object({ text: z.string() }).optional(),
  entities: z.array(entitySchema).optional(),
  caption_entities: z.array(entitySchema).optional(),
  migrate_to_chat_id: z.number().optional(),
  migrate_from_chat_id: z.number().optional(),
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

const membershipSchema = z.object({ status: z.string(), is_member: z.boolean().optional() });

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
