import {
  shortApprovalId,
  type ApprovalStatus,
  type ApprovalView,
} from "../core/approval.ts";
import { unreachable } from "../core/errors.ts";
import {
  approveAllData,
  approveData,
  cardOf,
  denyAllData,
  denyData,
  type Button,
  type Card,
} from "../core/outbox.ts";
import type { Words } from "../words/words.ts";
import { argumentBlocks } from "./argument-blocks.ts";
import { cutMiddle } from "./cut-middle.ts";
import { plainWords } from "./plain-words.ts";
import { visible } from "./visible-text.ts";

/** One call as its card shows it. */
export interface ShownCall {
  readonly card: Card;
  readonly status: ApprovalStatus;
  /** Empty: nobody, or nobody knows any more. */
  readonly decidedBy: string;
  readonly reason: string;
}

/** How a card is written. */
export interface CardStyle {
  /** Characters of a call's arguments; what is more is left out in the middle. */
  readonly maxArguments: number;
  /** A moment as the platform shows it in each reader's own time, in Markdown. Undefined: it has no such thing. */
  readonly moment: ((atMs: number) => string) | undefined;
  readonly words: Words;
}

export const callOf = (card: Card): ShownCall => ({
  card,
  status: "pending",
  decidedBy: "",
  reason: "",
});

export const callOfView = (view: ApprovalView): ShownCall => ({
  card: cardOf(view.approval),
  status: view.status,
  decidedBy: view.decidedBy ?? "",
  reason: view.reason ?? "",
});

type Say = Words["cards"];

const isOpen = ({ status }: ShownCall): boolean => status === "pending";

