import { answer, type Command } from "./command.ts";

export const stopCommand: Command = {
  spec: {
    name: "stop",
    aliases: ["cancel"],
    description: "Stop what I am doing",
  },
  role: "member",
  isPrivate: false,
  async run({ chat }, { inbox, wakeTurn }) {
    const { wasRunning, waiting } = await inbox.stop(chat);
    if (!wasRunning && waiting === 0)
      return answer("There is nothing to stop.");
    await wakeTurn(chat);
    return answer(
      waiting === 0
        ? "Stopped."
        : `Stopped, and ${waiting} waiting ${waiting === 1 ? "message" : "messages"} dropped.`,
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
  async run({ chat, eventId }, { inbox, wakeTurn, now }) {
    await inbox.stop(chat);
    const written = inbox.append(chat, {
      kind: "reset",
      v: 1,
      id: `${eventId}-reset`,
      atMs: now(),
    });
    await Promise.all([written, wakeTurn(chat)]);
    return answer("A new conversation: I no longer see what we said before.");
  },
};
