import { answer, type Command } from "./command.ts";
import { droppedText, fullText, putAfterStop } from "./control.ts";

export const stopCommand: Command = {
  spec: {
    name: "stop",
    aliases: ["cancel"],
    description: "Stop what I am doing",
  },
  role: "member",
  isPrivate: false,
  async run({ chat, eventId }, { inbox, wakeTurn }) {
    const { wasRunning, waiting, orders } = await inbox.stop(chat, eventId);
    if (!wasRunning && waiting === 0 && orders === 0)
      return answer("There is nothing to stop.");
    await wakeTurn(chat);
    return answer(
      waiting === 0 ? "Stopped." : `Stopped, and ${droppedText(waiting)}`,
    );
  },
};

export const newCommand: Command = {
  spec: {
    name: "new",
    aliases: ["reset"],
    description: "Start a new conversation",
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
    return answer(
      outcome.type === "full"
        ? fullText
        : "A new conversation: I no longer see what we said before.",
    );
  },
};
