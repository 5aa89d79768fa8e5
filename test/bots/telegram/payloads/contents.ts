import type { GiftInfo, Message, PhotoSize, Poll, Sticker } from "@grammyjs/types";
import { anna, ben, channel, otherBot, privateChat } from "./people.ts";

/** Fields that messages of every kind may have: who, where, when, and what they answer. */
type Envelope =
  | keyof Message.MediaMessage
  | "text"
  | "entities"
  // Named beside `location` and `photo` in one message.
  | "caption";

const fileOf = (name: string) => ({
  file_id: `file-${name}`,
  file_unique_id: `unique-${name}`,
  file_size: 1_000,
});
const photo: PhotoSize[] = [
  { ...fileOf("small"), width: 90, height: 67 },
  { ...fileOf("large"), width: 1280, height: 960 },
];
const sticker: Sticker = {
  ...fileOf("sticker"),
  type: "regular",
  width: 512,
  height: 512,
  is_animated: false,
  is_video: false,
  emoji: "👍",
  set_name: "Thumbs",
};
const video = {
  ...fileOf("video"),
  width: 640,
  height: 480,
  duration: 2,
  mime_type: "video/mp4",
  file_name: "a.mp4",
};
const location = { latitude: 52.5, longitude: 13.4, horizontal_accuracy: 20 };
const poll: Poll = {
  id: "1",
  question: "Tea?",
  options: [{ persistent_id: "0", text: "Yes", voter_count: 1 }],
  total_voter_count: 1,
  is_closed: false,
  is_anonymous: true,
  type: "regular",
  allows_multiple_answers: false,
  allows_revoting: true,
  members_only: false,
};
const gift: GiftInfo = {
  gift: { id: "1", sticker, star_count: 5 },
  convert_star_count: 4,
  text: "/help",
  entities: [],
};
const price = { currency: "XTR", amount: 5 } as const;
const paid = {
  currency: "XTR",
  total_amount: 5,
  invoice_payload: "/help",
  telegram_payment_charge_id: "1",
  provider_payment_charge_id: "2",
} as const;
const color = {
  center_color: 1,
  edge_color: 2,
  symbol_color: 3,
  text_color: 4,
};
const community = { id: 1, name: "Town" };
const someMessage = {
  message_id: 3,
  date: 1_700_000_000,
  chat: privateChat,
  from: ben,
  text: "/help",
} as Message;

/**
 * One message of every kind that the types know, as Telegram sends it; typed, so that a new kind
 * asks to be looked at.
 */
