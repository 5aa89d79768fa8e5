import { z } from "zod";
import { messageOf, PermanentError } from "./errors.ts";

export const platforms = ["telegram", "discord", "console"] as const;
export type Platform = (typeof platforms)[number];

/** The same in every language, unlike the terminal's. */
export const platformNames: Readonly<Record<Exclude<Platform, "console">, string>> = {
  telegram: "Telegram",
  discord: "Discord",
};

/**
 * The address of a conversation: a bot's chat, or a topic or thread in it. Every part is the
 * platform's own id.
 */
export interface ChatAddress {
  readonly platform: Platform;
  readonly bot: string;
  readonly chat: string;
  readonly thread?: string;
}

/** `platform:bot:chat[:thread]`, the chat's name in keys, jobs and log lines. */
export type ChatKey = string & { readonly brand: "ChatKey" };

const part = /^[A-Za-z0-9_@.-]+$/;

/** @throws PermanentError when a part is empty or has a character that a key cannot hold. */
export function chatKey(address: ChatAddress): ChatKey {
  const parts = [address.platform, address.bot, address.chat];
  if (address.thread !== undefined) parts.push(address.thread);
  for (const each of parts)
    if (!part.test(each)) throw new PermanentError(`"${each}" cannot be part of a chat's key`);
  return parts.join(":") as ChatKey;
}

/** The inverse of `chatKey`. @throws PermanentError when the text is not a chat's key. */
export function parseChatKey(key: string): ChatAddress {
  const [platform, bot, chat, thread, ...rest] = key.split(":");
  const known = platforms.find((each) => each === platform);
  if (!known || !bot || !chat || thread === "" || rest.length > 0)
    throw new PermanentError(`"${key}" is not a chat's key`);
  return thread === undefined
    ? { platform: known, bot, chat }
    : { platform: known, bot, chat, thread };
}

/** The chat that a text names; undefined: it names none, or one of another version's. Pure. */
export function chatNamed(text = ""): ChatKey | undefined {
  try {
    return chatKey(parseChatKey(text));
  } catch {
    return undefined;
  }
}

export const chatKeySchema = z.string().transform((text, context) => {
  try {
    return chatKey(parseChatKey(text));
  } catch (error) {
    context.addIssue(messageOf(error));
    return z.NEVER;
  }
});

/**
 * The name of a chat with a user-installed Discord app, in a place without the
 * bot: `visit-<person>-<channel>`.
 */
const userInstallShape = /^visit-(\d+)-(\d+)$/;

/**
 * In a user-installed app everything is a response to the interaction, for
 * minutes: no one can be asked for an approval.
 */
export const isUserInstall = ({ platform, chat }: ChatAddress): boolean =>
  platform === "discord" && userInstallShape.test(chat);

/** The Discord id of the person who uses the app; undefined: not such a chat. */
export const userInstallPerson = ({ chat }: Pick<ChatAddress, "chat">) =>
  userInstallShape.exec(chat)?.[1];

/**
 * The channel or thread in which a user-installed Discord app is used;
 * undefined: not such a chat.
 */
export const userInstallChannel = ({ chat }: Pick<ChatAddress, "chat">) =>
  userInstallShape.exec(chat)?.[2];

export const userInstallChat = (personId: string, channelId: string): string =>
  `visit-${personId}-${channelId}`;

/** The bot of a chat, `platform:bot`: its deliveries share a queue and a rate limit. */
export function botOf(key: ChatKey): string {
  const { platform, bot } = parseChatKey(key);
  return `${platform}:${bot}`;
}

/**
 * A person who writes, taps or uses commands. `id` is `platform:id`, for
 * example `telegram:12345`.
 */
export const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Without the leading `@`. */
  username: z.string().optional(),
  /** BCP 47, as the platform reports it. */
  language: z.string().optional(),
  /** Set for anonymous admins and channels: they can ask, but decide nothing. */
  anonymous: z.boolean().optional(),
});
export type Person = Readonly<z.infer<typeof personSchema>>;
