import type { Records } from "./records.ts";
import type { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import type { TestChat } from "../../support/parley/stage.ts";

/** One conversation with its own person; `tag` is in everything that is said. */
export interface Act {
  readonly chat: TestChat;
  readonly tag: string;
  readonly model: ScriptedModel;
  readonly records: Pick<Records, "schedule" | "untilDead" | "chatWith" | "memory">;
}

/** A message that a person has before their eyes in the end, exactly once. */
export interface Line {
  readonly reads: string | RegExp;
  /** It may as well not be there, and stands wherever it does. */
  readonly optional?: boolean;
  /**
   * News beside the answers, which may stand above or below the message in which the answer grows.
   */
  readonly anywhere?: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly platform: TestChat["platform"];
  /** More of `parley.yaml`. */
  readonly config?: string;
  /** Errors that it leads to by itself, as they are logged. */
  readonly tolerates?: readonly RegExp[];
  /** For the model that all conversations share. */
  readonly script?: (model: ScriptedModel) => void;
  /** What lies before the turn that is cut. */
  readonly prepare?: (act: Act) => Promise<void>;
  /** All that the person does; fulfils when they see the last answer. */
  readonly play: (act: Act) => Promise<void>;
  /** What is wrong with what is stored in the end; empty: nothing. */
  readonly left?: (act: Act) => Promise<readonly string[]>;
  /** In this order. */
  readonly lines: (act: Pick<Act, "tag">) => readonly Line[];
  /**
   * The tool that the turn calls, as the ledger counts: once, once for every key, or any number of
   * times.
   */
  readonly tool?: {
    readonly name: string;
    readonly effect: "once" | "keyed" | "read";
  };
}

export const behind = (tag: string): string => `${tag} behind`;
export const exactly = (reads: string | RegExp): Line => ({ reads });

/** Says it, and something else right behind it, which is answered last. */
export const ask =
  (first: (tag: string) => string) =>
  async ({ chat, tag }: Act): Promise<void> => {
    chat.say(first(tag));
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  };

export const answered =
  (answer: (tag: string) => string | RegExp) =>
  ({ tag }: Pick<Act, "tag">): readonly Line[] => [exactly(answer(tag)), exactly(behind(tag))];
