import type { Message } from "grammy/types";

/** Fields of a message that say who, where, when and what it answers, or are parts of another field's content. */
type Envelope = keyof Message.MediaMessage | "entities";

/**
 * - `text`: read as it is; `file`: fetched; `words`: described in words.
 * - `sentence`: can't be read, which its sender is told; a reply that points at it quotes a word for it.
 * - `service`: Telegram itself says it, and no one waits for an answer.
 */
type Treatment = "text" | "file" | "words" | "sentence" | "service";

/** How each kind of message is read. A kind that the types don't know yet gets a sentence. */
export const contentKinds: Readonly<Record<Exclude<keyof Message, Envelope>, Treatment>> = {
  text: "text",
  // A live photo also has `photo`, a GIF also `document`, a venue also `location`.
  photo: "file",
  live_photo: "file",
  voice: "file",
  audio: "file",
  // People say round videos into their camera: the sound is read.
  video_note: "file",
  animation: "sentence",
  video: "sentence",
  sticker: "sentence",
  paid_media: "sentence",
  story: "sentence",
  document: "file",
  rich_message: "words",
  poll: "words",
  checklist: "words",
  contact: "words",
  venue: "words",
  location: "words",
  dice: "words",
  game: "words",
  invoice: "words",
  giveaway: "words",
  giveaway_winners: "words",
  boost_added: "service",
  channel_chat_created: "service",
  chat_background_set: "service",
  chat_owner_changed: "service",
  chat_owner_left: "service",
  chat_shared: "service",
  checklist_tasks_added: "service",
  checklist_tasks_done: "service",
  community_chat_added: "service",
  community_chat_joined: "service",
  community_chat_removed: "service",
  connected_website: "service",
  delete_chat_photo: "service",
  direct_message_price_changed: "service",
  forum_topic_closed: "service",
  forum_topic_created: "service",
  forum_topic_edited: "service",
  forum_topic_reopened: "service",
  general_forum_topic_hidden: "service",
  general_forum_topic_unhidden: "service",
  gift: "service",
  gift_upgrade_sent: "service",
  giveaway_completed: "service",
  giveaway_created: "service",
  group_chat_created: "service",
  left_chat_member: "service",
  managed_bot_created: "service",
  message_auto_delete_timer_changed: "service",
  migrate_from_chat_id: "service",
  migrate_to_chat_id: "service",
  new_chat_members: "service",
  new_chat_photo: "service",
  new_chat_title: "service",
  paid_message_price_changed: "service",
  passport_data: "service",
  pinned_message: "service",
  poll_option_added: "service",
  poll_option_deleted: "service",
  proximity_alert_triggered: "service",
  refunded_payment: "service",
  successful_payment: "service",
  suggested_post_approval_failed: "service",
  suggested_post_approved: "service",
  suggested_post_declined: "service",
  suggested_post_info: "service",
  suggested_post_paid: "service",
  suggested_post_refunded: "service",
  supergroup_chat_created: "service",
  unique_gift: "service",
  users_shared: "service",
  video_chat_ended: "service",
  video_chat_participants_invited: "service",
  video_chat_scheduled: "service",
  video_chat_started: "service",
  web_app_data: "service",
  write_access_allowed: "service",
};

type ContentKind = keyof typeof contentKinds;

/** The kinds that are read in one way, in the order in which they are looked for. */
export const kindsRead = (as: Treatment): readonly ContentKind[] =>
  (Object.keys(contentKinds) as ContentKind[]).filter((kind) => contentKinds[kind] === as);

const serviceKinds = kindsRead("service");

/** Whether Telegram itself says it. Pure. */
export const isService = (message: Readonly<Record<string, unknown>>): boolean =>
  serviceKinds.some((kind) => message[kind] !== undefined);
