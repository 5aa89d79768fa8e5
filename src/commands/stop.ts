import { answer, type Command } from "./command.ts";
import { putAfterStop } from "./control.ts";
import { described } from "./menu.ts";

export const stopCommand: Command = {
  spec: {
    ...described("stop", ({ stop }) => stop.description),
    aliases: ["cancel"],
  },
  role: "member",
  isPrivate: false,
  async run({ chat, eventId, words: { control } }, { inbox, wakeTurn }) {
    const { wasRunning, waiting, orders } = await inbox.stop(chat, eventId);
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
  role: "member",
  isPrivate: false,
  async run(call, deps) {
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
