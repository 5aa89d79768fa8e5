import { findCommand } from "../commands/all-commands.ts";
import type { EditEntry } from "../core/history.ts";
import type { InboundEdit } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { maxTextLength, shownText } from "./message.ts";
import type { Outcome } from "./outcome.ts";

/** Keeps a message's new text. Edits open no turn, and people who may not write may not edit either. */
export async function keepEdit(
  deps: AcceptDeps,
  { inbound, chat, role }: Arrived<InboundEdit>,
): Promise<Outcome> {
  const { id, person, messageId, text, atMs, direct } = inbound;
  const shown = shownText(inbound);
  const isKnown = isAtLeast(role, "guest");
  if (!isKnown || shown.length > maxTextLength || isCommand(deps, text)) return { type: "ignored" };
  const entry: EditEntry = {
    kind: "edit",
    v: 2,
    id,
    edits: messageId,
    person,
    text: shown.toWellFormed(),
    ...(direct ? {} : { group: true }),
    atMs,
  };
  const appended = await deps.inbox.appendEdit(chat, entry);
  switch (appended) {
    case "accepted":
      await deps.wakeTurn(chat);
      return { type: "queued" };
    case "duplicate":
      return { type: "duplicate" };
    case "full":
    case "no change":
      return { type: "ignored" };
    default:
      return appended satisfies never;
  }
}

/** A command has to be a separate message: an edit neither runs one nor sends it to a model. */
function isCommand({ commands }: AcceptDeps, text: string): boolean {
  const [, name] = /^(?:@\S+\s+)?\/(\w{1,32})(?:@\S+)?(?:\s|$)/.exec(text) ?? [];
  return name !== undefined && findCommand(commands, name.toLowerCase()) !== undefined;
}
