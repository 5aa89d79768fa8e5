import type { ControlEntry, InboxEntry } from "../core/history.ts";
import type { CommandSpec } from "../core/ports.ts";
import {
  answer,
  type Command,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described } from "./menu.ts";

type Control = ControlEntry["control"];
type Deps = Pick<CommandDeps, "inbox" | "wakeTurn">;

/** What became of a command's entry; `dropped` messages were waiting and are not answered any more. */
type Put =
  | { readonly type: "put"; readonly dropped: number }
  | { readonly type: "full" };

/**
 * Ends what runs and puts an entry behind it, both once per event: a command that is delivered again must not stop what
 * it has begun itself.
 */
export async function putAfterStop(
  { inbox, wakeTurn }: Deps,
  { chat }: Pick<CommandCall, "chat">,
  entry: InboxEntry,
): Promise<Put> {
  if (await inbox.hasSeen(chat, entry.id)) return { type: "put", dropped: 0 };
  const { waiting } = await inbox.stop(chat);
  return await put({ inbox, wakeTurn }, { chat }, entry, waiting);
}

/**
 * What is still on its way into the chat is not taken in any more, and not when it is delivered again either: the process
 * may die before it is confirmed. @returns how much that was; what has got in meanwhile is for a stop to count.
 */
export async function takeBackArriving(
  { chat, dropEarlier }: Pick<CommandCall, "chat" | "dropEarlier">,
  inbox: Deps["inbox"],
): Promise<number> {
  const ids = dropEarlier?.() ?? [];
  const taken = await Promise.all(ids.map((id) => inbox.markSeen(chat, id)));
  return taken.filter((isNew) => isNew).length;
}

/** Puts an entry behind whatever runs and waits. */
export async function put(
  { inbox, wakeTurn }: Deps,
  { chat }: Pick<CommandCall, "chat">,
  entry: InboxEntry,
  dropped = 0,
): Promise<Put> {
  const [ingested] = await Promise.all([
    inbox.append(chat, entry),
    wakeTurn(chat),
  ]);
  return ingested === "full" ? { type: "full" } : { type: "put", dropped };
}

/** What an entry of a command says of who asked. */
export const askerFields = ({
  person,
  direct,
  messageId,
  preference,
}: CommandCall) => ({
  person,
  ...(messageId === undefined ? {} : { messageId }),
  ...(direct ? {} : { group: true }),
  ...(Object.keys(preference).length === 0 ? {} : { preference }),
});

const entryOf = (
  control: Control,
  call: CommandCall,
  now: () => number,
): InboxEntry => ({
  kind: "control",
  v: 1,
  id: `${call.eventId}-${control}`,
  control,
  role: call.role,
  ...askerFields(call),
  atMs: now(),
});

/** `/retry` and `/undo`: what runs now is part of what is taken back. */
function takingBack(
  control: Control,
  spec: CommandSpec & { readonly startsTurn: boolean },
): Command {
  return {
    spec,
    role: "member",
    isPrivate: false,
    async run(call, deps) {
      const entry = entryOf(control, call, deps.now);
      const outcome = await putAfterStop(deps, call, entry);
      const { full, begun, dropped } = call.words.control;
      if (outcome.type === "full") return answer(full);
      // Only the worker finds out what can be done, and says so.
      const gone = outcome.dropped > 0 ? [dropped(outcome.dropped)] : [];
      return {
        ...answer([begun, ...gone].join(" ")),
        startsTurn: spec.startsTurn,
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
    const { full, begun } = call.words.control;
    return answer(outcome.type === "full" ? full : begun);
  },
};
