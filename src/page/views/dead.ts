import { html } from "../html.ts";
import type { View } from "../view.ts";

export const deadView: View = {
  name: "dead",
  path: "/dead-letters",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.dead.empty}</p>`),
};
