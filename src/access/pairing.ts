import {
  botOf,
  chatKey,
  parseChatKey,
  type ChatKey,
  type Person,
} from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import { spokenIn, type Button, type OutboxEntry } from "../core/outbox.ts";
import type { PeopleStore } from "../store/people.ts";
import { wordsFor } from "../words/words-for.ts";
import type { Words } from "../words/words.ts";
import type { Access } from "./access.ts";

export interface PairingDeps {
  readonly access: Access;
  readonly people: PeopleStore;
  /** Puts news into a chat's outbox, once per entry id, and wakes it. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<void>;
}

/** Buttons of a pairing card: `pa:<code>` lets in, `pd:<code>` does not. */
export const pairingButtons = (
  code: string,
  { allow, deny }: Words["pairing"],
): readonly Button[] => [
  { label: allow, data: `pa:${code}` },
  { label: deny, data: `pd:${code}` },
];

const cardId = (code: string): string => `pairing-${code}`;

/** Gives a stranger a code to show to an admin, and tells every admin who can be reached. */
export async function requestPairing(
  deps: PairingDeps,
  person: Person,
  chat: ChatKey,
): Promise<string> {
  const { code } = await deps.people.pair(person, chat);
  await tellAdmins(deps, chat, ({ pairing }) => ({
    kind: "notice",
    v: 1,
    id: cardId(code),
    text: `${pairing.asks(describe(person))}\n${pairing.code(code)}`,
    buttons: [...pairingButtons(code, pairing)],
  }));
  return wordsFor(person.language).pairing.yourCode(code);
}

export interface PairingDecision {
  /** In either case. */
  readonly code: string;
  readonly allow: boolean;
  /** The tap or command that it came with: delivered again, it is the same decision. */
  readonly eventId: string;
  readonly admin: Person;
  /** In the admin's language. */
  readonly words: Words;
}

/** @returns a sentence for the admin. */
export async function decidePairing(
  deps: PairingDeps,
  { code: given, allow, admin, eventId, words }: PairingDecision,
): Promise<string> {
  const pairing = await deps.people.decidePairing(given.toUpperCase(), eventId);
  if (pairing === undefined) return words.pairing.unknownCode;
  const { code } = pairing;
  // Whoever has become an admin since they asked stays one.
  const isAdmin = (await deps.access.roleOf(pairing.person)) === "admin";
  if (!isAdmin)
    await deps.access.setRole(pairing.person, allow ? "member" : "banned");
  const who = describe(pairing.person);
  const outcomeIn = ({ pairing: said }: Words): string => {
    if (isAdmin) return said.isAdmin(who);
    return allow ? said.allowed(who, admin.name) : said.denied(who, admin.name);
  };
  const chat = chatKey(parseChatKey(pairing.chat));
  await tellAdmins(deps, chat, (theirs) => ({
    kind: "resolution",
    v: 1,
    id: `${cardId(code)}-decided`,
    of: cardId(code),
    text: outcomeIn(theirs),
  }));
  if (allow) {
    await deps.post(chat, {
      kind: "notice",
      v: 1,
      id: `${cardId(code)}-allowed`,
      ...spokenIn(pairing.person.language),
      text: wordsFor(pairing.person.language).pairing.youMay,
    });
  }
  return outcomeIn(words);
}

/** Makes the first admin, in their direct chat: whoever can read the operator's log knows the code. Where there is an admin it is worthless. */
export async function claimBot(
  deps: PairingDeps,
  { person, chat }: { readonly person: Person; readonly chat: ChatKey },
  code: string,
): Promise<boolean> {
  if (person.anonymous || (await deps.access.admins()).length > 0) return false;
  if (!(await deps.people.claim(code.toUpperCase(), person.id))) return false;
  await deps.access.setRole(person, "admin");
  await deps.people.setDirectChat(botOf(chat), person.id, chat);
  return true;
}

async function tellAdmins(
  deps: PairingDeps,
  near: ChatKey,
  entryIn: (words: Words) => OutboxEntry,
): Promise<void> {
  const { platform, bot } = parseChatKey(near);
  const admins = await deps.access.admins();
  const chats = await Promise.all(
    admins
      .filter((id) => id.startsWith(`${platform}:`))
      .map(async (id) => {
        const [direct, { language, reportedLanguage }] = await Promise.all([
          deps.people.directChat(`${platform}:${bot}`, id),
          deps.access.profileOf({ id, name: id }),
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
  const results = await Promise.allSettled(
    chats.flatMap(({ chat, language }) =>
      chat === undefined
        ? []
        : [
            deps.post(chat, {
              ...entryIn(wordsFor(language)),
              ...spokenIn(language),
            }),
          ],
    ),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed)
    throw new PermanentError(
      `could not tell an admin: ${messageOf(failed.reason)}`,
      { cause: failed.reason },
    );
}

function describe({ name, username, id }: Person): string {
  return username === undefined
    ? `${name} (${id})`
    : `${name} (@${username}, ${id})`;
}
