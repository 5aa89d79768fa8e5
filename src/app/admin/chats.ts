import { knownChats } from "../../store/known-chats.ts";
import { parseAdminArguments, type AdminCommand } from "./admin-command.ts";

/** Every chat that something is stored of, one a line. */
export const chatsCommand: AdminCommand = {
  name: "chats",
  summary: "Lists the chats that have a history or notes",
  usage: ["chats [--json]"],
  async run({ services, printer, say }, given) {
    const { values } = parseAdminArguments(chatsCommand, given, {
      json: { type: "boolean", default: false },
    });
    const chats = [];
    for await (const chat of knownChats(services.store)) chats.push(chat);
    chats.sort();
    if (values.json) await printer.printJson(chats);
    else if (chats.length > 0) await printer.print(chats.join("\n"));
    if (chats.length === 0) say("There are no chats yet.");
    return true;
  },
};
