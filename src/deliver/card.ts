import {
  approveData,
  denyData,
  type Button,
  type Card,
} from "../core/outbox.ts";

const whoMayDecide: Record<string, (requester: string) => string> = {
  "requester-or-admins": (requester) => `${requester} or an admin`,
  requester: (requester) => requester,
  admins: () => "an admin",
};

/** An approval card in Markdown: the full tool name and all arguments, in a fence that they cannot leave. Pure. */
export function cardMarkdown(card: Card): string {
  const decides =
    whoMayDecide[card.approvers]?.(plainWords(card.requesterName)) ??
    "an admin";
  return `Approval needed: ${inlineCode(card.tool)}\n\n${fenced(pretty(card.arguments))}\n\n${decides} decides.`;
}

/** The card once it is closed. Pure. */
export function closedCardMarkdown(card: Card, outcome: string): string {
  return `${inlineCode(card.tool)}\n\n${fenced(pretty(card.arguments))}\n\n${plainWords(outcome)}`;
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}

function fenced(text: string): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

const inlineCode = (name: string): string => `\`${name.replaceAll("`", "'")}\``;

/** Names are chosen by people: nothing in them may become markup. */
const plainWords = (text: string): string =>
  text.replaceAll(/\n/g, " ").replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&");

export const cardButtons = ({ approvalId }: Card): readonly Button[] => [
  { label: "Approve", data: approveData(approvalId) },
  { label: "Deny", data: denyData(approvalId) },
];
