import { whereOf, type ControlEntry, type InboxEntry, type MessageEntry } from "../core/history.ts";
import type { CommandSpec } from "../core/ports.ts";
import { isAtLeast } from "../core/roles.ts";
import { hasEnded } from "../store/turns/inbox.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described } from "./menu.ts";

type Control = ControlEntry["control"];
type Deps = Pick<CommandDeps, "inbox" | "wakeTurn">;
type EndingDeps = Deps & Pick<CommandDeps, "audit">;

/**
 * The result of a command's entry; `dropped` waiting messages will not be answered. `runsOnFor`:
 * the running turn of this person continues first.
 */
type Put =
  | {
      readonly type: "put";
      readonly dropped: number;
      readonly runsOnFor?: string;
    }
  | { readonly type: "full" }
  /** Nothing was appended: it would undo what this person has asked for. */
  | { readonly type: "not-theirs"; readonly name: string };

type Ending = Pick<CommandCall, "chat" | "person" | "direct" | "chatRole" | "eventId">;

/**
 * The person whose work alone a command ends; undefined: everyone's, in a direct chat and for
 * admins of the group.
 */
export const endsOnlyOf = ({
  person,
  direct,
  chatRole,
}: Pick<Ending, "person" | "direct" | "chatRole">): string | undefined =>
  direct || isAtLeast(chatRole, "admin") ? undefined : person.id;

/**
 * How often a user is informed that something isn't theirs to stop, or that nothing
 * runs.
 */
export const seldom = { name: "stop-in-vain", perMs: 30_000 } as const;

/** An admin of a group has ended everyone's work there; one line per command. */
export async function auditStop({ audit }: Pick<EndingDeps, "audit">, call: Ending): Promise<void> {
  const { chat, person, direct, eventId } = call;
  if (direct || endsOnlyOf(call) !== undefined) return;
  await audit.write(eventId, { action: "turn-stopped", by: person, chat });
}

/**
 * Ends what runs and appends an entry after it, both once per event: a command that is delivered
 * again must not stop what it has begun itself.
 */
export async function putAfterStop(
  deps: EndingDeps,
  call: Ending,
  entry: InboxEntry,
): Promise<Put> {
  const { chat } = call;
  const { inbox } = deps;
  if (await inbox.hasSeen(chat, entry.id)) return { type: "put", dropped: 0 };
  const of = endsOnlyOf(call);
  const stopped = await inbox.stop(chat, entry.id, of);
  // Delivered again, after a crash here, the stop has the same result again.
  if (hasEnded(stopped)) await auditStop(deps, call);
  const { waiting, runsOnFor } = stopped;
  if (runsOnFor === undefined) return await put(deps, call, entry, waiting);
  if (entry.kind === "control" && waiting === 0) return { type: "not-theirs", name: runsOnFor };
  const outcome = await put(deps, call, entry, waiting);
  return outcome.type === "put" ? { ...outcome, runsOnFor } : outcome;
}

/**
 * What is still on its way into the chat is not taken in any more, and not when it is delivered
 * again either: the process may die before it is confirmed. @returns how much that was; what has
 * got in meanwhile is for a stop to count.
 */
export async function withdrawArriving(
  deps: Pick<EndingDeps, "inbox" | "audit">,
  call: Ending & Pick<CommandCall, "dropEarlier">,
): Promise<number> {
  const { chat, dropEarlier } = call;
  const { inbox } = deps;
  const ids = dropEarlier?.(endsOnlyOf(call)) ?? [];
  // Write the audit line first: after a crash in between, there is nothing left to withdraw.
  if (ids.length > 0) await auditStop(deps, call);
  const taken = await Promise.all(ids.map((id) => inbox.markSeen(chat, id)));
  return taken.filter((isNew) => isNew).length;
}

/** Appends an entry after all running and waiting work. */
export async function put(
  { inbox, wakeTurn }: Deps,
  { chat }: Pick<CommandCall, "chat">,
  entry: InboxEntry,
  dropped = 0,
): Promise<Put> {
  const [ingested] = await Promise.all([inbox.append(chat, entry), wakeTurn(chat)]);
  return ingested === "full" ? { type: "full" } : { type: "put", dropped };
}

/** The fields of a command's entry that identify the requester. */
export const askerFields = ({ person, direct, messageId, preference, ...place }: CommandCall) => ({
  person,
  ...whereOf(place),
  ...(messageId === undefined ? {} : { messageId }),
  ...(direct ? {} : { group: true }),
  ...(Object.keys(preference).length === 0 ? {} : { preference }),
});

/** Starts a turn with a message made of what was typed. @param message.begun the answer. */
export async function startTurn(
  call: CommandCall,
  deps: Deps & Pick<CommandDeps, "now">,
  {
    begun,
    ...message
  }: Pick<MessageEntry, "id" | "text" | "auto" | "skill"> & { readonly begun: string },
): Promise<CommandAnswer> {
  const { role, placePersona, locale } = call;
  const outcome = await put(deps, call, {
    kind: "message",
    v: 1,
    ...message,
    ...askerFields(call),
    role,
    ...(placePersona === undefined ? {} : { persona: placePersona }),
    atMs: deps.now(),
  });
  if (outcome.type === "full") return answer(locale.control.full);
  return { ...answer(begun), startsTurn: true };
}

const entryOf = (control: Control, call: CommandCall, now: () => number): InboxEntry => ({
  kind: "control",
  v: 1,
  id: `${call.eventId}-${control}`,
  control,
  role: call.role,
  ...askerFields(call),
  atMs: now(),
});

/** `/retry` and `/undo`: the running turn is part of what is undone. */
function takingBack(
  control: "retry" | "undo",
  spec: CommandSpec & { readonly startsTurn: boolean },
): Command {
  return {
    spec,
    role: "member",
    isPrivate: false,
    async run(call, deps) {
      const isOwnOnly = endsOnlyOf(call) !== undefined;
      const entry = {
        ...entryOf(control, call, deps.now),
        ...(isOwnOnly ? { ownOnly: true } : {}),
      };
      const outcome = await putAfterStop(deps, call, entry);
      const { full, begun, dropped, onlyTheirs } = call.locale.control;
      if (outcome.type === "full") return answer(full);
      if (outcome.type === "not-theirs")
        return {
          ...answer(onlyTheirs[control](outcome.name)),
          atMostOnce: seldom,
        };
      // Only the worker finds out what can be done, and says so.
      const gone = outcome.dropped > 0 ? [dropped(outcome.dropped)] : [];
      return {
        ...answer([begun, ...gone].join(" ")),
        startsTurn: spec.startsTurn,
        ...(outcome.runsOnFor === undefined ? { closes: "all" } : {}),
      };
    },
  };
}

export const retryCommand = takingBack("retry", {
  ...described("retry", ({ retry }) => retry.description),
  isInOrder: true,
  startsTurn: true,
});

export const undoCommand = takingBack("undo", {
  ...described("undo", ({ undo }) => undo.description),
  isInOrder: true,
  startsTurn: false,
});

export const compactCommand: Command = {
  spec: {
    ...described("compact", ({ compact }) => compact.description),
    isInOrder: true,
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const outcome = await put(deps, call, entryOf("compact", call, deps.now));
    const { full, begun } = call.locale.control;
    return answer(outcome.type === "full" ? full : begun);
  },
};
