import type { Update } from "@grammyjs/types";
import { anna, ben, channel, group, otherBot, privateChat, self } from "./people.ts";

const date = 1_700_000_000;
const source = { source: "premium", user: ben } as const;

/**
 * One update of every kind that the types know, with the words of a command wherever words can
 * stand; typed, so that a new kind asks to be looked at.
 */
export const updates: {
  readonly [Kind in keyof Omit<Update, "update_id">]-?: NonNullable<Update[Kind]>;
} = {
  message: {
    message_id: 9,
    date,
    chat: privateChat,
    from: anna,
    text: "/help",
  },
  edited_message: {
    message_id: 9,
    date,
    edit_date: date + 1,
    chat: privateChat,
    from: anna,
    text: "what I meant",
  },
  channel_post: {
    message_id: 9,
    date,
    chat: channel,
    sender_chat: channel,
    author_signature: "editor",
    text: "/help",
  },
  edited_channel_post: {
    message_id: 9,
    date,
    edit_date: date + 1,
    chat: channel,
    sender_chat: channel,
    text: "/help",
  },
  business_connection: {
    id: "1",
    user: anna,
    user_chat_id: 5,
    date,
    rights: { can_reply: true },
    is_enabled: true,
  },
  business_message: {
    message_id: 9,
    date,
    business_connection_id: "1",
    chat: privateChat,
    from: anna,
    text: "/help",
  },
  edited_business_message: {
    message_id: 9,
    date,
    edit_date: date + 1,
    business_connection_id: "1",
    chat: privateChat,
    from: anna,
    text: "/help",
  },
  deleted_business_messages: {
    business_connection_id: "1",
    chat: privateChat,
    message_ids: [1],
  },
  guest_message: {
    message_id: 9,
    date,
    guest_query_id: "1",
    chat: group,
    from: anna,
    text: "/help@parley_bot",
    entities: [{ type: "bot_command", offset: 0, length: 16 }],
  },
  stopped_message_generation: { chat: privateChat, draft_id: 1 },
  message_reaction: {
    chat: privateChat,
    message_id: 1,
    user: anna,
    date,
    old_reaction: [],
    new_reaction: [{ type: "emoji", emoji: "👍" }],
  },
  message_reaction_count: {
    chat: group,
    message_id: 1,
    date,
    reactions: [{ type: { type: "emoji", emoji: "👍" }, total_count: 2 }],
  },
  inline_query: {
    id: "1",
    from: anna,
    query: "/help",
    offset: "",
    chat_type: "sender",
  },
  chosen_inline_result: { result_id: "1", from: anna, query: "/help" },
  callback_query: {
    id: "77",
    from: anna,
    chat_instance: "1",
    data: "a:1",
    message: {
      message_id: 4,
      date,
      chat: privateChat,
      from: self,
      text: "Sure?",
      reply_markup: {
        inline_keyboard: [[{ text: "Yes", callback_data: "a:1" }]],
      },
    },
  },
  shipping_query: {
    id: "1",
    from: anna,
    invoice_payload: "/help",
    shipping_address: {
      country_code: "DE",
      state: "",
      city: "Berlin",
      street_line1: "Main Street 1",
      street_line2: "",
      post_code: "10115",
    },
  },
  pre_checkout_query: {
    id: "1",
    from: anna,
    currency: "XTR",
    total_amount: 1,
    invoice_payload: "/help",
  },
  purchased_paid_media: { from: anna, paid_media_payload: "/help" },
  poll: {
    id: "1",
    question: "Tea?",
    options: [{ persistent_id: "0", text: "/help", voter_count: 1 }],
    total_voter_count: 1,
    is_closed: true,
    is_anonymous: true,
    type: "regular",
    allows_multiple_answers: false,
    allows_revoting: true,
    members_only: false,
  },
  poll_answer: {
    poll_id: "1",
    user: anna,
    option_ids: [0],
    option_persistent_ids: ["0"],
  },
  my_chat_member: {
    chat: privateChat,
    from: anna,
    date,
    old_chat_member: { user: self, status: "member" },
    new_chat_member: { user: self, status: "kicked", until_date: 0 },
  },
  chat_member: {
    chat: group,
    from: anna,
    date,
    old_chat_member: { user: ben, status: "left" },
    new_chat_member: { user: ben, status: "member" },
  },
  chat_join_request: {
    chat: group,
    from: anna,
    user_chat_id: 5,
    date,
    bio: "/help",
  },
  chat_boost: {
    chat: group,
    boost: {
      boost_id: "1",
      add_date: date,
      expiration_date: date + 1,
      source,
    },
  },
  removed_chat_boost: { chat: group, boost_id: "1", remove_date: date, source },
  managed_bot: { user: anna, bot: otherBot },
  subscription: { user: anna, invoice_payload: "/help", state: "active" },
};
