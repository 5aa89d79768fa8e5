import { effectiveChain, effectiveChoices } from "../../commands/choice.ts";
import { limitLines } from "../../commands/show-limits.ts";
import { settingKinds, settingNames } from "../../commands/setting-values.ts";
import { usageLines } from "../../commands/usage.ts";
import { chatNamed, type ChatKey } from "../../core/chat.ts";
import { parsePersonaRef } from "../../core/persona.ts";
import { chatKeys } from "../../store/keys.ts";
import { readNewestReadable, type HistoryEntry } from "../../store/turns/history.ts";
import { readTurn } from "../../store/turns/ongoing.ts";
import { listTraces } from "../../store/traces/traces.ts";
import { visible } from "../../text/visible-text.ts";
import { answererOf } from "../answerer.ts";
import { chatPath, namedChats } from "../chat-link.ts";
import { turnsIn, type ChatTurn } from "../chat-turns.ts";
import { costText, modelHtml, spanText, timeHtml, unknown } from "../format.ts";
import { html } from "../html.ts";
import { type Fact, factsOf, numbers, type Row, tableOf } from "../table.ts";
import type { View, ViewContext } from "../view.ts";

/** History entries in which answers are looked for, and answers that are listed. */
const maxEntries = 400;
const maxTurns = 50;

export const chatView: View = {
  name: "chat",
  path: "/chats/:chat",
  isInMenu: false,
  async read(context) {
    const chat = chatNamed(context.params["chat"]);
    if (chat === undefined) return undefined;
    const { locale, nowMs } = context;
    const { store } = context.services;
    const [ongoing, history, traces, named, isStored] = await Promise.all([
      readTurn(store, chat),
      readNewestReadable(store, chat, maxEntries),
      listTraces(store, chat),
      namedChats([{ chat }], context),
      store.redis.exists(chatKeys(chat).state),
    ]);
    if (isStored === 0 && history.length === 0 && ongoing === undefined) return undefined;
    const open = ongoing?.phase === "queued" ? undefined : ongoing;
    const persona = open && (await answererOf(open, context)).persona;
    const tracedAt = new Map(traces.map(({ turn, atMs }) => [turn, atMs]));
    const turns = turnsIn(history, open?.turn).slice(-maxTurns).toReversed();
    const rows = turns.map((each) => {
      const isOpen = each.turn === open?.turn;
      const untilMs = isOpen ? nowMs : tracedAt.get(each.turn);
      const known = isOpen ? { persona, ...each } : each;
      return rowOf({ ...known, chat, isOpen, untilMs }, context);
    });
    const { answers, empty, columns: say } = locale.page.chat;
    const { person, time, cost, model } = locale.page.now.columns;
    return html`<p><strong>${named(chat).name}</strong> <span class="faint">${chat}</span></p>
      ${factsOf("about", await factsIn({ chat, history }, context))}
      <h2>${answers}</h2>
      ${tableOf({
        caption: answers,
        empty,
        columns: [say.answer, say.when, person, say.outcome, numbers(time), numbers(cost), model],
        rows,
      })}`;
  },
};

interface ShownTurn extends Omit<ChatTurn, "persona"> {
  readonly chat: ChatKey;
  readonly isOpen: boolean;
  /** Undefined: unknown. */
  readonly untilMs: number | undefined;
  readonly persona?: string | undefined;
}

function rowOf(
  { chat, turn, isOpen, askedAtMs, untilMs, end, usage, ...more }: ShownTurn,
  context: ViewContext,
): Row {
  const { person = unknown, persona } = more;
  const { locale } = context;
  const { page } = locale;
  const isTimed = askedAtMs !== undefined && untilMs !== undefined;
  return [
    html`<a href="${chatPath(chat)}/${turn}">${turn}</a>`,
    timeHtml(askedAtMs),
    visible(person),
    isOpen ? page.chat.running : end === undefined ? unknown : page.turn.ends[end],
    isTimed ? spanText(untilMs - askedAtMs, locale) : unknown,
    costText([...usage], context),
    modelHtml([...usage.keys()].join(", ") || unknown, persona, locale),
  ];
}

/** What is known of the chat, and of the person who has written last. */
async function factsIn(
  { chat, history }: { readonly chat: ChatKey; readonly history: readonly HistoryEntry[] },
  { locale, commands }: ViewContext,
): Promise<readonly Fact[]> {
  const { facts } = locale.page.chat;
  const { phase, model } = locale.page.now.columns;
  const written = history.findLast(({ entry }) => entry.kind === "message")?.entry;
  const person = written?.kind === "message" ? written.person : undefined;
  const name = visible(person?.name ?? "");
  const [status, settings, limits] = await Promise.all([
    commands.status(chat),
    commands.settings.read(chat),
    person === undefined ? [] : limitLines({ chat, person, locale }, commands, name),
  ]);
  const own = settingNames.flatMap((each) => {
    const value = each === "permissions" ? undefined : settingKinds[each].show(settings, locale);
    return value === undefined ? [] : [`${each}: ${value}`];
  });
  const choices = effectiveChoices({ preference: {}, settings }, commands.models);
  const persona = parsePersonaRef(settings.persona)?.name ?? commands.personas.usual;
  const { queue, noTier, tier, persona: personaLine, ...say } = locale.status;
  return [
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
  ];
}
