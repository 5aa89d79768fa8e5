import { html } from "../html.ts";
import type { View } from "../view.ts";

export const chatsView: View = {
  name: "chats",
  path: "/chats",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.chats.empty}</p>`),
};
