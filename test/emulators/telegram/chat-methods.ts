import type { ChatMember, User } from "@grammyjs/types";
import { badRequest } from "./api-error.ts";
import type { ChatState } from "./chat-state.ts";
import { botUser } from "./message-methods.ts";
import { findChat, type Method, type MethodContext, openChat } from "./method-context.ts";
import { integerField } from "./parameters.ts";

const getMe: Method = ({ world }) => world.bot;

/** `ChatFullInfo` with its required fields and nothing else. */
const getChat: Method = (context) => {
  const state = openChat(context);
  return {
    ...state.chat,
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
      gifts_from_channels: false,
    },
  };
};

const getChatMember: Method = (context) => {
  const state = openChat(context);
  const userId = integerField(context.call.payload, "user_id");
  const user = findUser(context, state, userId ?? 0);
  if (user === undefined) throw badRequest("PARTICIPANT_ID_INVALID");
  return member(context, state, user);
};

const getChatAdministrators: Method = (context) => {
  const state = openChat(context);
  if (state.chat.type === "private")
    throw badRequest("there are no administrators in the private chat");
  return [...state.admins]
    .map((id) => findUser(context, state, id))
    .filter((user) => user !== undefined)
    .map((user) => member(context, state, user));
};

const getChatMemberCount: Method = (context) => openChat(context).members.size + 1;

function findUser(context: MethodContext, state: ChatState, id: number): User | undefined {
  if (id === context.world.bot.id) return botUser(context);
  return state.members.get(id) ?? context.world.people.get(id);
}

function member({ world }: MethodContext, state: ChatState, user: User): ChatMember {
  if (user.id === world.bot.id)
    return state.botStatus === "administrator" ? administrator(user) : { user, status: "member" };
  if (!state.members.has(user.id)) return { user, status: "left" };
  return state.admins.has(user.id) ? administrator(user) : { user, status: "member" };
}

/** An administrator with the rights that matter to a bot; all are required fields. */
export function administrator(user: User): ChatMember {
  return {
    user,
    status: "administrator",
    can_be_edited: false,
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: true,
    can_manage_video_chats: true,
    can_restrict_members: true,
    can_promote_members: false,
    can_change_info: true,
    can_invite_users: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_pin_messages: true,
    can_send_welcome_messages: false,
  };
}

const leaveChat: Method = (context) => {
  const state = findChat(context);
  if (state.chat.type === "private")
    throw badRequest("chat member status can't be changed in private chats");
  openChat(context);
  state.botStatus = "left";
  context.world.changed();
  return true;
};

/** Real bots may not log in again for ten minutes after `logOut`; here both only say yes. */
const yes: Method = () => true;

export const chatMethods: Readonly<Record<string, Method>> = {
  getMe,
  getChat,
  getChatMember,
  getChatAdministrators,
  getChatMemberCount,
  leaveChat,
  logOut: yes,
  close: yes,
};
