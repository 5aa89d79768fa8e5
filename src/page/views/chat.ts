import { effectiveChain, effectiveChoices } from "../../commands/choice.ts";
import { limitLines } from "../../commands/show-limits.ts";
import { settingKinds, settingNames } from "../../commands/setting-values.ts";
import { usageLines } from "../../commands/usage.ts";
import type { ChatKey } from "../../core/chat.ts";
import { parsePersonaRef } from "../../core/persona.ts";
import { chatNames } from "../../store/people/chat-names.ts";
import { readNewest } from "../../store/turns/history.ts";
import { readTurn } from "../../store/turns/ongoing.ts";
import { listTraces } from "../../store/traces/traces.ts";
import { turnsIn, type ChatTurn } from "../chat-turns.ts";
import { chatNamed, chatPath, costText, nameOfChat, spanText, timeHtml } from "../format.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import type { View, ViewDeps, ViewRequest } from "../view.ts";

/** History entries in which answers are looked for, and answers that are listed. */
const maxEntries = 400;
const maxTurns = 50;

export const chatView: View = {
  name: "chat",
  path: "/chats/:chat",
  isInMenu: false,
  async read(request, deps) {
    const chat = chatNamed(request.params["chat"]);
    if (chat === undefined) return undefined;
    const { store, people } = deps.services;
    const said = request.locale.page.chat;
    const [status, open, history, traces, names] = await Promise.all([
      deps.commands.status(chat),
      readTurn(store, chat),
      readNewest(store, chat, maxEntries),
      listTraces(store, chat),
      chatNames(store, people, [chat]),
    ]);
    if (history.length === 0 && status.usage.turns === 0 && open === undefined) return undefined;
    const turns = turnsIn(history, open?.turn).slice(-maxTurns).toReversed();
    const tracedAt = new Map(traces.map(({ turn, atMs }) => [turn, atMs]));
    const asker = history.findLast(({ entry }) => entry.kind === "message")?.entry;
    const person = asker?.kind === "message" ? asker.person : undefined;
    return html`<p>
        <strong>${nameOfChat(names.get(chat), request.locale) ?? ""}</strong>
        <span class="faint">${chat}</span>
      </p>
      ${await factsOf({ chat, person, status }, request, deps)}
      <h2>${said.answers}</h2>
      ${
        turns.length === 0
          ? html`<p>${said.empty}</p>`
          : tableOf({ chat, turns, open: open?.turn, tracedAt }, request, deps)
      }`;
  },
};

async function factsOf(
  {
    chat,
    person,
    status,
  }: {
    readonly chat: ChatKey;
    readonly person: { readonly id: string; readonly name: string } | undefined;
    readonly status: Awaited<ReturnType<ViewDeps["commands"]["status"]>>;
  },
  { locale }: ViewRequest,
  { commands }: ViewDeps,
): Promise<Html> {
  const { facts } = locale.page.chat;
  const { phase, model } = locale.page.now.columns;
  const [settings, limits] = await Promise.all([
    commands.settings.read(chat),
    person === undefined ? [] : limitLines({ chat, person, locale }, commands),
  ]);
  const own = settingNames.flatMap((name) => {
    const value = name === "permissions" ? undefined : settingKinds[name].show(settings);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const choices = effectiveChoices({}, settings, commands.models);
  const persona = parsePersonaRef(settings.persona)?.name ?? commands.personas.usual;
  return html`<dl class="about">
    ${fact(phase, [
      locale.status[status.activity],
      ...(status.queued > 0 ? [locale.status.queue(status.queued)] : []),
    ])}
    ${fact(model, [
      choices.tier === undefined ? locale.status.noTier : locale.status.tier(choices.tier.value),
      locale.status.model(effectiveChain(choices, commands.models)),
      ...(persona === undefined ? [] : [locale.status.persona(persona)]),
    ])}
    ${fact(facts.settings, own.length === 0 ? [facts.usual] : own)}
    ${limits.length > 0 && fact(facts.limits(person?.name ?? ""), limits)}
    ${fact(facts.used, usageLines(status.usage, locale))}
  </dl>`;
}

const fact = (name: string, lines: readonly HtmlValue[]): Html =>
  html`<dt>${name}</dt>
    ${lines.map((line) => html`<dd>${line}</dd>`)}`;

function tableOf(
  known: {
    readonly chat: ChatKey;
    readonly turns: readonly ChatTurn[];
    /** The number of the one that is open. */
    readonly open: number | undefined;
    readonly tracedAt: ReadonlyMap<number, number>;
  },
  { locale, nowMs }: ViewRequest,
  { costOf }: ViewDeps,
): Html {
  const { columns, running } = locale.page.chat;
  const { ends } = locale.page.turn;
  const { answer, when, outcome } = columns;
  const { person, time, cost, model } = locale.page.now.columns;
  return html`<div class="scroll" tabindex="0">
    <table>
      <caption class="visually-hidden">
        ${locale.page.chat.answers}
      </caption>
      <thead>
        <tr>
          ${[answer, when, person, outcome].map((each) => html`<th scope="col">${each}</th>`)}
          ${[time, cost].map((each) => html`<th scope="col" class="number">${each}</th>`)}
          <th scope="col">${model}</th>
        </tr>
      </thead>
      <tbody>
        ${known.turns.map(({ turn, askedAtMs, end, usage, ...more }) => {
          const untilMs = turn === known.open ? nowMs : known.tracedAt.get(turn);
          const lasted =
            askedAtMs === undefined || untilMs === undefined ? undefined : untilMs - askedAtMs;
          const state = turn === known.open ? running : end === undefined ? "–" : ends[end];
          return html`<tr>
            <th scope="row"><a href="${chatPath(known.chat)}/${turn}">${turn}</a></th>
            <td>${askedAtMs === undefined ? "–" : timeHtml(askedAtMs)}</td>
            <td>${more.person ?? "–"}</td>
            <td>${state}</td>
            <td class="number">${lasted === undefined ? "–" : spanText(lasted, locale)}</td>
            <td class="number">${costText([...usage], costOf)}</td>
            <td>${[...usage.keys()].join(", ") || "–"}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
