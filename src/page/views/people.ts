import { html } from "../html.ts";
import type { View } from "../view.ts";

export const peopleView: View = {
  name: "people",
  path: "/people",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.people.empty}</p>`),
};
