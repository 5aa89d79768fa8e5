import type { ChatKey } from "../core/chat.ts";
import type { Card, OutboxEntry } from "../core/outbox.ts";
import type { Chunk, Sender } from "../core/ports.ts";
import type { OutboxStore } from "../store/turns/outbox.ts";
import { localeFor } from "../locales/locale-for.ts";
import { leftOutText } from "../locales/left-out-text.ts";
import type { Locale } from "../locales/locale.ts";
import { callOf, callOfView, closedOutcome } from "./card.ts";
import { cardButtons } from "./card-buttons.ts";
import { isOpen, outcomeLines, outcomeText, plain, type ShownCall } from "./card-outcome.ts";
import { askingChunks, changedChunk, closedChunk, type Renders } from "./card-chunks.ts";
import { droppedOf } from "./dropped.ts";
import type { Ledger } from "../store/turns/outbox.ts";
import type { Sending } from "./send-chunks.ts";

interface Deps {
  readonly sender: Sender;
  readonly outbox: OutboxStore;
}

type Shown = Pick<Sending, "chunks" | "buttons" | "silent" | "isFinal">;
type EntryOf<Kind extends OutboxEntry["kind"]> = OutboxEntry & { kind: Kind };

/** The same sender for a card with buttons or, where the platform refused them, without. */
function rendersOf(sender: Sender, ledger: Ledger): Renders {
  if (!droppedOf(ledger, 0).has("buttons")) return sender;
  return {
    render: (markdown, note) => sender.render(markdown, note),
    ...(sender.moment ? { moment: sender.moment.bind(sender) } : {}),
    isTyped: true,
  };
}

/** A card with buttons; undefined if it was erased. */
export async function askingOf(
  { sender, outbox }: Deps,
  entry: EntryOf<"card" | "cards">,
  ledger: Ledger,
): Promise<Shown | undefined> {
  const locale = localeFor(entry.language, sender.platform);
  const calls = entry.kind === "card" ? [callOf(entry.card)] : await callsOf(outbox, entry);
  return (
    calls && {
      chunks: await askingChunks(rendersOf(sender, ledger), calls, locale),
      buttons: cardButtons(calls, locale, sender),
      silent: entry.silent ?? false,
      isFinal: !calls.some(isOpen),
    }
  );
}

/**
 * The replacement of a message with buttons; undefined if that was never sent.
 * @param ledger of the entry: it is made to begin with that message.
 */
export async function replacementOf(
  { sender, outbox }: Deps,
  chat: ChatKey,
  entry: EntryOf<"resolution" | "cards-outcome">,
  ledger: Map<string, string>,
): Promise<Shown | undefined> {
  const locale = localeFor(entry.language, sender.platform);
  const messageId = await outbox.lastMessageOf(chat, entry);
  const said = await resolutionText(outbox, entry, { locale, wasSent: messageId !== undefined });
  if (messageId === undefined || said === undefined) return undefined;
  const calls = entry.kind === "cards-outcome" ? await callsOf(outbox, entry) : undefined;
  // Decided before it was sent, the card has shown it from the start.
  if (calls && (await outbox.wasFinal(chat, entry.of))) return undefined;
  ledger.set("m0", messageId);
  if (entry.kind === "resolution") {
    const { card, erased = false } = entry;
    const text = erased ? locale.cards.erased : said;
    if (card === undefined || sender.showsOutcomesBelow) {
      const line = card ? await outcomeBelow(outbox, card, { outcome: text, locale }) : text;
      return { chunks: listOf(sender.plain(line).at(-1)), buttons: [], silent: true };
    }
    // How it was decided is in its own record; without that the entry's sentence is all there is.
    const [call] = (await callsOf(outbox, { approvals: [card.approvalId] })) ?? [];
    const outcome =
      erased || call === undefined || isOpen(call) ? plain(text) : closedOutcome(call, locale);
    const chunk = await closedChunk(sender, { card, outcome }, locale);
    return { chunks: listOf(chunk), buttons: [], silent: true };
  }
  const isShort = sender.showsOutcomesBelow && !calls?.some(isOpen);
  const chunk =
    calls && !isShort
      ? await changedChunk(rendersOf(sender, ledger), calls, locale)
      : sender.plain(calls ? outcomeLines(calls, locale) : locale.cards.erased).at(-1);
  const buttons = cardButtons(calls ?? [], locale, sender);
  return { chunks: listOf(chunk), buttons, silent: true };
}

/** Undefined: its message shows that already. */
async function resolutionText(
  outbox: OutboxStore,
  entry: EntryOf<"resolution" | "cards-outcome">,
  { locale, wasSent }: { readonly locale: Locale; readonly wasSent: boolean },
): Promise<string | undefined> {
  if (entry.kind !== "resolution") return "";
  const { id, text, leftOut } = entry;
  if (leftOut === undefined) return text;
  const count = await outbox.countLeftOut(leftOut.of, { id, wasSent });
  if (count === "shown") return undefined;
  return count === undefined ? text : leftOutText(locale, leftOut.text, count);
}

async function outcomeBelow(
  outbox: OutboxStore,
  card: Card,
  { outcome, locale }: { readonly outcome: string; readonly locale: Locale },
): Promise<string> {
  const calls = await callsOf(outbox, { approvals: [card.approvalId] });
  return calls?.some(isOpen) === false
    ? outcomeLines(calls, locale)
    : outcomeText(card, outcome, locale);
}

const listOf = (chunk: Chunk | undefined): readonly Chunk[] => (chunk === undefined ? [] : [chunk]);

/** Undefined where any of it was erased. */
async function callsOf(
  outbox: OutboxStore,
  entry: Pick<EntryOf<"cards">, "approvals" | "heading">,
): Promise<readonly ShownCall[] | undefined> {
  const views = await outbox.asked(entry);
  const { heading } = entry;
  const copy = heading === undefined ? {} : { relay: { type: "copy", heading } as const };
  const calls = views.flatMap((view) => (view ? [{ ...callOfView(view), ...copy }] : []));
  return calls.length === views.length ? calls : undefined;
}
