import { chatNamed, type ChatKey } from "../../core/chat.ts";
import { spokenIn } from "../../core/outbox.ts";
import { localeFor } from "../../locales/locale-for.ts";
import type { Services } from "../../services.ts";
import { createProcesses, type ListedProcess } from "../../store/operations/processes.ts";
import { readRequester } from "../../store/turns/chat-status.ts";
import { hasEnded } from "../../store/turns/inbox.ts";
import { readTurn, type OngoingTurn } from "../../store/turns/ongoing.ts";
import { unlessUnreadable } from "../../store/unreadable.ts";
import { visible } from "../../text/visible-text.ts";
import { answererOf, type Answerer } from "../answerer.ts";
import { chatPath, namedChats, type NamedChat } from "../chat-link.ts";
import { modelHtml, spanText, unknown } from "../format.ts";
import { formButton } from "../form-button.ts";
import { html, type Html } from "../html.ts";
import { pauseNotices } from "../pause-notices.ts";
import { reportTo } from "../report.ts";
import { actions, numbers, tableOf, type Row } from "../table.ts";
import type { Action, Fields, View, ViewContext } from "../view.ts";

/** Turns in the list. */
export const mostShown = 100;

/** Of what a live view shows: less than the second between two renderings. */
const maxAgeMs = 900;

interface Shown {
  readonly turn: OngoingTurn;
  readonly answerer: Answerer | undefined;
  readonly named: NamedChat;
  readonly process: ListedProcess | undefined;
}

function rowOf({ turn, answerer, named, process }: Shown, { locale, nowMs }: ViewContext): Row {
  const { chat, phase, sinceMs, costUsd, person = unknown, opener = "" } = turn;
  const { model = "", persona } = answerer ?? {};
  const said = locale.page.now;
  const phaseName = said.phases[phase];
  return [
    named.link,
    visible(person),
    phase === "queued"
      ? phaseName
      : html`<a href="${chatPath(chat)}/${turn.turn}">${phaseName}</a>`,
    modelHtml(model, persona, locale),
    visible(turn.tools.join(", ")) || unknown,
    sinceMs === undefined ? unknown : spanText(nowMs - sinceMs, locale),
    locale.money(costUsd),
    process === undefined ? unknown : `${process.host} (${process.pid})`,
    formButton({
      to: "/stop",
      fields: { chat, turn: turn.turn, ...(phase === "queued" ? { opener } : {}) },
      label: said.stop,
      kind: "bad",
      about: named.name,
    }),
  ];
}

/**
 * Whether it is what a form has shown. A turn that was queued then may have got a greater number
 * since, e.g. that of an album's last picture.
 */
const isShownBy = ({ turn: shown = "", opener = "" }: Fields, ongoing: OngoingTurn): boolean =>
  shown === String(ongoing.turn) ||
  (opener !== "" && opener === ongoing.opener && ongoing.turn > Number(shown));

/** Of who asked; undefined: unknown. */
async function languageIn(
  chat: ChatKey,
  { begins }: OngoingTurn,
  { store, log }: Pick<Services, "store" | "log">,
): Promise<string | undefined> {
  const report = reportTo(log, "the person of a stopped answer is unknown");
  const stored = () => unlessUnreadable(report, chat, () => readRequester(store, chat));
  return (begins?.person ?? (await stored()))?.language;
}

/** As `/stop` of an admin in the chat: everyone's work there ends, if it is what the form has shown. */
const stop: Action = async (fields, { viewer, locale, services, commands }) => {
  const chat = chatNamed(fields["chat"]);
  if (chat === undefined) return { problem: locale.page.notFound };
  const ongoing = await readTurn(services.store, chat);
  if (ongoing === undefined) return { problem: locale.control.nothingToStop };
  if (!isShownBy(fields, ongoing)) return { problem: locale.page.now.isAnother };
  // A form that is sent twice is one stop: what has been written since goes on.
  const eventId = `page-${ongoing.turn}`;
  // Write the audit line first: no one sends a form again after a crash in between.
  await services.audit.write(eventId, { action: "turn-stopped", by: viewer.person, chat });
  const language = await languageIn(chat, ongoing, services);
  const { turn, replyTo } = ongoing;
  const notice = {
    kind: "notice",
    v: 1,
    id: `${eventId}-stopped`,
    ...spokenIn(language),
    ...(replyTo === undefined ? {} : { replyTo }),
    text: localeFor(language, chat).control.stoppedByAdmin,
  } as const;
  const stopped = await commands.inbox.stopTurn(chat, { turn, eventId, notice });
  if (!hasEnded(stopped)) return { problem: locale.control.nothingToStop };
  await Promise.all([commands.wakeTurn(chat), commands.wakeDelivery(chat)]);
  return { to: "/", done: "stopped" };
};

async function read(context: ViewContext): Promise<Html> {
  const { services } = context;
  const [{ turns, total, queued, isPart }, pauses, processes] = await Promise.all([
    context.ongoing(context.isAgain ? maxAgeMs : 0),
    services.pauses.read(),
    createProcesses(services.store).read(),
  ]);
  const [named, answerers] = await Promise.all([
    namedChats(turns, context),
    Promise.all(turns.map((turn) => answererOf(turn, context))),
  ]);
  const running = new Map(processes.map((each) => [each.id, each]));
  const { locale } = context;
  const { page, stats, number } = locale;
  const { person, phase, model, tool, time, cost, process: at } = page.now.columns;
  const figures = [time, cost].map(numbers);
  return html`${pauseNotices(pauses, locale)}
  ${tableOf({
    caption: page.titles.now,
    empty: page.now.empty,
    columns: [page.titles.chat, person, phase, model, tool, ...figures, at, actions(page)],
    ids: turns.map(({ chat }) => `chat-${chat}`),
    rows: turns.map((turn, index) => {
      const process = running.get(turn.owner?.split(".", 1)[0] ?? "");
      const answerer = answerers[index];
      return rowOf({ turn, answerer, named: named(turn.chat), process }, context);
    }),
  })}
  ${turns.length > 0 && html`<p class="faint">${stats.turns(total - queued, queued)}</p>`}
  ${(isPart || total > turns.length) && html`<p class="faint">${page.now.part(number(mostShown))}</p>`}`;
}

/** What is worked on, waits and is queued, in all chats. */
export const nowView: View = {
  name: "now",
  path: "/",
  isInMenu: true,
  isLive: () => true,
  read,
  actions: { stop },
};
