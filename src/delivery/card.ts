import { approverPolicies, shortApprovalId, type ApprovalView } from "../core/approval.ts";
import { cardOf, type Card } from "../core/outbox.ts";
import { deciders } from "../locales/deciders.ts";
import { span } from "../locales/span.ts";
import type { Locale } from "../locales/locale.ts";
import { argumentBlocks, type ArgumentBlock } from "./argument-blocks.ts";
import {
  changedNote,
  isOpen,
  name,
  outcomeOf,
  plain,
  titleOf,
  type ShownCall,
} from "./card-outcome.ts";
import { factLines, factOf } from "./fact-lines.ts";
import { cutMiddle } from "./cut-middle.ts";
import { scheduleLines } from "./schedule-lines.ts";
import { decisionLine } from "../text/argument-line.ts";
import { secretsIn } from "../text/hide-secrets.ts";
import { lookalikes, spelledOut } from "../text/lookalikes.ts";
import { visible } from "../text/visible-text.ts";

/** How a card is written. */
export interface CardStyle {
  /** Most characters of a call's arguments; longer ones are cut in the middle. */
  readonly maxArguments: number;
  /** It is asked about right below the card, of the only person there. */
  readonly asksBelow: boolean;
  /** It has no buttons: the platform refused them. */
  readonly isTyped?: boolean;
  /**
   * A moment as the platform shows it in each reader's own time, in Markdown. Undefined: it has no
   * such thing.
   */
  readonly moment: ((atMs: number) => string) | undefined;
  readonly locale: Locale;
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
  ...(view.approvedFirst === undefined ? {} : { approvedFirst: view.approvedFirst.name }),
  decidedBy: view.decidedBy ?? "",
  reason: view.reason ?? "",
  ...(view.approval.elsewhere === undefined ? {} : { relay: { type: "waits" } }),
});

type Say = Locale["cards"];

/** The card of one call in Markdown: the question, or its outcome. Pure. */
export function callMarkdown(call: ShownCall, style: CardStyle): string {
  const { card, approvedFirst } = call;
  const { locale } = style;
  const { cards: say } = locale;
  if (!isOpen(call))
    return joined([headingOf([call]), closedMarkdown(card, closedOutcome(call, locale), locale)]);
  return joined([
    say.needed(boldTitle(card, locale)),
    headingOf([call]),
    changedNote(card, say),
    ...shownArguments(card, style, true),
    about(card, style),
    approvedFirst === undefined ? "" : say.firstOfTwo(name(approvedFirst, say)),
    footer([call], style),
  ]);
}

/**
 * A decided call: its outcome in one line, and below it, in short, what it was about. Pure.
 * @param outcome in Markdown
 */
export const closedMarkdown = (card: Card, outcome: string, locale: Locale): string =>
  `${outcome}\n${inBrief(card, locale, maxBriefLength)}`;

/** Pure. */
export const closedOutcome = (call: ShownCall, locale: Locale): string =>
  outcomeOf(call, { what: `${boldTitle(call.card, locale)} ·`, maxReason: maxBriefLength }, locale);

