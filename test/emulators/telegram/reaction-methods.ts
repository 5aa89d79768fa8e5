import { badRequest } from "./api-error.ts";
import { type Method, openChat } from "./method-context.ts";
import { integerField, isRecord, jsonField } from "./parameters.ts";

/** https://core.telegram.org/bots/api#reactiontypeemoji */
const allowedEmoji = new Set(
  "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡".split(
    " ",
  ),
);

/** A bot may set one reaction, of those that everyone has; an empty list takes it away. */
const setMessageReaction: Method = (context) => {
  const state = openChat(context);
  const { payload } = context.call;
  const message = state.messages.get(integerField(payload, "message_id") ?? 0);
  if (message === undefined) throw badRequest("message to react not found");
  const given = jsonField(payload, "reaction", "reaction") ?? [];
  if (!Array.isArray(given)) throw badRequest("expected an Array of ReactionType");
  if (given.length > 1) throw badRequest("REACTIONS_TOO_MANY");
  const [reaction] = given as readonly unknown[];
  if (reaction !== undefined && !isAllowed(reaction)) throw badRequest("REACTION_INVALID");
  message.botReaction = reaction === undefined ? undefined : String(reaction.emoji);
  context.world.changed();
  return true;
};

const isAllowed = (reaction: unknown): reaction is { readonly emoji: unknown } =>
  isRecord(reaction) && reaction["type"] === "emoji" && allowedEmoji.has(String(reaction["emoji"]));

export const reactionMethods: Readonly<Record<string, Method>> = { setMessageReaction };
