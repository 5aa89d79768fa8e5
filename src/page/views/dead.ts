import { chatName } from "../../access/place-name.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { dropLetter, replayLetter } from "../../delivery/settle-dead-letter.ts";
import type { Locale } from "../../locales/locale.ts";
import {
  findDeadLetter,
  kindOf,
  newestDeadLetters,
  type DeadLetter,
} from "../../store/turns/dead-letters.ts";
import { visible } from "../../text/visible-text.ts";
import { html, type Html } from "../html.ts";
import { confirmedButton, formButton, pageLinks, pageNumber, tableOf, timeAt } from "../parts.ts";
import type { Action, View, ViewDeps, ViewRequest } from "../view.ts";

/** Letters on one page. */
const pageSize = 25;

async function read({ locale, query }: ViewRequest, { services }: ViewDeps): Promise<Html> {
  const say = locale.page.dead;
  const page = pageNumber(query["page"]);
  let unreadable = 0;
  const { letters, total } = await newestDeadLetters(
    services.store,
    { from: (page - 1) * pageSize, count: pageSize },
    (problem) => {
      unreadable += 1;
      services.log.warn({ error: messageOf(problem) }, "a dead letter can't be shown");
    },
  );
  const rows = letters.map(async (letter) =>
    rowOf(letter, await chatName(services.people, letter.chat), locale),
  );
  const next = total > page * pageSize ? `/dead-letters?page=${page + 1}` : undefined;
  const first = page > 1 ? "/dead-letters" : undefined;
  return html`${
    letters.length === 0
      ? html`<p>${say.empty}</p>`
      : html`<p class="faint">${say.hidden}</p>
          ${tableOf(locale.page, {
            title: locale.page.titles.dead,
            columns: [say.when, say.where, say.what, say.why, say.tries],
            rows: await Promise.all(rows),
          })}`
  }
  ${unreadable > 0 && html`<p>${say.unreadable(unreadable)}</p>`}
  ${pageLinks(locale.page, { first, next })}`;
}

function rowOf(letter: DeadLetter, chat: string, { page: { dead: say } }: Locale): Html {
  const { id, atMs, why, cause, tries, doubtful } = letter;
  const what = kindIn(say, kindOf(letter));
  const button = { fields: { id }, about: `${what}, ${visible(chat)}` };
  return html`<tr>
    <td>${timeAt(atMs)}</td>
    <td>${visible(chat)}</td>
    <td>${what}</td>
    <td>
      ${say.reasons[why]} ${doubtful && say.doubtful}
      <span class="faint">${visible(cause)}</span>
    </td>
    <td class="number">${tries}</td>
    <td>
      ${formButton({ ...button, to: "/dead-letters/replay", label: say.replay })}
      ${confirmedButton(say.drop, {
        ...button,
        to: "/dead-letters/drop",
        label: say.dropForGood,
        kind: "bad",
      })}
    </td>
  </tr>`;
}

/** Those with a name of their own; the rest change messages that were sent. */
function kindIn({ kinds }: Locale["page"]["dead"], kind: string): string {
  if (kind === "cards") return kinds.card;
  const known = (["message", "notice", "card", "file"] as const).find((each) => each === kind);
  return kinds[known ?? "update"];
}

const settle =
  (carryOut: typeof replayLetter, done: "sentAgain" | "dropped"): Action =>
  async (fields, { viewer, locale }, { services, commands }) => {
    const say = locale.page.dead;
    try {
      const letter = await findDeadLetter(services.store, fields["id"] ?? "");
      const { wakeDelivery } = commands;
      const deps = { store: services.store, audit: services.audit, wakeDelivery };
      const isDone = letter !== undefined && (await carryOut(deps, letter, { by: viewer.person }));
      return isDone ? { to: "/dead-letters", done } : { problem: say.gone };
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      return { problem: say.broken };
    }
  };

export const deadView: View = {
  name: "dead",
  path: "/dead-letters",
  isInMenu: true,
  read,
  actions: { replay: settle(replayLetter, "sentAgain"), drop: settle(dropLetter, "dropped") },
};
