import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { PeopleStore } from "../store/people.ts";
import { wordsFor } from "../words/words-for.ts";
import type { Words } from "../words/words.ts";
import type { Access } from "./access.ts";

export interface TellAdminsDeps {
  readonly access: Pick<Access, "admins" | "profileOf">;
  readonly people: Pick<PeopleStore, "directChat">;
  /** Puts news into a chat's outbox, once per entry id, and wakes it. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<void>;
}

/** The admin's direct chat, and their language as a BCP 47 tag. */
interface AdminsChat {
  readonly chat: ChatKey;
  readonly language: string | undefined;
}

/**
 * Tells every admin who can be reached by the bot that `near` belongs to. Who gets no entry is not told.
 * @throws PermanentError where one could not be told; the others are.
 */
export async function tellAdmins(
  deps: TellAdminsDeps,
  near: ChatKey,
  entryIn: (words: Words, admins: AdminsChat) => OutboxEntry | undefined,
): Promise<void> {
  const chats = await reachable(deps, near);
  const results = await Promise.allSettled(
    chats.flatMap((admins) => {
      const { chat, language } = admins;
      const entry = entryIn(wordsFor(language), admins);
      return entry === undefined
        ? []
        : [deps.post(chat, { ...entry, ...spokenIn(language) })];
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed)
    throw new PermanentError(
      `could not tell an admin: ${messageOf(failed.reason)}`,
      { cause: failed.reason },
    );
}

async function reachable(
  { access, people }: TellAdminsDeps,
  near: ChatKey,
): Promise<readonly AdminsChat[]> {
  const { platform, bot } = parseChatKey(near);
  const admins = await access.admins();
  const chats = await Promise.all(
    admins
      .filter((id) => id.startsWith(`${platform}:`))
      .map(async (id) => {
        const [direct, { language, reportedLanguage }] = await Promise.all([
          people.directChat(`${platform}:${bot}`, id),
          access.profileOf({ id, name: id }),
        ]);
        // In Telegram a private chat has the person's own id; elsewhere an admin must have written to the bot once.
        const chat =
          direct ??
          (platform === "telegram"
            ? chatKey({ platform, bot, chat: id.slice(platform.length + 1) })
            : undefined);
        return { chat, language: language ?? reportedLanguage };
      }),
  );
  return chats.flatMap(({ chat, language }) =>
    chat === undefined ? [] : [{ chat, language }],
  );
}