/** The tool and its arguments in one line: first what says where the call went. Of a fact its text alone. */
function inBrief(card: Card, { cards: say }: Locale, maxLength: number): string {
  const shorten = (line: string): string =>
    plain(line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`);
  const fact = factOf(card, say)?.fact;
  return fact === undefined
    ? `${tool(card)} ${shorten(decisionLine(card.arguments, say))}`.trim()
    : shorten(fact.replaceAll(/\s+/g, " "));
}

/** Characters of the arguments of a closed card: of its only call, and of one of several. */
const maxBriefLength = 200;
const maxBriefOfSeveral = 60;

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("\n\n");

/** The card of several calls, each with its number and, once it is closed, its outcome. Pure. */
export function cardsMarkdown(calls: readonly ShownCall[], style: CardStyle): string {
  const { locale } = style;
  const say = locale.cards;
  const outcomes = calls.flatMap((call, index) => {
    const outcome = outcomeOf(call, { what: String(index + 1) }, locale);
    return outcome === "" ? [] : [outcome];
  });
  if (!calls.some(isOpen))
    return joined([
      say.calls(calls.length),
      headingOf(calls),
      calls
        .map(
          ({ card }, index) =>
            `**${index + 1}** ${boldTitle(card, locale)} · ${inBrief(card, locale, maxBriefOfSeveral)}`,
        )
        .join("\n"),
      outcomes.join("\n"),
    ]);
  return joined([
    say.neededFor(calls.length),
    headingOf(calls),
    ...calls.flatMap((call, index) => [
      `**${index + 1}** ${boldTitle(call.card, locale)}`,
      ...shownArguments(call.card, style, isOpen(call)),
      // What its server says of a tool is shown once.
      calls.findIndex(({ card }) => card.tool === call.card.tool) === index
        ? about(call.card, style)
        : tool(call.card),
    ]),
    outcomes.join("\n"),
    footer(calls, style),
  ]);
}

/** All arguments of the calls, for a file if they don't fit on the card. Pure. */
export const detailsMarkdown = (
  cards: readonly Card[],
  { locale: words, asksBelow }: Pick<CardStyle, "locale" | "asksBelow">,
): string =>
  cards
    .flatMap((card, index) => [
      words.cards.details(cards.length === 1 ? tool(card) : `**${index + 1}** ${tool(card)}`),
      ...fullArguments(card, { locale: words, asksBelow }, true),
    ])
    .join("\n\n");

/**
 * Cached: formatting 50,000 characters is slow, and a card is rendered up to ten times to make it
 * fit.
 */
interface Look {
  readonly characters: Say["characters"];
  readonly blocks: readonly ArgumentBlock[];
  readonly hasHidden: boolean;
  /** Ambiguous names, with their unusual letters as code points. */
  readonly lookalikes: readonly string[];
}

const looks = new WeakMap<Card, Look>();

/** What a call looks like. Pure. */
export function lookAt(card: Card, { characters }: Pick<Say, "characters">): Look {
  const known = looks.get(card);
  if (known?.characters === characters) return known;
  const look = {
    characters,
    blocks: argumentBlocks(card.arguments, characters),
    hasHidden: secretsIn(JSON.parse(card.arguments)).length > 0,
    lookalikes: lookalikes(`${card.tool} ${decoded(card.arguments)}`).map(spelledOut),
  };
  looks.set(card, look);
  return look;
}

function shownArguments(card: Card, style: CardStyle, canBeDecided: boolean): readonly string[] {
  const fact = factLines(card, style);
  if (fact !== undefined) return [...fact, ...notes(card, style, canBeDecided)];
  return [...scheduleLines(card, style.locale), ...cutArguments(card, style, canBeDecided)];
}

function cutArguments(card: Card, style: CardStyle, canBeDecided: boolean): readonly string[] {
  const { maxArguments, locale } = style;
  const { characters } = locale.cards;
  const blocks = fullArguments(card, style, canBeDecided);
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  if (length <= maxArguments) return blocks;
  const whole = lookAt(card, locale.cards)
    .blocks.map(({ label, text }) => (label === undefined ? text : `${label}:\n${text}`))
    .join("\n");
  const text = cutMiddle(whole, maxArguments, characters);
  return text === whole ? blocks : [fenced(text, "")];
}

/** @param canBeDecided only then the card says how to see masked values. */
function fullArguments(
  card: Card,
  style: Pick<CardStyle, "locale" | "asksBelow">,
  canBeDecided: boolean,
): readonly string[] {
  const say = style.locale.cards;
  const { blocks } = lookAt(card, say);
  if (blocks.length === 0) return [say.noArguments, ...warnings(card, say)];
  const shown = blocks.flatMap(({ label, language, text }) => [
    ...(label === undefined ? [] : [`${inlineCode(label)}:`]),
    fenced(text, language),
  ]);
  return [...shown, ...notes(card, style, canBeDecided)];
}

function notes(
  card: Card,
  { locale: { cards: say }, asksBelow }: Pick<CardStyle, "locale" | "asksBelow">,
  canBeDecided: boolean,
): readonly string[] {
  const how = asksBelow ? say.secretsHidden(shortApprovalId(card.approvalId)) : say.secretsMasked;
  const masked = lookAt(card, say).hasHidden && canBeDecided ? [how] : [];
  return [...masked, ...warnings(card, say)];
}

function warnings(card: Card, say: Say): readonly string[] {
  const words = lookAt(card, say).lookalikes.map(inlineCode);
  return words.length === 0 ? [] : [say.lookalikes(words.join(", "))];
}

/** Canonical JSON with its escapes undone, so that none of them is taken for a part of a word. */
const decoded = (json: string): string => json.replaceAll(/\\(?:u[0-9a-f]{4}|.)/gi, " ");

/**
 * The tool's full name and, unless the title says the same, what its server says of it: quoted, and
 * nothing in it is markup.
 */
function about(card: Card, { locale }: CardStyle): string {
  const { about: sentence = "", tool: toolName } = card;
  const isKnown = sentence === "" || Object.hasOwn(locale.toolTitles, toolName);
  return isKnown ? tool(card) : `${tool(card)} ${locale.cards.about(plain(sentence))}`;
}

/** Who asks, on a copy for those who decide elsewhere. */
function headingOf([first]: readonly ShownCall[]): string {
  return first?.relay?.type === "copy" ? plain(first.relay.heading) : "";
}

const boldTitle = (card: Card, locale: Locale): string => `**${plain(titleOf(card, locale))}**`;

const tool = (card: Card): string => inlineCode(card.tool);

function footer(calls: readonly ShownCall[], style: CardStyle): string {
  const [first] = calls;
  if (first === undefined) return "";
  const { card, relay } = first;
  const { cards: say } = style.locale;
  if (relay?.type === "waits") {
    const waits = card.approvers === "owners" ? say.waitsForOwner : say.waitsForAdmins;
    return `${waits} ${expiry(card, style)}`;
  }
  if (style.asksBelow) return expiry(card, style);
  // A copy is decided with its buttons: its id names nothing in the chat that it is shown in.
  if (relay !== undefined) return `${decides(card, style.locale)} ${expiry(card, style)}`;
  const shortId = shortApprovalId(card.approvalId);
  const id = style.isTyped ? say.typed(shortId) : say.id(shortId);
  return [decides(card, style.locale), expiry(card, style), id]
    .filter((part) => part !== "")
    .join(" ");
}

function decides(
  { approvers, persons, requesterName, direct }: Card,
  { cards: say, decisions }: Locale,
): string {
  // It was asked, so this person can decide it.
  if (direct) return say.youDecide;
  // A set that only later versions know is described by the strictest text.
  const known = approverPolicies.find((each) => each === approvers) ?? "admins";
  const requester = name(requesterName, say);
  const who = deciders(decisions, { approvers: known }, requester);
  return persons === 2 ? say.twoDecide(who) : say.decides(who);
}

/** Phrased so that it stays true, since the text isn't updated. */
function expiry({ askedAtMs, expiresAtMs }: Card, { moment, locale }: CardStyle): string {
  const say = locale.cards;
  if (moment !== undefined) return say.expiresAt(moment(expiresAtMs));
  return askedAtMs === undefined ? "" : say.expiresIn(span(expiresAtMs - askedAtMs, say));
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const inlineCode = (given: string): string => `\`${visible(given).replaceAll("`", "'")}\``;
