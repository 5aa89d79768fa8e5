import { html } from "../html.ts";
import type { View } from "../view.ts";

export const turnView: View = {
  name: "turn",
  path: "/chats/:chat/:turn",
  isInMenu: false,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.turn.empty}</p>`),
};
