import { messageOf } from "../../core/errors.ts";
import { namesIn } from "../../store/people/chat-people.ts";
import { knownChats } from "../../store/turns/known-chats.ts";
import { parseAdminArguments, type AdminCommand } from "./admin-command.ts";

/**
 * Every chat that something is stored of, one a line, with the names of those who wrote there
 * lately.
 */
export const chatsCommand: AdminCommand = {
  name: "chats",
  summary: "List all chats with a history or notes",
  usage: ["chats [--json]"],
  async run({ services, printer, say }, given) {
    const { values } = parseAdminArguments(chatsCommand, given, {
      json: { type: "boolean", default: false },
    });
    const { store } = services;
    const chats = [];
    for await (const chat of knownChats(store)) chats.push(chat);
    chats.sort();
    if (values.json) await printer.printJson(chats);
    else
      for (const chat of chats) {
        if (printer.isClosed) break;
        const names = await namesIn(store, chat).catch((error: unknown) => {
          say(`${chat}: ${messageOf(error)}`);
          return [];
        });
        await printer.print([chat, names.join(", ")].join("  ").trim());
      }
    if (chats.length === 0) say("There are no chats yet.");
    return true;
  },
};
