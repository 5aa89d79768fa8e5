import type { ChatKey } from "../../core/chat.ts";
import { messageOf } from "../../core/errors.ts";
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
import { chatLink, chatNamed, chatPath, namesOfChats } from "../chat-link.ts";
import { modelHtml, spanText } from "../format.ts";
import { formButton } from "../form-button.ts";
import { html, type Html } from "../html.ts";
import { pauseNotices } from "../pause-notices.ts";
import { actions, numbers, tableOf, type Row } from "../table.ts";
import type { Action, View, ViewRequest } from "../view.ts";

/** Turns in the list. */
export const mostShown = 100;

/** Of what a live view shows: less than the second between two renderings. */
const maxAgeMs = 900;

function listOf(rows: readonly Row[], { page }: ViewRequest["locale"]): Html {
  const { person, phase, model, tool, time, cost, process } = page.now.columns;
  return tableOf({
    caption: page.titles.now,
    empty: page.now.empty,
    columns: [
      page.titles.chat,
      person,
      phase,
      model,
      tool,
      numbers(time),
      numbers(cost),
      process,
      actions(page),
    ],
    rows,
  });
}

function rowOf(
  known: {
    readonly turn: OngoingTurn;
    readonly answerer: Answerer | undefined;
    /** Of the chat. */
    readonly name: string | undefined;
    readonly process: ReadonlyMap<string, ListedProcess>;
  },
  { locale, nowMs }: ViewRequest,
): Row {
  const { turn, answerer, name } = known;
  const { chat, phase, owner, sinceMs, costUsd } = turn;
  const said = locale.page.now;
  const process = known.process.get(owner?.split(".", 1)[0] ?? "");
  return {
    id: `chat-${chat}`,
    cells: [
      chatLink(chat, name),
      visible(turn.person ?? "–"),
      phase === "queued"
        ? said.phases[phase]
        : html`<a href="${chatPath(chat)}/${turn.turn}">${said.phases[phase]}</a>`,
      modelHtml(answerer?.model ?? "", { persona: answerer?.persona, locale }),
      visible(turn.tools.join(", ")) || "–",
      sinceMs === undefined ? "–" : spanText(nowMs - sinceMs, locale),
      locale.money(costUsd),
      process === undefined ? "–" : `${process.host} (${process.pid})`,
      formButton({
        to: "/stop",
        fields: {
          chat,
          turn: turn.turn,
          ...(phase === "queued" ? { opener: turn.opener ?? "" } : {}),
        },
        label: said.stop,
        kind: "bad",
        about: name ?? chat,
      }),
    ],
  };
}

/**
 * Whether it is what a form has shown. A turn that was queued then may have got a greater number
 * since, e.g. that of an album's last picture.
 */
const isShownBy = (
  { turn: shown = "", opener = "" }: Readonly<Record<string, string>>,
  ongoing: OngoingTurn,
): boolean =>
  shown === String(ongoing.turn) ||
  (opener !== "" && opener === ongoing.opener && ongoing.turn > Number(shown));

/** Of who asked; undefined: unknown. */
async function languageIn(
  chat: ChatKey,
  { begins }: OngoingTurn,
  { store, log }: Pick<Services, "store" | "log">,
): Promise<string | undefined> {
  const report = (what: string, error: unknown): void =>
    log.warn({ what, error: messageOf(error) }, "the person of a stopped answer is unknown");
  const asked = begins?.person;
  return (asked ?? (await unlessUnreadable(report, chat, () => readRequester(store, chat))))
    ?.language;
}

/** As `/stop` of an admin in the chat: everyone's work there ends, if it is what the form has shown. */
const stop: Action = async (fields, { viewer, locale }, { services, commands }) => {
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
    text: localeFor(language).control.stoppedByAdmin,
  } as const;
  const stopped = await commands.inbox.stopTurn(chat, { turn, eventId, notice });
  if (!hasEnded(stopped)) return { problem: locale.control.nothingToStop };
  await Promise.all([commands.wakeTurn(chat), commands.wakeDelivery(chat)]);
  return { to: "/", done: "stopped" };
};

export const nowView: View = {
  name: "now",
  path: "/",
  isInMenu: true,
  isLive: true,
  async read(request, deps) {
    const { services } = deps;
    const said = request.locale.page.now;
    const [ongoing, pauses, processes] = await Promise.all([
      deps.ongoing(request.isAgain ? maxAgeMs : 0),
      services.pauses.read(),
      createProcesses(services.store).read(),
    ]);
    const { turns, total, queued, isPart } = ongoing;
    const [nameOf, answerers] = await Promise.all([
      namesOfChats(turns, request, deps),
      Promise.all(turns.map((turn) => answererOf(turn, deps))),
    ]);
    const process = new Map(processes.map((each) => [each.id, each]));
    const rows = turns.map((turn, index) =>
      rowOf({ turn, answerer: answerers[index], name: nameOf(turn.chat), process }, request),
    );
    const shown = request.locale;
    return html`${pauseNotices(pauses, shown)} ${listOf(rows, shown)}
    ${turns.length > 0 && html`<p class="faint">${shown.stats.turns(total - queued, queued)}</p>`}
    ${(isPart || total > turns.length) && html`<p class="faint">${said.part(shown.number(mostShown))}</p>`}`;
  },
  actions: { stop },
};
