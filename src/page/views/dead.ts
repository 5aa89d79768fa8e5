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
import { namedChats, type NamedChat } from "../chat-link.ts";
import { confirmedButton, formButton } from "../form-button.ts";
import { timeHtml } from "../format.ts";
import { html, type Html } from "../html.ts";
import { pageLinks, pageNumber } from "../links.ts";
import { actions, numbers, tableOf, type Row } from "../table.ts";
import type { Action, View, ViewContext } from "../view.ts";

/** Letters on one page. */
const pageSize = 25;

async function read(context: ViewContext): Promise<Html> {
  const { locale, query } = context;
  const { store, log } = context.services;
  const { page: said } = locale;
  const page = pageNumber(query["page"]);
  let unreadable = 0;
  const from = (page - 1) * pageSize;
  const found = await newestDeadLetters(store, { from, count: pageSize }, (problem) => {
    unreadable += 1;
    log.warn({ error: messageOf(problem) }, "a dead letter can't be shown");
  });
  const { letters, total } = found;
  const named = await namedChats(letters, context);
  const say = said.dead;
  return html`${letters.length > 0 && html`<p class="faint">${say.hidden}</p>`}
  ${tableOf({
    caption: said.titles.dead,
    empty: say.empty,
    columns: [say.when, say.where, say.what, say.why, numbers(say.tries), actions(said)],
    rows: letters.map((letter) => rowOf(letter, named(letter.chat), locale)),
  })}
  ${unreadable > 0 && html`<p>${say.unreadable(unreadable)}</p>`}
  ${pageLinks(said, {
    first: page > 1 && "/dead-letters",
    next: total > page * pageSize && `/dead-letters?page=${page + 1}`,
  })}`;
}

function rowOf(
  letter: DeadLetter,
  { name, link }: NamedChat,
  { page: { dead: say }, delivery }: Locale,
): Row {
  const { id, atMs, why, cause, reason, tries, doubtful } = letter;
  const what = kindIn(say, kindOf(letter));
  const button = { fields: { id }, about: `${what}, ${name}` };
  const drop = { to: "/dead-letters/drop", label: say.dropForGood, kind: "bad" } as const;
  return [
    timeHtml(atMs),
    link,
    what,
    html`${say.reasons[why]} ${reason && delivery.why[reason]} ${doubtful && say.doubtful}
      <span class="faint">${visible(cause)}</span>`,
    tries,
    [
      formButton({ ...button, to: "/dead-letters/replay", label: say.replay }),
      confirmedButton(say.drop, { ...button, ...drop }),
    ],
  ];
}

/** Those with a name of their own; the rest change messages that were sent. */
function kindIn({ kinds }: Locale["page"]["dead"], kind: string): string {
  if (kind === "cards") return kinds.card;
  const known = (["message", "notice", "card", "file"] as const).find((each) => each === kind);
  return kinds[known ?? "update"];
}

const settle =
  (carryOut: typeof replayLetter, done: "sentAgain" | "dropped"): Action =>
  async (fields, { viewer, locale, services, commands }) => {
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
