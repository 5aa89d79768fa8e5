import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createConsoleBot } from "../bots/console/create-console-bot.ts";
import { saveFilesIn } from "../bots/console/send/save-files-in.ts";
import { allCommands } from "../commands/all-commands.ts";
import type { Accept } from "../core/inbound.ts";
import { askingEntry } from "../core/outbox.ts";
import type { Bot } from "../core/ports.ts";
import { readChatStatus } from "../store/turns/chat-status.ts";
import type { Services } from "../services.ts";
import type { ConsoleStreams } from "./console-streams.ts";
import { consoleChat } from "./say-in-console.ts";

/** The user of the terminal. */
const person = { id: "console:local", name: "" };

export function consoleBot(
  { settings, store, access, log }: Services,
  accept: Accept,
  streams: ConsoleStreams,
): Bot {
  const activity = async () => {
    const status = await readChatStatus(store, consoleChat);
    if (status.activity === "waiting") return "waiting";
    const isQuiet = status.entries === 0 && status.undelivered === 0;
    return status.activity === "idle" && isQuiet ? "idle" : "running";
  };
  return createConsoleBot({
    ...streams,
    accept,
    now: () => store.clock.now(),
    commands: allCommands.map(({ spec }) => spec),
    activity,
    saveFile: saveFilesIn(join(settings.dataFolder, "files")),
    log: log.child({ platform: "console" }),
    greets: true,
    async language() {
      const { language, reportedLanguage } = await access.profileOf(person);
      return language ?? streams.locale ?? reportedLanguage;
    },
  });
}

/**
 * A reopened terminal shows nothing from before: pending approvals are asked
 * again.
 */
export async function askAgain({ approvals, post }: Services): Promise<void> {
  for (const { approval } of await approvals.shownOf(consoleChat)) {
    const entry = askingEntry([approval], {});
    await post(consoleChat, { ...entry, id: `${entry.id}-${randomUUID()}` });
  }
}
