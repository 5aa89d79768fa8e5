import type { ApprovalStatus } from "../core/approval.ts";
import { unreachable } from "../core/errors.ts";
import { argumentLine } from "../text/argument-line.ts";
import type { Card } from "../core/outbox.ts";
import { rememberTool } from "../core/tool.ts";
import { visible } from "../text/visible-text.ts";
import { bothOf } from "../locales/deciders.ts";
import type { Locale } from "../locales/locale.ts";
import { toolTitle } from "../locales/tool-title.ts";
import { cutMiddle } from "./cut-middle.ts";
import { plainWords } from "./plain-words.ts";

/** One call as its card shows it. */
export interface ShownCall {
  readonly card: Card;
  readonly status: ApprovalStatus;
  /** The first approver, where two are required; absent: none yet. */
  readonly approvedFirst?: string;
  /** Empty: no one, or unknown. */
  readonly decidedBy: string;
  readonly reason: string;
  /**
   * Where it is decided elsewhere: its own chat, which waits; or a copy for those who decide, with who asks.
   */
  readonly relay?: { readonly type: "waits" } | { readonly type: "copy"; readonly heading: string };
}

export const isOpen = ({ status }: ShownCall): boolean => status === "pending";

/** Words that are no markup, with nothing in them that people cannot see. */
export const plain = (text: string): string => plainWords(visible(text, "\n"));

const maxNameLength = 32;

/** A person's name as cards show it. */
export const name = (given: string, { characters }: Locale["cards"]): string =>
  plain(cutMiddle(given, maxNameLength, characters));

/** Characters. */
const maxTitleLength = 60;

/** What a call does, in a few words. Nothing in it is escaped. Pure. */
export const titleOf = (card: Card, locale: Locale): string =>
  cutMiddle(toolTitle(card, locale), maxTitleLength, locale.cards.characters);

/** That its arguments are not the model's; empty where they are. */
export function changedNote(
  { changedBy, changedByOther, direct }: Card,
  say: Locale["cards"],
): string {
  if (changedBy === undefined) return "";
  if (direct && !changedByOther) return say.changedNoteOfYours;
  const by = name(changedBy, say);
  return by === "" ? say.changedNoteOfNobody : say.changedNote(by);
}

/** Empty while the call is undecided. */
export function outcomeOf(
  { card, status, approvedFirst, decidedBy, reason }: ShownCall,
  /** The call's number, or its title; and characters of a reason that are shown. */
  { what, maxReason = 40 }: { readonly what: string; readonly maxReason?: number },
  { cards: say, decisions }: Locale,
): string {
  const by = name(decidedBy, say);
  const isFact = card.tool === rememberTool;
  const first = name(approvedFirst ?? "", say);
  switch (status) {
    case "pending":
      return first === "" ? "" : say.approvedFirst(what, first);
    case "approved":
      if (isFact) return by === "" ? say.kept(what) : say.keptBy(what, by);
      return by === "" ? say.approved(what) : say.approvedBy(what, bothOf(decisions, first, by));
    case "denied": {
      if (isFact && reason === "") return say.notKept(what);
      const outcome = by === "" ? say.denied(what) : say.deniedBy(what, by);
      const why = plain(cutMiddle(reason, maxReason, say.characters));
      return why === "" ? outcome : say.because(outcome, why);
    }
    case "expired":
      return say.expired(what);
    case "superseded":
      return say.superseded(what);
    case "cancelled":
      return say.stopped(what);
    case "changed":
      return by === "" ? say.changed(what) : say.changedBy(what, by);
    default:
      return unreachable(status);
  }
}

/** Characters of a call's arguments: which of several calls it was. */
const maxLineArguments = 60;

/** The outcomes of a card's calls as a terminal shows them, a line for each; plain text. */
export const outcomeLines = (calls: readonly ShownCall[], locale: Locale): string =>
  calls.map((call) => outcomeLine(call, locale, calls.length > 1)).join("\n");

function outcomeLine(
  { card, status, reason }: ShownCall,
  locale: Locale,
  isOneOfSeveral: boolean,
): string {
  const { cards, console: say } = locale;
  const { characters } = cards;
  const given = isOneOfSeveral
    ? argumentLine(card.arguments, { characters, maxLength: maxLineArguments })
    : "";
  const mark = status === "approved" ? "✓" : status === "changed" ? "✎" : "✗";
  const outcome = status === "pending" ? "" : say.outcomes[status];
  const why = reason === "" ? "" : `: ${oneLine(reason)}`;
  if (card.tool === rememberTool && why === "" && (status === "approved" || status === "denied"))
    return (status === "approved" ? cards.kept : cards.notKept)(
      `${visible(titleOf(card, locale))} ·`,
    );
  return `${mark} ${visible(titleOf(card, locale))}${given === "" ? "" : ` (${given})`} · ${outcome}${why}`;
}

/** The same where only a sentence is left of it. */
export const outcomeText = (card: Card, outcome: string, locale: Locale): string =>
  `${visible(titleOf(card, locale))} · ${oneLine(outcome)}`;

/** For names and reasons, which people write. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
