import { setImmediate } from "node:timers/promises";
import type { Card } from "../core/outbox.ts";
import type { Chunk, Sender } from "../core/ports.ts";
import type { Locale } from "../locales/locale.ts";
import {
  callMarkdown,
  callOf,
  cardsMarkdown,
  closedMarkdown,
  detailsMarkdown,
  type CardStyle,
} from "./card.ts";
import type { ShownCall } from "./card-outcome.ts";

/**
 * How much of the arguments the card itself shows, from all to a glimpse: the
 * first step that fits into one message is taken. The rest is sent in messages
 * above the card.
 */
const steps = [Infinity, 1_200, 500, 200, 80];

/** The longest that decisions make a card, but for names and reasons full of marks. */
const longestOutcome = {
  status: "denied",
  decidedBy: "m".repeat(64),
  reason: "m".repeat(100),
} as const;

export type Renders = Pick<Sender, "render" | "moment" | "hasForms" | "showsOutcomesBelow"> & {
  /** It has refused the buttons, so that the card says what to type. */
  readonly isTyped?: true;
};

/** The sender and its language. */
interface CardWriter {
  readonly sender: Renders;
  readonly locale: Locale;
}

/**
 * A pending card; its last chunk has the buttons. Pure: the same at every attempt, apart from
 * decisions.
 */
export async function askingChunks(
  sender: Renders,
  calls: readonly ShownCall[],
  locale: Locale,
): Promise<readonly Chunk[]> {
  const writer = { sender, locale };
  const step = await fittingStep(writer, calls);
  const card = await sender.render(asked(calls, styleOf(writer, step)));
  return step === 0
    ? card
    : [
        ...(await sender.render(
          detailsMarkdown(
            calls.map((call) => call.card),
            styleOf(writer, step),
          ),
        )),
        ...card,
      ];
}

/**
 * The replacement of a card's last chunk: while a call is pending, everything in question is shown.
 */
export async function changedChunk(
  sender: Renders,
  calls: readonly ShownCall[],
  locale: Locale,
): Promise<Chunk | undefined> {
  const writer = { sender, locale };
  return await oneChunk(writer, await fittingStep(writer, calls), (style) => asked(calls, style));
}

/** The replacement of the last chunk of one call's card, once it is closed. */
export async function closedChunk(
  sender: Renders,
  { card, outcome }: { readonly card: Card; readonly outcome: string },
  locale: Locale,
): Promise<Chunk | undefined> {
  const chunks = await sender.render(closedMarkdown(card, outcome, locale));
  return chunks[0];
}

function asked(calls: readonly ShownCall[], style: CardStyle): string {
  const [first, ...others] = calls;
  return first !== undefined && others.length === 0
    ? callMarkdown(first, style)
    : cardsMarkdown(calls, style);
}

/** The chunks above the last one, which never change, whatever was decided. */
async function fittingStep(writer: CardWriter, calls: readonly ShownCall[]): Promise<number> {
  const undecided = calls.map(({ card, relay }) => ({
    ...callOf(card),
    ...(relay === undefined ? {} : { relay }),
  }));
  const decided = undecided.map((call, index) =>
    index === 0 ? call : { ...call, ...longestOutcome },
  );
  const half = undecided.map((call) => ({
    ...call,
    approvedFirst: longestOutcome.decidedBy,
  }));
  const shapes =
    calls.length > 1 ? [undecided, decided] : [calls[0]?.card.persons === 2 ? half : undecided];
  const fits = async (each: readonly ShownCall[], step: number) => {
    // Long arguments take a while: other work runs in between.
    await setImmediate();
    const markdown = asked(each, styleOf(writer, step));
    return (await writer.sender.render(markdown)).length === 1;
  };
  const last = steps.length - 1;
  for (let step = 0; step < last; step += 1) {
    let isFitting = true;
    for (const shape of shapes) isFitting &&= await fits(shape, step);
    if (isFitting) return step;
  }
  return last;
}

async function oneChunk(
  writer: CardWriter,
  from: number,
  markdown: (style: CardStyle) => string,
): Promise<Chunk | undefined> {
  for (let step = from; ; step += 1) {
    const chunks = await writer.sender.render(markdown(styleOf(writer, step)));
    if (chunks.length === 1 || step >= steps.length - 1) return chunks.at(-1);
  }
}

const styleOf = ({ sender, locale }: CardWriter, step: number): CardStyle => ({
  maxArguments: steps[step] ?? 0,
  asksBelow: sender.showsOutcomesBelow ?? false,
  isTyped: sender.isTyped ?? false,
  moment: sender.moment?.bind(sender),
  locale,
});
