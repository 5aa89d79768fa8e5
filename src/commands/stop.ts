import type { Stopped } from "../store/turns/inbox.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, type Command, type CommandCall, type CommandDeps } from "./command.ts";
import { endsOnlyOf, putAfterStop, seldom, withdrawArriving, type Ending } from "./control.ts";
import { described } from "./menu.ts";

/**
 * A user who stops several things in a row reads this no more often than this.
 */
const often = { name: "stopped", perMs: 3_000 } as const;

export const stopCommand: Command = {
  spec: {
    ...described("stop", ({ stop }) => stop.description),
    aliases: ["cancel"],
  },
  role: "guest",
  isPrivate: false,
  async run(call, { inbox, wakeTurn }) {
    const { locale } = call;
    const { hasEnded, ...stopped } = await stopWork(call, { inbox, wakeTurn });
    const { nothingToStop, onlyTheirs } = locale.control;
    const { runsOnFor } = stopped;
    const text = hasEnded
      ? endedText(locale, stopped)
      : runsOnFor === undefined
        ? nothingToStop
        : onlyTheirs.stop(runsOnFor);
    return {
      ...answer(text),
      isLowPriority: true,
      atMostOnce: hasEnded ? often : seldom,
      ...(stopped.wasRunning ? { closes: "all" } : {}),
      ...(stopped.wasRunning && stopped.waiting === 0 ? { isOnCard: true } : {}),
    };
  },
};

/** Ends what runs and waits in a chat, as far as it is theirs to end. */
export async function stopWork(
  call: Ending & Pick<CommandCall, "eventId" | "dropEarlier">,
  { inbox, wakeTurn }: Pick<CommandDeps, "inbox" | "wakeTurn">,
): Promise<Stopped & { readonly hasEnded: boolean }> {
  const { chat, eventId } = call;
  // Do this first: messages accepted from now on come after the stop.
  const arriving = await withdrawArriving(call, inbox);
  const stopped = await inbox.stop(chat, eventId, endsOnlyOf(call));
  const waiting = stopped.waiting + arriving;
  const hasEnded = stopped.wasRunning || waiting > 0 || stopped.orders > 0;
  if (hasEnded) await wakeTurn(chat);
  return { ...stopped, waiting, hasEnded };
}

function endedText({ control }: Locale, { wasRunning, waiting, runsOnFor }: Stopped): string {
  if (waiting === 0) return control.stopped;
  return wasRunning || runsOnFor === undefined
    ? control.stoppedAndDropped(waiting)
    : control.dropped(waiting);
}

export const newCommand: Command = {
  spec: {
    ...described("new", (menu) => menu.new.description),
    aliases: ["reset"],
  },
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    await withdrawArriving(call, deps.inbox);
    const outcome = await putAfterStop(deps, call, {
      kind: "reset",
      v: 1,
      id: `${call.eventId}-reset`,
      atMs: deps.now(),
    });
    const { full, newConversation, newAfterAnswer } = call.locale.control;
    if (outcome.type === "full") return answer(full);
    const isLater = outcome.type === "put" && outcome.runsOnFor !== undefined;
    return isLater ? answer(newAfterAnswer) : { ...answer(newConversation), closes: "all" };
  },
};