/** The card of one call in Markdown: what is to be decided, or what became of it. Pure. */
export function cardMarkdown(
  card: Card,
  outcome: string | undefined,
  style: CardStyle,
): string {
  const parts = [
    outcome === undefined ? style.words.cards.needed(tool(card)) : tool(card),
    about(card, style),
    ...shownArguments(card, style),
    outcome === undefined ? footer([callOf(card)], style) : plain(outcome),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The card of several calls, each with its number and, once it is closed, with what became of it. Pure. */
export function cardsMarkdown(
  calls: readonly ShownCall[],
  style: CardStyle,
): string {
  const open = calls.filter(isOpen);
  const say = style.words.cards;
  const parts = [
    open.length > 0 ? say.neededFor(calls.length) : say.calls(calls.length),
    ...calls.flatMap(({ card }, index) => [
      `**${index + 1}** ${tool(card)}`,
      // What a tool does is said once.
      calls.findIndex((each) => each.card.tool === card.tool) === index
        ? about(card, style)
        : "",
      ...shownArguments(card, style),
    ]),
    calls
      .flatMap((call, index) => {
        const outcome = outcomeOf(call, index + 1, say);
        return outcome === "" ? [] : [outcome];
      })
      .join("\n"),
    open.length > 0 ? footer(calls, style) : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** All that the calls are given, for what does not fit on their card. Pure. */
export const detailsMarkdown = (
  cards: readonly Card[],
  { words }: Pick<CardStyle, "words">,
): string =>
  cards
    .flatMap((card, index) => [
      words.cards.details(
        cards.length === 1 ? tool(card) : `**${index + 1}** ${tool(card)}`,
      ),
      ...fullArguments(card, words.cards),
    ])
    .join("\n\n");

/** At most `maxCallsPerCard` calls give 18 buttons. */
export function cardButtons(
  calls: readonly ShownCall[],
  { cards: say }: Pick<Words, "cards">,
): readonly Button[] {
  const [first] = calls;
  if (first === undefined) return [];
  const { approvalId } = first.card;
  if (calls.length === 1)
    return isOpen(first)
      ? [
          { label: say.approve, data: approveData(approvalId) },
          { label: say.deny, data: denyData(approvalId) },
        ]
      : [];
  const each = calls.flatMap((call, index) =>
    isOpen(call)
      ? [
          { label: `✓ ${index + 1}`, data: approveData(call.card.approvalId) },
          { label: `✗ ${index + 1}`, data: denyData(call.card.approvalId) },
        ]
      : [],
  );
  // With one call left, "all" would say too much.
  return each.length <= 2
    ? each
    : [
        { label: say.approveAll, data: approveAllData(approvalId) },
        { label: say.denyAll, data: denyAllData(approvalId) },
        ...each,
      ];
}

function shownArguments(
  card: Card,
  { maxArguments, words }: CardStyle,
): readonly string[] {
  const { characters } = words.cards;
  const blocks = fullArguments(card, words.cards);
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  if (length <= maxArguments) return blocks;
  const whole = argumentBlocks(card.arguments, characters)
    .map(({ label, text }) =>
      label === undefined ? text : `${label}:\n${text}`,
    )
    .join("\n");
  const text = cutMiddle(whole, maxArguments, characters);
  return text === whole ? blocks : [fenced(text, "")];
}

function fullArguments(card: Card, say: Say): readonly string[] {
  const blocks = argumentBlocks(card.arguments, say.characters);
  if (blocks.length === 0) return [say.noArguments];
  const shown = blocks.flatMap(({ label, language, text }) => [
    ...(label === undefined ? [] : [`${inlineCode(label)}:`]),
    fenced(text, language),
  ]);
  const isMasked = blocks.some(({ text }) => text.includes("••••"));
  return isMasked ? [...shown, say.secretsHidden] : shown;
}

/** It is quoted, and nothing in it is markup. */
const about = ({ about: sentence = "" }: Card, { words }: CardStyle): string =>
  sentence === "" ? "" : words.cards.about(plain(sentence));

const tool = (card: Card): string => inlineCode(card.tool);

const plain = (text: string): string => plainWords(visible(text, "\n"));

function footer(calls: readonly ShownCall[], style: CardStyle): string {
  const [first] = calls;
  if (first === undefined) return "";
  const { card } = first;
  const say = style.words.cards;
  const id = shortApprovalId(card.approvalId);
  const typed = calls.length === 1 ? say.typed(id) : say.typedForEach(id);
  return [
    say.decides(whoDecides(card, style.words)),
    expiry(card, style),
    typed,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

const maxNameLength = 32;
const maxReasonLength = 40;

const name = (given: string, { characters }: Say): string =>
  plain(cutMiddle(given, maxNameLength, characters));

function whoDecides(
  { approvers, requesterName }: Card,
  { cards, decisions }: Words,
): string {
  const requester = name(requesterName, cards);
  switch (approvers) {
    case "requester-or-admins":
      return decisions.orAnAdmin(requester);
    case "requester":
      return requester;
    default:
      return decisions.anAdmin;
  }
}

/** Said so that it stays true: the text does not change by itself. */
function expiry(
  { askedAtMs, expiresAtMs }: Card,
  { moment, words }: CardStyle,
): string {
  const say = words.cards;
  if (moment !== undefined) return say.expiresAt(moment(expiresAtMs));
  return askedAtMs === undefined
    ? ""
    : say.expiresIn(durationOf(expiresAtMs - askedAtMs, say));
}

function durationOf(ms: number, { lasts }: Say): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return lasts.seconds(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return lasts.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? lasts.hours(hours) : lasts.days(Math.round(hours / 24));
}

/** Empty while somebody has to decide. */
function outcomeOf(
  { status, decidedBy, reason }: ShownCall,
  number: number,
  say: Say,
): string {
  const by = name(decidedBy, say);
  switch (status) {
    case "pending":
      return "";
    case "approved":
      return by === "" ? say.approved(number) : say.approvedBy(number, by);
    case "denied": {
      const outcome = by === "" ? say.denied(number) : say.deniedBy(number, by);
      const why = plain(cutMiddle(reason, maxReasonLength, say.characters));
      return why === "" ? outcome : say.because(outcome, why);
    }
    case "expired":
      return say.expired(number);
    case "superseded":
      return say.superseded(number);
    case "cancelled":
      return say.stopped(number);
    default:
      return unreachable(status);
  }
}

function fenced(text: string, language: string): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const inlineCode = (given: string): string =>
  `\`${visible(given).replaceAll("`", "'")}\``;
