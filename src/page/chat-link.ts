import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { chatNames } from "../store/people/chat-names.ts";
import { visible } from "../text/visible-text.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import type { ViewDeps, ViewRequest } from "./view.ts";

/** What the chats of something are called; undefined: nothing is known of the chat. */
export async function namesOfChats(
  found: readonly { readonly chat: ChatKey }[],
  { locale }: Pick<ViewRequest, "locale">,
  { services: { store, people } }: Pick<ViewDeps, "services">,
): Promise<(chat: ChatKey) => string | undefined> {
  const chats = new Set(found.map(({ chat }) => chat));
  const names = await chatNames(store, people, [...chats]);
  return (chat) => {
    const known = names.get(chat);
    if (known === undefined) return undefined;
    const name = visible(known.name);
    return known.isWriter ? locale.page.chats.group(name) : name;
  };
}

/** The address of a chat's page: a key has no character that a path cannot have. Pure. */
export const chatPath = (chat: ChatKey): string => `/chats/${chat}`;

/** A link to a chat by its name; by its key where it has none. Pure. */
export const chatLink = (chat: ChatKey, name = ""): Html =>
  name === ""
    ? html`<a href="${chatPath(chat)}">${chat}</a>`
    : html`<a href="${chatPath(chat)}">${name}</a> <span class="faint">${chat}</span>`;

/** Links to the chats that texts name; a text that names none stays as it is. */
export async function chatLinks(
  texts: readonly string[],
  request: Pick<ViewRequest, "locale">,
  deps: Pick<ViewDeps, "services">,
): Promise<readonly HtmlValue[]> {
  const chats = texts.map((text) => chatNamed(text));
  const known = chats.flatMap((chat) => (chat === undefined ? [] : [{ chat }]));
  const nameOf = await namesOfChats(known, request, deps);
  return chats.map((chat, index) =>
    chat === undefined ? visible(texts[index] ?? "") : chatLink(chat, nameOf(chat)),
  );
}

/** The chat that a path or a form names; undefined: it names none. Pure. */
export function chatNamed(text = ""): ChatKey | undefined {
  try {
    return chatKey(parseChatKey(text));
  } catch {
    // People type addresses.
    return undefined;
  }
}
