import { effectiveChain, effectiveChoices } from "../../commands/choice.ts";
import { limitLines } from "../../commands/show-limits.ts";
import { settingKinds, settingNames } from "../../commands/setting-values.ts";
import { usageLines } from "../../commands/usage.ts";
import type { ChatKey } from "../../core/chat.ts";
import { parsePersonaRef } from "../../core/persona.ts";
import { chatKeys } from "../../store/keys.ts";
import { readNewestReadable } from "../../store/turns/history.ts";
import { readTurn, type OngoingTurn } from "../../store/turns/ongoing.ts";
import { listTraces } from "../../store/traces/traces.ts";
import { visible } from "../../text/visible-text.ts";
import { answererOf, type Answerer } from "../answerer.ts";
import { chatNamed, chatPath, namesOfChats } from "../chat-link.ts";
import { turnsIn, type ChatTurn } from "../chat-turns.ts";
import { factsOf } from "../facts.ts";
import { costText, modelHtml, spanText, timeHtml } from "../format.ts";
import { html, type Html } from "../html.ts";
import { numbers, tableOf } from "../table.ts";
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
    const { store } = deps.services;
    const said = request.locale.page.chat;
    const [status, ongoing, history, traces, nameOf, isStored] = await Promise.all([
      deps.commands.status(chat),
      readTurn(store, chat),
      readNewestReadable(store, chat, maxEntries),
      listTraces(store, chat),
      namesOfChats([{ chat }], request, deps),
      store.redis.exists(chatKeys(chat).state),
    ]);
    if (isStored === 0 && history.length === 0 && ongoing === undefined) return undefined;
    const open = ongoing?.phase === "queued" ? undefined : ongoing;
    const answerer = open && (await answererOf(open, deps));
    const turns = turnsIn(history, open?.turn).slice(-maxTurns).toReversed();
    const tracedAt = new Map(traces.map(({ turn, atMs }) => [turn, atMs]));
    const asker = history.findLast(({ entry }) => entry.kind === "message")?.entry;
    const person = asker?.kind === "message" ? asker.person : undefined;
    return html`<p>
        <strong>${nameOf(chat)}</strong>
        <span class="faint">${chat}</span>
      </p>
      ${await statusOf({ chat, person, status }, request, deps)}
      <h2>${said.answers}</h2>
      ${answersOf({ chat, turns, open: open && { turn: open.turn, persona: answerer?.persona }, tracedAt }, request, deps)}`;
  },
};

async function statusOf(
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
  const name = visible(person?.name ?? "");
  const [settings, limits] = await Promise.all([
    commands.settings.read(chat),
    person === undefined ? [] : limitLines({ chat, person, locale }, commands, name),
  ]);
  const own = settingNames.flatMap((name) => {
    const value = name === "permissions" ? undefined : settingKinds[name].show(settings, locale);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const choices = effectiveChoices({ preference: {}, settings }, commands.models);
  const persona = parsePersonaRef(settings.persona)?.name ?? commands.personas.usual;
  const { queue, noTier, tier, persona: personaLine, ...say } = locale.status;
  return factsOf("about", [
    [phase, say[status.activity], ...(status.queued > 0 ? [queue(status.queued)] : [])],
    [
      model,
      choices.tier === undefined ? noTier : tier(choices.tier.value),
      say.model(effectiveChain(choices, commands.models)),
      ...(persona === undefined ? [] : [personaLine(persona)]),
    ],
    [facts.settings, ...(own.length === 0 ? [facts.usual] : own)],
    ...(limits.length > 0 ? [[facts.limits(name), ...limits] as const] : []),
    [facts.used, ...usageLines(status.usage, locale)],
  ]);
}

function answersOf(
  known: {
    readonly chat: ChatKey;
    readonly turns: readonly ChatTurn[];
    /** The one that is open. */
    readonly open: (Pick<OngoingTurn, "turn"> & Pick<Answerer, "persona">) | undefined;
    readonly tracedAt: ReadonlyMap<number, number>;
  },
  { locale, nowMs }: ViewRequest,
  { costOf }: ViewDeps,
): Html {
  const { columns, running, answers, empty } = locale.page.chat;
  const { ends } = locale.page.turn;
  const { person, time, cost, model } = locale.page.now.columns;
  return tableOf({
    caption: answers,
    empty,
    columns: [
      columns.answer,
      columns.when,
      person,
      columns.outcome,
      numbers(time),
      numbers(cost),
      model,
    ],
    rows: known.turns.map(({ turn, askedAtMs, end, usage, ...more }) => {
      const open = turn === known.open?.turn ? known.open : undefined;
      const untilMs = open ? nowMs : known.tracedAt.get(turn);
      const lasted =
        askedAtMs === undefined || untilMs === undefined ? undefined : untilMs - askedAtMs;
      return {
        cells: [
          html`<a href="${chatPath(known.chat)}/${turn}">${turn}</a>`,
          askedAtMs === undefined ? "–" : timeHtml(askedAtMs),
          visible(more.person ?? "–"),
          open ? running : end === undefined ? "–" : ends[end],
          lasted === undefined ? "–" : spanText(lasted, locale),
          costText([...usage], { costOf, locale }),
          modelHtml([...usage.keys()].join(", ") || "–", {
            persona: more.persona ?? open?.persona,
            locale,
          }),
        ],
      };
    }),
  });
}
