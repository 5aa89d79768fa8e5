import { html } from "../html.ts";
import type { View } from "../view.ts";

export const approvalsView: View = {
  name: "approvals",
  path: "/approvals",
  isInMenu: true,
  read: ({ locale }) => Promise.resolve(html`<p>${locale.page.approvals.empty}</p>`),
};
