import { findCommand } from "../commands/all-commands.ts";
import type { EditEntry } from "../core/history.ts";
import type { InboundEdit } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { maxTextLength } from "./message.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Puts the new text of a message that waits or is in the history into the inbox. Edits open no turn,
 * and people who may not write may not edit either.
 */
export async function keepEdit(
  deps: AcceptDeps,
  { inbound, chat, role }: Arrived<InboundEdit>,
): Promise<Outcome> {
  const { id, person, messageId, text, atMs, direct } = inbound;
  const isKnown = isAtLeast(role, "guest");
  if (!isKnown || text.length > maxTextLength || isCommand(deps, text)) return { type: "ignored" };
  const entry: EditEntry = {
    kind: "edit",
    v: 2,
    id,
    edits: messageId,
    person,
    text: text.toWellFormed(),
    ...(direct ? {} : { group: true }),
    atMs,
  };
  const { inbox } = deps;
  if (!(await inbox.isChange(chat, entry))) return { type: "ignored" };
  const [appended] = await Promise.all([inbox.append(chat, entry), deps.wakeTurn(chat)]);
  switch (appended) {
    case "accepted":
      return { type: "queued" };
    case "duplicate":
      return { type: "duplicate" };
    case "full":
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
