import { html } from "../html.ts";
import type { View } from "../view.ts";

export const spendView: View = {
  name: "spend",
  path: "/spend",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.spend.empty}</p>`),
};
