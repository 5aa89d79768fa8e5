import { hasEnded, type Stopped } from "../store/turns/inbox.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, type Command, type CommandAnswer } from "./command.ts";
import { auditStop, endsOnlyOf, putAfterStop, seldom, withdrawArriving } from "./control.ts";
import { described } from "./menu.ts";

export const stopCommand: Command = {
  spec: {
    ...described("stop", ({ stop }) => stop.description),
    aliases: ["cancel"],
  },
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    const { locale, chat, eventId } = call;
    const { inbox, wakeTurn } = deps;
    // Do this first: messages accepted from now on come after the stop.
    const arriving = await withdrawArriving(deps, call);
    const found = await inbox.stop(chat, eventId, endsOnlyOf(call));
    const stopped = { ...found, waiting: found.waiting + arriving };
    const isDone = hasEnded(stopped);
    if (isDone) await wakeTurn(chat);
    // Delivered again, after a crash here, the stop has the same result again; what was withdrawn
    // has its line already.
    if (hasEnded(found)) await auditStop(deps, call);
    const { nothingToStop, onlyTheirs } = locale.control;
    const { runsOnFor } = stopped;
    const text = isDone
      ? endedText(locale, stopped)
      : runsOnFor === undefined
        ? nothingToStop
        : onlyTheirs.stop(runsOnFor);
    return {
      ...answer(text),
      isLowPriority: true,
      ...(isDone ? onceForTurn(stopped) : { atMostOnce: seldom }),
      ...(stopped.wasRunning ? { closes: "all" } : {}),
      ...(stopped.wasRunning && stopped.waiting === 0 ? { isOnCard: true } : {}),
    };
  },
};

/**
 * What ended something is answered: perhaps nothing else says so. Of stops that all end one turn a
 * user reads one answer per 3 s.
 */
const onceForTurn = ({ turn, waiting, orders }: Stopped): Pick<CommandAnswer, "atMostOnce"> =>
  turn === undefined || waiting + orders > 0
    ? {}
    : { atMostOnce: { name: `stopped-${turn}`, perMs: 3_000 } };

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
    await withdrawArriving(deps, call);
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
