import { browserOf, endSession } from "../../commands/dashboard.ts";
import { visible } from "../../text/visible-text.ts";
import { formButton } from "../form-button.ts";
import { timeHtml } from "../format.ts";
import { html } from "../html.ts";
import { actions, tableOf } from "../table.ts";
import type { Action, View } from "../view.ts";

const end: Action = async ({ id = "" }, { viewer, locale, commands }) => {
  const ended = await endSession({ person: viewer.person, locale }, commands, id);
  return ended === undefined
    ? { problem: locale.dashboard.endedBefore }
    : { to: "/browsers", done: "loggedOut" };
};

const others: Action = async (_, { viewer, locale, commands }) => {
  const { person, sessionId } = viewer;
  for (const { id } of await commands.page.sessions.list(person.id))
    if (id !== sessionId) await endSession({ person, locale }, commands, id);
  return { to: "/browsers", done: "loggedOut" };
};

/** Where the viewer is logged in, with a way to end each session: one of them may be stolen. */
export const browsersView: View = {
  name: "browsers",
  path: "/browsers",
  isInMenu: false,
  async read({ viewer, locale, commands }) {
    const { page } = locale;
    const said = page.browsers;
    const sessions = await commands.page.sessions.list(viewer.person.id);
    const rows = sessions.map((session) => {
      const { id, sinceMs, usedMs } = session;
      const isThis = id === viewer.sessionId;
      const name = visible(browserOf(session, locale));
      return [
        html`${name} ${isThis && html`<span class="tag">${said.this}</span>`}`,
        timeHtml(sinceMs),
        timeHtml(usedMs),
        formButton({
          to: isThis ? "/out" : "/browsers/end",
          fields: isThis ? {} : { id },
          label: page.logOut,
          about: `${name}, ${said.since} ${new Date(sinceMs).toISOString()}`,
        }),
      ];
    });
    return html`${tableOf({
      caption: page.titles.browsers,
      columns: [said.browser, said.since, said.used, actions(page)],
      rows,
    })}
    ${
      sessions.length > 1 &&
      formButton({
        to: "/browsers/others",
        fields: {},
        label: said.endOthers,
        kind: "bad",
        about: page.titles.browsers,
      })
    }`;
  },
  actions: { end, others },
};
