import type { ApproverPolicy } from "../core/approval.ts";
import { botOf, chatKey, isUserInstall, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { ConnectedBots } from "../store/operations/connected-bots.ts";
import type { PeopleStore } from "../store/people/people.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import type { Access } from "./access.ts";

export interface NotifyAllAdminsDeps {
  readonly access: Pick<Access, "admins" | "profileOf">;
  readonly people: Pick<PeopleStore, "directChat" | "directChats">;
  readonly connectedBots: Pick<ConnectedBots, "among">;
  /** Puts news into a chat's outbox, once per entry id, and wakes it. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<void>;
}

/** The admin's direct chat, and their language as a BCP 47 tag. */
interface AdminsChat {
  readonly chat: ChatKey;
  readonly language: string | undefined;
}

type EntryIn = (locale: Locale, admins: AdminsChat) => OutboxEntry | undefined;

/**
 * Notifies every admin who can be reached by any bot of the deployment, each in one chat: by the
 * bot that `near` belongs to if they have written to it, else by another connected one that they
 * have written to. Skips those without an entry. @returns how many were notified.
 * @throws PermanentError if one could not be notified; the others are.
 */
export async function notifyAllAdmins(
  deps: NotifyAllAdminsDeps,
  near: ChatKey,
  entryIn: EntryIn,
): Promise<number> {
  return await notify(deps, await deps.access.admins(), {
    chatOf: async (id) =>
      (await known(deps, near, id)) ?? (await elsewhere(deps, id)) ?? ownChat(near, id),
    entryIn,
  });
}

/**
 * Notifies every owner who has written to a connected bot, each in one chat; others are left out.
 * @returns how many were notified.
 * @throws PermanentError if one could not be notified; the others are.
 */
export const notifyOwners = (
  deps: NotifyAllAdminsDeps & Elsewhere,
  entryIn: EntryIn,
): Promise<number> => notifyDeciders(deps, "owners", entryIn);

/**
 * The same for all admins. @returns how many were notified.
 * @throws PermanentError if one could not be notified; the others are.
 */
export const notifyAdminsAnywhere = (
  deps: NotifyAllAdminsDeps & Elsewhere,
  entryIn: EntryIn,
): Promise<number> => notifyDeciders(deps, "admins", entryIn);

type Elsewhere = Pick<NotifyAllAdminsDeps, "people" | "connectedBots"> & {
  readonly access: Pick<Access, "admins" | "owners">;
};

const decidersOf = (
  { access }: Pick<Elsewhere, "access">,
  approvers: ApproverPolicy,
): Promise<readonly string[]> => (approvers === "owners" ? access.owners() : access.admins());

/** Whether any of them has written to a connected bot. */
export async function canReach(deps: Elsewhere, approvers: ApproverPolicy): Promise<boolean> {
  const chats = (await decidersOf(deps, approvers)).map((id) => elsewhere(deps, id));
  return (await Promise.all(chats)).some((chat) => chat !== undefined);
}

/** Notifies those who may decide, each in one chat. @returns how many were notified. */
export const notifyDeciders = async (
  deps: NotifyAllAdminsDeps & Elsewhere,
  approvers: ApproverPolicy,
  entryIn: EntryIn,
): Promise<number> =>
  notify(deps, await decidersOf(deps, approvers), {
    chatOf: (id) => elsewhere(deps, id),
    entryIn,
  });

async function notify(
  deps: NotifyAllAdminsDeps,
  admins: readonly string[],
  {
    chatOf,
    entryIn,
  }: {
    readonly chatOf: (personId: string) => Promise<ChatKey | undefined>;
    readonly entryIn: EntryIn;
  },
): Promise<number> {
  const results = await Promise.allSettled(
    admins.map(async (id) => {
      const [chat, { language: chosen, reportedLanguage }] = await Promise.all([
        chatOf(id),
        deps.access.profileOf({ id, name: id }),
      ]);
      if (chat === undefined) return false;
      const language = chosen ?? reportedLanguage;
      const entry = entryIn(localeFor(language, chat), { chat, language });
      if (entry !== undefined) await deps.post(chat, { ...entry, ...spokenIn(language) });
      return entry !== undefined;
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed)
    throw new PermanentError(`could not notify an admin: ${messageOf(failed.reason)}`, {
      cause: failed.reason,
    });
  return results.filter((result) => result.status === "fulfilled" && result.value).length;
}

const known = ({ people }: NotifyAllAdminsDeps, near: ChatKey, personId: string) =>
  people.directChat(botOf(near), personId);

/**
 * In Telegram a private chat has the person's own id, whether or not they have written to the bot;
 * elsewhere an admin must have written once.
 */
function ownChat(near: ChatKey, personId: string): ChatKey | undefined {
  const { platform, bot } = parseChatKey(near);
  const prefix = "telegram:";
  return platform === "telegram" && personId.startsWith(prefix)
    ? chatKey({ platform, bot, chat: personId.slice(prefix.length) })
    : undefined;
}

/**
 * Picks the same chat every time. Skips the terminal, which may be unattended,
 * and user-installed apps, where the bot can't write first.
 */
async function elsewhere(
  { people, connectedBots }: Pick<NotifyAllAdminsDeps, "people" | "connectedBots">,
  personId: string,
): Promise<ChatKey | undefined> {
  const chats = (await people.directChats(personId)).filter((chat) => {
    const address = parseChatKey(chat);
    return address.platform !== "console" && !isUserInstall(address);
  });
  const [bot] = await connectedBots.among(chats.map(botOf));
  return chats.find((chat) => botOf(chat) === bot);
}
