import { answer, type Command } from "./command.ts";
import { putAfterStop, takeBackArriving } from "./control.ts";
import { described } from "./menu.ts";

export const stopCommand: Command = {
  spec: {
    ...described("stop", ({ stop }) => stop.description),
    aliases: ["cancel"],
  },
  role: "guest",
  isPrivate: false,
  async run(
    { chat, eventId, dropEarlier, words: { control } },
    { inbox, wakeTurn },
  ) {
    // First: what is taken in from now on stands behind the stop.
    const arriving = await takeBackArriving({ chat, dropEarlier }, inbox);
    const stopped = await inbox.stop(chat, eventId);
    const { wasRunning, orders } = stopped;
    const waiting = stopped.waiting + arriving;
    if (!wasRunning && waiting === 0 && orders === 0)
      return answer(control.nothingToStop);
    await wakeTurn(chat);
    return answer(
      waiting === 0 ? control.stopped : control.stoppedAndDropped(waiting),
    );
  },
};

export const newCommand: Command = {
  spec: {
    ...described("new", (menu) => menu.new.description),
    aliases: ["reset"],
  },
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    await takeBackArriving(call, deps.inbox);
    const outcome = await putAfterStop(deps, call, {
      kind: "reset",
      v: 1,
      id: `${call.eventId}-reset`,
      atMs: deps.now(),
    });
    const { full, newConversation } = call.words.control;
    return answer(outcome.type === "full" ? full : newConversation);
  },
};