export const contents: {
  readonly [Kind in Exclude<keyof Message, Envelope>]-?: Pick<Message, Kind> & Partial<Message>;
} = {
  animation: {
    animation: { ...video, file_name: "a.gif.mp4" },
    document: { ...fileOf("video"), mime_type: "video/mp4" },
  },
  audio: {
    audio: {
      ...fileOf("audio"),
      duration: 2,
      performer: "P",
      title: "T",
      file_name: "a.mp3",
      mime_type: "audio/mpeg",
    },
  },
  document: {
    document: {
      ...fileOf("document"),
      file_name: "a.pdf",
      mime_type: "application/pdf",
    },
  },
  live_photo: {
    live_photo: {
      ...fileOf("live"),
      photo,
      width: 640,
      height: 480,
      duration: 2,
      mime_type: "video/mp4",
    },
    photo,
  },
  paid_media: {
    paid_media: {
      star_count: 5,
      paid_media: [{ type: "preview", width: 640, height: 480, duration: 2 }],
    },
  },
  photo: { photo },
  sticker: { sticker },
  story: { story: { chat: channel, id: 1 } },
  video: { video },
  video_note: {
    video_note: { ...fileOf("note"), length: 384, duration: 2 },
  },
  voice: {
    voice: { ...fileOf("voice"), duration: 2, mime_type: "audio/ogg" },
  },
  contact: {
    contact: { phone_number: "+491234", first_name: "Ben", user_id: 8 },
  },
  dice: { dice: { emoji: "🎲", value: 6 } },
  game: {
    game: {
      title: "Chess",
      description: "/help",
      photo,
      text: "/help",
      text_entities: [],
      animation: video,
    },
  },
  poll: { poll: poll },
  venue: {
    venue: { location, title: "Café", address: "Main Street 1" },
    location,
  },
  location: { location: { ...location, live_period: 60 } },
  checklist: {
    checklist: { title: "To do", tasks: [{ id: 1, text: "/help" }] },
  },
  rich_message: {
    rich_message: { blocks: [{ type: "paragraph", text: "/help" }] },
  },
  // From here on: what Telegram says of the chat, not what anybody says in it.
  checklist_tasks_done: {
    checklist_tasks_done: {
      checklist_message: someMessage,
      marked_as_done_task_ids: [1],
    },
  },
  checklist_tasks_added: {
    checklist_tasks_added: { tasks: [{ id: 2, text: "/help" }] },
  },
  community_chat_added: { community_chat_added: { community } },
  community_chat_removed: { community_chat_removed: {} },
  community_chat_joined: { community_chat_joined: { community } },
  suggested_post_info: { suggested_post_info: { state: "pending", price } },
  suggested_post_approved: {
    suggested_post_approved: {
      suggested_post_message: someMessage,
      price,
      send_date: 1_700_000_000,
    },
  },
  suggested_post_approval_failed: {
    suggested_post_approval_failed: { price },
  },
  suggested_post_declined: { suggested_post_declined: { comment: "/help" } },
  suggested_post_paid: {
    suggested_post_paid: { currency: "XTR", star_amount: { amount: 5 } },
  },
  suggested_post_refunded: {
    suggested_post_refunded: { reason: "post_deleted" },
  },
  chat_owner_left: { chat_owner_left: { new_owner: ben } },
  chat_owner_changed: { chat_owner_changed: { new_owner: ben } },
  new_chat_members: { new_chat_members: [ben, otherBot] },
  left_chat_member: { left_chat_member: ben },
  new_chat_title: { new_chat_title: "/help" },
  new_chat_photo: { new_chat_photo: photo },
  delete_chat_photo: { delete_chat_photo: true },
  group_chat_created: { group_chat_created: true },
  supergroup_chat_created: { supergroup_chat_created: true },
  channel_chat_created: { channel_chat_created: true },
  managed_bot_created: { managed_bot_created: { bot: otherBot } },
  poll_option_added: {
    poll_option_added: {
      poll_message: someMessage,
      option_persistent_id: "1",
      option_text: "/help",
    },
  },
  poll_option_deleted: {
    poll_option_deleted: { option_persistent_id: "1", option_text: "/help" },
  },
  message_auto_delete_timer_changed: {
    message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 },
  },
  migrate_to_chat_id: { migrate_to_chat_id: -1_000_000_000_300 },
  migrate_from_chat_id: { migrate_from_chat_id: -299 },
  pinned_message: { pinned_message: someMessage },
  invoice: {
    invoice: {
      title: "Tea",
      description: "/help",
      start_parameter: "a",
      currency: "XTR",
      total_amount: 5,
    },
  },
  successful_payment: { successful_payment: paid },
  refunded_payment: { refunded_payment: paid },
  users_shared: {
    users_shared: { request_id: 1, users: [{ user_id: 8, first_name: "Ben" }] },
  },
  chat_shared: {
    chat_shared: { request_id: 1, chat_id: -300, title: "/help" },
  },
  connected_website: { connected_website: "example.com" },
  write_access_allowed: { write_access_allowed: { from_request: true } },
  passport_data: {
    passport_data: {
      data: [{ type: "email", email: "a@example.com", hash: "a" }],
      credentials: { data: "a", hash: "a", secret: "a" },
    },
  },
  proximity_alert_triggered: {
    proximity_alert_triggered: { traveler: anna, watcher: ben, distance: 5 },
  },
  boost_added: { boost_added: { boost_count: 1 } },
  chat_background_set: {
    chat_background_set: {
      type: {
        type: "fill",
        fill: { type: "solid", color: 1 },
        dark_theme_dimming: 5,
      },
    },
  },
  forum_topic_created: {
    forum_topic_created: { name: "/help", icon_color: 7_322_096 },
  },
  forum_topic_edited: { forum_topic_edited: { name: "/help" } },
  forum_topic_closed: { forum_topic_closed: {} },
  forum_topic_reopened: { forum_topic_reopened: {} },
  general_forum_topic_hidden: { general_forum_topic_hidden: {} },
  general_forum_topic_unhidden: { general_forum_topic_unhidden: {} },
  giveaway_created: { giveaway_created: { prize_star_count: 5 } },
  giveaway: {
    giveaway: {
      chats: [channel],
      winners_selection_date: 1_700_000_000,
      winner_count: 1,
      prize_description: "/help",
    },
  },
  giveaway_winners: {
    giveaway_winners: {
      chat: channel,
      giveaway_message_id: 3,
      winners_selection_date: 1_700_000_000,
      winner_count: 1,
      winners: [ben],
    },
  },
  giveaway_completed: {
    giveaway_completed: { winner_count: 1, giveaway_message: someMessage },
  },
  gift: { gift: gift },
  gift_upgrade_sent: { gift_upgrade_sent: gift },
  unique_gift: {
    unique_gift: {
      origin: "upgrade",
      gift: {
        gift_id: "1",
        base_name: "Cake",
        name: "Cake-1",
        number: 1,
        model: { name: "a", sticker, rarity_per_mille: 1 },
        symbol: { name: "a", sticker, rarity_per_mille: 1 },
        backdrop: { name: "a", colors: color, rarity_per_mille: 1 },
      },
    },
  },
  paid_message_price_changed: {
    paid_message_price_changed: { paid_message_star_count: 5 },
  },
  direct_message_price_changed: {
    direct_message_price_changed: {
      are_direct_messages_enabled: true,
      direct_message_star_count: 5,
    },
  },
  video_chat_scheduled: {
    video_chat_scheduled: { start_date: 1_700_000_000 },
  },
  video_chat_started: { video_chat_started: {} },
  video_chat_ended: { video_chat_ended: { duration: 60 } },
  video_chat_participants_invited: {
    video_chat_participants_invited: { users: [ben] },
  },
  web_app_data: { web_app_data: { data: "/help", button_text: "/help" } },
};

/** What a person sends of these can be read. */
export const readable = [
  "audio",
  "checklist",
  "contact",
  "dice",
  "document",
  "game",
  "giveaway",
  "giveaway_winners",
  "invoice",
  "live_photo",
  "location",
  "photo",
  "poll",
  "rich_message",
  "venue",
  "video_note",
  "voice",
] as const satisfies readonly (keyof typeof contents)[];

/** These are refused with a sentence of their own, which holds this word. */
export const unreadable = {
  animation: "GIFs",
  video: "videos",
  sticker: "stickers",
  paid_media: "paid media",
  story: "stories",
} as const satisfies Partial<Record<keyof typeof contents, string>>;
