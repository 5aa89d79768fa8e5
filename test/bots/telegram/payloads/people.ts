import type { Chat, User } from "@grammyjs/types";

export const self: User = {
  id: 700,
  is_bot: true,
  first_name: "Parley",
  username: "parley_bot",
};
export const anna: User = {
  id: 5,
  is_bot: false,
  first_name: "Anna",
  last_name: "Bell",
  username: "anna",
  language_code: "pt-br",
  is_premium: true,
};
export const ben: User = { id: 8, is_bot: false, first_name: "Ben" };
/** What is left of a deleted account. */
export const deleted: User = { id: 9, is_bot: false, first_name: "" };
export const otherBot: User = {
  id: 6,
  is_bot: true,
  first_name: "Robot",
  username: "other_bot",
};
/** Telegram's own account: it forwards a channel's posts and says what happened to one's own. */
export const telegramItself: User = {
  id: 777_000,
  is_bot: false,
  first_name: "Telegram",
};
export const groupAnonymousBot: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: "Group",
  username: "GroupAnonymousBot",
};
export const channelBot: User = {
  id: 136_817_688,
  is_bot: true,
  first_name: "Channel",
  username: "Channel_Bot",
};

export const privateChat: Chat.PrivateChat = {
  id: 5,
  type: "private",
  first_name: "Anna",
  last_name: "Bell",
  username: "anna",
};
export const basicGroup: Chat.GroupChat = {
  id: -300,
  type: "group",
  title: "Friends",
};
export const group: Chat.SupergroupChat = {
  id: -1_000_000_000_100,
  type: "supergroup",
  title: "Team",
};
export const forum: Chat.SupergroupChat = { ...group, is_forum: true };
export const channel: Chat.ChannelChat = {
  id: -1_000_000_000_200,
  type: "channel",
  title: "News",
  username: "news",
};
