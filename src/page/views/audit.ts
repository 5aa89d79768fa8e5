import { html } from "../html.ts";
import type { View } from "../view.ts";

export const auditView: View = {
  name: "audit",
  path: "/audit",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.audit.empty}</p>`),
};
