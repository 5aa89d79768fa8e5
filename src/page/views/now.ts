import { randomUUID } from "node:crypto";
import { effectiveChain, effectiveChoices } from "../../commands/choice.ts";
import { moment } from "../../commands/moment.ts";
import { stopWork } from "../../commands/stop.ts";
import { pauseScopes } from "../../core/pause.ts";
import { createProcesses, type ListedProcess } from "../../store/operations/processes.ts";
import { chatNames, type ChatName } from "../../store/people/chat-names.ts";
import { readOngoing, type OngoingTurn } from "../../store/turns/ongoing.ts";
import { usdText } from "../../text/amounts.ts";
import { chatLink, chatNamed, chatPath, nameOfChat, spanText } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { Action, View, ViewDeps, ViewRequest } from "../view.ts";

/** Turns in the list. */
const mostShown = 100;

export const nowView: View = {
  name: "now",
  path: "/",
  isInMenu: true,
  isLive: true,
  async read(request, deps) {
    const { services } = deps;
    const said = request.locale.page.now;
    const [ongoing, pauses, processes] = await Promise.all([
      readOngoing(services.store, mostShown),
      services.pauses.read(),
      createProcesses(services.store).read(),
    ]);
    const { turns, total, isPart } = ongoing;
    const [names, models] = await Promise.all([
      chatNames(services.store, services.people, [...new Set(turns.map(({ chat }) => chat))]),
      Promise.all(turns.map((turn) => modelOf(turn, deps))),
    ]);
    const paused = pauseScopes.flatMap((scope) => {
      const pause = pauses[scope];
      const { scopes, sinceOf } = request.locale.pause;
      return pause === undefined ? [] : [sinceOf(scopes[scope], moment(pause.sinceMs))];
    });
    const known: Known = { names, processes: new Map(processes.map((each) => [each.id, each])) };
    return html`${paused.map((line) => html`<p class="notice problem">${line}</p>`)}
    ${turns.length === 0 ? html`<p>${said.empty}</p>` : tableOf(turns, models, known, request)}
    ${turns.length > 0 && html`<p class="faint">${said.total(request.locale.number(total))}</p>`}
    ${(isPart || total > turns.length) && html`<p class="faint">${said.part(request.locale.number(mostShown))}</p>`}`;
  },
  actions: { stop: async (...given) => await stop(...given) },
};

interface Known {
  readonly names: ReadonlyMap<string, ChatName>;
  readonly processes: ReadonlyMap<string, ListedProcess>;
}

/** The one that was asked last, or that will be asked first by what person and chat have chosen. */
async function modelOf(
  { chat, model, preference }: OngoingTurn,
  { commands }: ViewDeps,
): Promise<string> {
  if (model !== undefined) return model;
  const settings = await commands.settings.read(chat);
  const chain = effectiveChain(
    effectiveChoices(preference, settings, commands.models),
    commands.models,
  );
  return chain.split(", ", 1)[0] ?? "";
}

function tableOf(
  turns: readonly OngoingTurn[],
  models: readonly string[],
  known: Known,
  request: ViewRequest,
): Html {
  const { page } = request.locale;
  const { chat } = page.titles;
  const { person, phase, model, tool, time, cost, process } = page.now.columns;
  return html`<div class="scroll" tabindex="0">
    <table class="stacked">
      <caption class="visually-hidden">
        ${page.titles.now}
      </caption>
      <thead>
        <tr>
          ${[chat, person, phase, model, tool].map((each) => html`<th scope="col">${each}</th>`)}
          ${[time, cost].map((each) => html`<th scope="col" class="number">${each}</th>`)}
          <th scope="col">${process}</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${turns.map((turn, index) => rowOf(turn, models[index] ?? "", known, request))}
      </tbody>
    </table>
  </div>`;
}

function rowOf(
  turn: OngoingTurn,
  model: string,
  { names, processes }: Known,
  { locale, nowMs }: ViewRequest,
): Html {
  const { chat, phase, owner, sinceMs, costUsd } = turn;
  const said = locale.page.now;
  const { columns } = said;
  const name = nameOfChat(names.get(chat), locale);
  const process = processes.get(owner?.split(".", 1)[0] ?? "");
  return html`<tr>
    <th scope="row">${chatLink(chat, name)}</th>
    <td data-label="${columns.person}">${turn.person ?? "–"}</td>
    <td data-label="${columns.phase}">
      ${
        turn.turn === undefined
          ? said.phases[phase]
          : html`<a href="${chatPath(chat)}/${turn.turn}">${said.phases[phase]}</a>`
      }
    </td>
    <td data-label="${columns.model}">${model}</td>
    <td data-label="${columns.tool}">${turn.tools.join(", ") || "–"}</td>
    <td class="number" data-label="${columns.time}">
      ${sinceMs === undefined ? "–" : spanText(nowMs - sinceMs, locale)}
    </td>
    <td class="number" data-label="${columns.cost}">${usdText(costUsd)}</td>
    <td data-label="${columns.process}">
      ${process === undefined ? "–" : `${process.host} (${process.pid})`}
    </td>
    <td>
      <form method="post" action="/stop">
        <input type="hidden" name="chat" value="${chat}" />
        <button class="bad" aria-label="${said.stopIn(name ?? chat)}">${said.stop}</button>
      </form>
    </td>
  </tr>`;
}

/** As `/stop` of an admin in the chat: everyone's work there ends. */
const stop: Action = async ({ chat: named }, { viewer, locale }, { commands }) => {
  const chat = chatNamed(named);
  if (chat === undefined) return { problem: locale.page.notFound };
  const { hasEnded } = await stopWork(
    {
      chat,
      person: viewer.person,
      direct: false,
      chatRole: viewer.role,
      eventId: `page-${randomUUID()}`,
      dropEarlier: undefined,
    },
    commands,
  );
  return hasEnded ? { to: "/", done: "stopped" } : { problem: locale.control.nothingToStop };
};
