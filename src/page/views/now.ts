import { html } from "../html.ts";
import type { View } from "../view.ts";

export const nowView: View = {
  name: "now",
  path: "/",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.now.empty}</p>`),
};
