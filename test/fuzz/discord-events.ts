import { ComponentType, InteractionType } from "discord.js";
import type { Random } from "../chaos/storm/random.ts";
import {
  oddMessages,
  someMember,
  someMessage,
  someUser,
} from "../emulators/discord/fixtures/messages.ts";
import { actorIds, actors, botId, cardId, groupId } from "./ingress-world.ts";
import { mutated, type Json } from "./mutate.ts";
import { argumentsOf } from "./words.ts";

const bot = String(botId);
/** Where everybody is together. */
export const channelId = String(-groupId);
const guildId = "55";

const userOf = (id: number): Json => ({
  ...(someUser as unknown as Record<string, Json>),
  id: String(id),
  username: `user${id}`,
});

/** What the gateway would deliver of one of the actors, changed in some places. */
export function makeEvent(random: Random, words: readonly string[]): Json {
  const actor = random.pick(actorIds);
  const isDirect = random.chance(0.4);
  const given = { random, words };
  const dice = random.next();
  if (dice < 0.4) {
    const d = makeMessage(random, { actor, isDirect, words });
    const t = random.chance(0.85) ? "MESSAGE_CREATE" : "MESSAGE_UPDATE";
    return { t, d: mutated(d, given) };
  }
  const d = makeInteraction(random, { actor, isDirect, words });
  return { t: "INTERACTION_CREATE", d: mutated(d, given) };
}

interface Made {
  readonly actor: number;
  readonly isDirect: boolean;
  readonly words: readonly string[];
}

function makeMessage(random: Random, { actor, isDirect, words }: Made): Json {
  const content = random.pick(words);
  const odd = random.chance(0.3) ? random.pick(oddMessages).changes : {};
  const answered = {
    referenced_message: {
      ...(someMessage as unknown as Record<string, Json>),
      id: random.chance(0.5) ? String(cardId) : "12",
      channel_id: channelId,
      author: userOf(random.pick([botId, actors.owner, actors.admin])),
      content: "Allow?",
      mentions: [],
    },
    type: 19,
  };
  return {
    ...(someMessage as unknown as Record<string, Json>),
    id: String(random.whole(1, 2 ** 40)),
    channel_id: isDirect ? String(actor) : channelId,
    ...(isDirect ? {} : { guild_id: guildId, member: someMember }),
    author: userOf(actor),
    content: isDirect || random.chance(0.2) ? content : `<@${bot}> ${content}`,
    mentions: [userOf(botId), userOf(random.pick(actorIds))],
    edited_timestamp: "2099-01-01T00:00:00.000000+00:00",
    ...(odd as unknown as Record<string, Json>),
    ...(random.chance(0.4) ? answered : {}),
  };
}

function makeInteraction(random: Random, { actor, isDirect, words }: Made): Json {
  const user = userOf(actor);
  const { type, data } = makeData(random, words);
  return {
    id: String(random.whole(1, 2 ** 40)),
    application_id: bot,
    token: "token",
    version: 1,
    type,
    data,
    channel_id: isDirect ? String(actor) : channelId,
    channel: {
      id: isDirect ? String(actor) : channelId,
      type: isDirect ? 1 : random.pick([0, 11, 12]),
      ...(isDirect ? {} : { parent_id: "77" }),
    },
    context: isDirect ? 1 : 0,
    locale: "en-US",
    app_permissions: "562949953421311",
    ...(isDirect ? { user } : { guild_id: guildId, member: { ...someMember, user } }),
    message: {
      id: String(random.chance(0.7) ? cardId : 5),
      author: userOf(botId),
    },
  };
}

function makeData(
  random: Random,
  words: readonly string[],
): { readonly type: number; readonly data: Json } {
  const dice = random.next();
  if (dice < 0.35) {
    const buttons = words.filter((word) => /^[a-z]{1,2}:/.test(word));
    return {
      type: InteractionType.MessageComponent,
      data: {
        custom_id: random.pick(buttons),
        component_type: ComponentType.Button,
      },
    };
  }
  const name = random.pick(commandNames(words));
  const value = random.chance(0.5) ? argumentsOf(name) : random.pick(words);
  const option = { name: "value", type: 3, value };
  if (dice < 0.75)
    return {
      type: InteractionType.ApplicationCommand,
      data: { id: "1", name, type: 1, options: [option] },
    };
  if (dice < 0.85)
    return {
      type: InteractionType.ApplicationCommandAutocomplete,
      data: { id: "1", name, type: 1, options: [{ ...option, focused: true }] },
    };
  if (dice < 0.93)
    return {
      type: InteractionType.ModalSubmit,
      data: {
        custom_id: random.chance(0.5) ? "about:1" : random.pick(words),
        components: [
          {
            type: 18,
            component: { type: 4, custom_id: "question", value: value },
          },
        ],
      },
    };
  const target = {
    ...(someMessage as unknown as Record<string, Json>),
    id: "12",
    channel_id: channelId,
    content: random.pick(words),
    author: userOf(random.pick(actorIds)),
  };
  return {
    type: InteractionType.ApplicationCommand,
    data: {
      id: "1",
      name: "Ask about this",
      type: 3,
      target_id: "12",
      resolved: { messages: { "12": target as unknown as Json } },
    },
  };
}

const commandNames = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => {
    const name = /^\/(\w+)$/.exec(word)?.[1];
    return name === undefined ? [] : [name];
  });
