import type { ChatKey } from "../core/chat.ts";
import type { Recall } from "../core/memory.ts";
import type { WindowStore } from "../store/memory/windows.ts";
import { isDamage, type ReportProblem } from "../store/unreadable.ts";
import { createIndexer } from "./index-chat.ts";
import { Meanings, type MeaningDeps as AllMeaningDeps } from "./meanings.ts";
import { catchingUp, createRecall } from "./recall.ts";

/** A chat whose vectors are missing is looked at again after this: a process may have died. Milliseconds. */
const vectorsMs = 600_000;
/** Where a limit leaves no room for them: most hold for the rest of a day or a month. Milliseconds. */
const noRoomMs = 6 * 3_600_000;

export type MeaningDeps = Omit<AllMeaningDeps, "windows">;

/** What one process has of the chats' memory. */
export interface Memory {
  readonly recall: Recall;
  /** One step of indexing keywords. @throws when the store cannot be reached. */
  readonly index: (chat: ChatKey) => Promise<"done" | "more">;
  /**
   * One batch of vectors of what is indexed; `later`: the endpoint rests. Where a limit leaves no
   * room it is `done` for hours, or until there is news. Takes at most 30 s.
   * @throws when the store cannot be reached.
   */
  readonly embed: (chat: ChatKey, signal: AbortSignal) => Promise<"done" | "more" | "later">;
  /** The chat is due again after so many milliseconds. @throws when the store cannot be reached. */
  readonly lookAgain: (chat: ChatKey, afterMs: number) => Promise<void>;
  /** There is nothing to index. */
  readonly forget: (chat: ChatKey) => Promise<void>;
  /** Whether embeddings are used, and whether they could be when they were needed last. */
  readonly embeddings: () => "none" | "used" | "failing";
}

/** An index that can't be read is reported, dropped, and made again of the history. */
export function createMemory({
  windows,
  meaning,
  report,
}: {
  readonly windows: WindowStore;
  /** Undefined: keywords alone. */
  readonly meaning: MeaningDeps | undefined;
  readonly report: ReportProblem;
}): Memory {
  const meanings = meaning && new Meanings({ windows, ...meaning });
  const recall = createRecall({ windows, meanings });
  const step = createIndexer(windows);
  const orMadeAgain = async <Result>(
    chat: ChatKey,
    untilThen: Result,
    action: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await action();
    } catch (error) {
      // Where there is no index, something else can't be read.
      if (!isDamage(error) || !(await windows.drop(chat))) throw error;
      report(chat, error);
      return untilThen;
    }
  };
  const index = (chat: ChatKey, vectorsAgainMs: number) =>
    step(chat, { vectorsAgainMs: meanings && vectorsAgainMs });
  return {
    recall: {
      find: (chat, ...given) => orMadeAgain(chat, catchingUp, () => recall.find(chat, ...given)),
    },
    index: (chat) => orMadeAgain(chat, "more", () => index(chat, vectorsMs)),
    embed: (chat, signal) =>
      orMadeAgain(chat, "more", async () => {
        const made = (await meanings?.step(chat, signal)) ?? "done";
        // A step of indexing puts the chat off, unless there is news.
        return made === "no room" ? await index(chat, noRoomMs) : made;
      }),
    lookAgain: (chat, afterMs) => windows.lookAgain(chat, afterMs),
    forget: (chat) => windows.forget(chat),
    embeddings: () => meanings?.state ?? "none",
  };
}
