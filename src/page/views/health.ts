import { html } from "../html.ts";
import type { View } from "../view.ts";

export const healthView: View = {
  name: "health",
  path: "/health",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.health.empty}</p>`),
};
