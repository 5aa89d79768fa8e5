import { parseChatKey, userInstallChannel, type ChatAddress } from "./chat.ts";

/** A place of an event, as far as access lists can name it. */
export interface Whereabouts {
  readonly address: ChatAddress;
  /** A chat of two people, the bot being one. */
  readonly direct: boolean;
  /** The Discord server, by its id; absent: none. */
  readonly guild?: string;
  /**
   * The channel of a Discord thread, by its id, where the address doesn't say it: a user-installed
   * app is used there.
   */
  readonly threadOf?: string;
}

/**
 * A place's name in access lists: `telegram:chat:-100123`, `discord:guild:1`, `discord:channel:1`.
 */
export type Place = string & { readonly brand: "Place" };

/**
 * The places that it is in, the narrowest first: a topic is in its group, a thread in its channel,
 * a channel on its server. A chat of two is in none. Pure.
 */
export function placesOf({ address, direct, guild, threadOf }: Whereabouts): readonly Place[] {
  if (direct) return [];
  switch (address.platform) {
    case "telegram":
      return [`telegram:chat:${address.chat}` as Place];
    case "discord":
      return [
        `discord:channel:${userInstallChannel(address) ?? address.chat}` as Place,
        ...(threadOf === undefined ? [] : [`discord:channel:${threadOf}` as Place]),
        ...(guild === undefined ? [] : [`discord:guild:${guild}` as Place]),
      ];
    case "console":
      return [];
    default:
      return address.platform satisfies never;
  }
}

/** Telegram's private chats have the number of their person, and are no places. */
const placeShape = /^(?:telegram:chat:-[1-9]\d{0,19}|discord:(?:guild|channel):[1-9]\d{0,19})$/;

/**
 * A place as people write it; `telegram:-100123` is a group too, since people's ids are not
 * negative. Pure.
 */
export function parsePlace(text: string): Place | undefined {
  const name = text.replace(/^telegram:(?=-)/, "telegram:chat:");
  return placeShape.test(name) ? (name as Place) : undefined;
}

/**
 * By which id a chat's name is known: a chat of two by its person's, where the platform gives both
 * one number; a group by its place's. Pure.
 */
export function namedBy(chat: string): string {
  const address = parseChatKey(chat);
  const [place = ""] = placesOf({ address, direct: false });
  return parsePlace(place) ?? `${address.platform}:${address.chat}`;
}
