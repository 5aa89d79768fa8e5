import { chatNamed, type ChatKey } from "../core/chat.ts";
import { chatNames } from "../store/people/chat-names.ts";
import { visible } from "../text/visible-text.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import type { ViewContext } from "./view.ts";

export interface NamedChat {
  /** Its key, where nothing else is known of it. */
  readonly name: string;
  readonly link: Html;
}

/** What the chats of something are called, with links to them. */
export async function namedChats(
  found: readonly { readonly chat: ChatKey }[],
  { locale, services: { store, people } }: ViewContext,
): Promise<(chat: ChatKey) => NamedChat> {
  const chats = new Set(found.map(({ chat }) => chat));
  const names = await chatNames(store, people, [...chats]);
  return (chat) => {
    const known = names.get(chat);
    if (known === undefined) return { name: chat, link: chatLink(chat) };
    const visibleName = visible(known.name);
    const name = known.isWriter ? locale.page.chats.group(visibleName) : visibleName;
    return { name, link: chatLink(chat, name) };
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
  context: ViewContext,
): Promise<readonly HtmlValue[]> {
  const chats = texts.map((text) => chatNamed(text));
  const known = chats.flatMap((chat) => (chat === undefined ? [] : [{ chat }]));
  const named = await namedChats(known, context);
  return chats.map((chat, index) => (chat ? named(chat).link : visible(texts[index] ?? "")));
}
