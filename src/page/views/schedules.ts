import { html } from "../html.ts";
import type { View } from "../view.ts";

export const schedulesView: View = {
  name: "schedules",
  path: "/schedules",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.schedules.empty}</p>`),
};
