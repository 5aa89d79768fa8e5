import { createSkillReviews } from "../store/operations/skill-reviews.ts";
import { randomUUID } from "node:crypto";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { createConsoleBot } from "../bots/console/create-console-bot.ts";
import { historyFileName, openHistoryFile } from "../bots/console/receive/history-file.ts";
import { saveFilesIn } from "../bots/console/send/save-files-in.ts";
import { allCommands } from "../commands/all-commands.ts";
import { chatLeaves } from "../config/file.ts";
import { parseChatKey } from "../core/chat.ts";
import type { Accept } from "../core/inbound.ts";
import { askingEntry } from "../core/outbox.ts";
import type { Bot } from "../core/ports.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import { readChatStatus } from "../store/turns/chat-status.ts";
import { readNewest } from "../store/turns/history.ts";
import { createPersonaStore } from "../store/personas/personas.ts";
import type { Services } from "../services.ts";
import { ownVersion } from "../util/version.ts";
import { createCompletion } from "./completion.ts";
import { recapOf } from "./recap.ts";
import type { ConsoleStreams } from "./console-streams.ts";
import { consoleChat } from "./say-in-console.ts";

/** The user of the terminal. */
const person = { id: "console:local", name: "" };
const demoModel = "demo/demo";
/** The history's newest entries, of which the last remarks are shown. */
const recalledEntries = 40;

/** For an environment without `USER`; some containers have no name for their user. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** As shells write it. */
function shortened(folder: string): string {
  const way = relative(homedir(), folder);
  return way.startsWith("..") || isAbsolute(way) ? folder : join("~", way);
}

export async function consoleBot(
  services: Services,
  accept: Accept,
  { streams, models }: { readonly streams: ConsoleStreams; readonly models: ModelCatalogue },
): Promise<Bot> {
  const { settings, store, access, approvals, people } = services;
  const { dataFolder } = settings;
  const log = services.log.child({ platform: "console" });
  const activity = async () => {
    const status = await readChatStatus(store, consoleChat);
    if (status.activity === "waiting") return "waiting";
    const isQuiet = status.entries === 0 && status.undelivered === 0;
    return status.activity === "idle" && isQuiet ? "idle" : "running";
  };
  const model = models.chain("balanced").cards[0]?.id;
  const userName = streams.userName ?? systemUser();
  const completion = createCompletion({
    access,
    people,
    approvals,
    personas: createPersonaStore(store),
    models,
    skillReviews: createSkillReviews(services.store),
    schedules: services.schedules,
    limits: chatLeaves,
  });
  return createConsoleBot({
    ...streams,
    accept,
    now: () => store.clock.now(),
    commands: allCommands.map(({ spec }) => spec),
    activity,
    ...(userName === undefined ? {} : { userName }),
    saveFile: saveFilesIn(join(dataFolder, "files")),
    log,
    header: {
      version: ownVersion(),
      model: model === demoModel ? undefined : model,
      folder: shortened(dataFolder),
    },
    recap: async () => recapOf(await readNewest(store, consoleChat, recalledEntries)),
    ...(streams.isTerminal && !streams.isDumb
      ? { history: await openHistoryFile(join(dataFolder, historyFileName), log) }
      : {}),
    suggest: async (typing) =>
      await completion.complete({
        ...typing,
        asker: { person, address: parseChatKey(consoleChat), chat: consoleChat, direct: true },
      }),
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
