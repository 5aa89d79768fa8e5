import { expect } from "vitest";
import { askForNote, notesOf } from "./notes.ts";
import type { World } from "./open-world.ts";
import { longText, stopInTheMiddle } from "./previews.ts";
import type { Shown, TestChat } from "./stage.ts";
import { taken } from "./stage.ts";

/** Three people of one platform, when trouble comes. */
export interface InTrouble {
  /** Has half of an answer; `release` lets the model go on. */
  readonly running: TestChat;
  readonly text: string;
  readonly release: () => void;
  /** Has said nothing yet. */
  readonly quiet: TestChat;
  /** Has not decided this card yet. */
  readonly waiting: TestChat;
  readonly card: Shown;
}

/** Three people on each platform. */
export const threeOfEach = ({
  stages,
  model,
}: Pick<World, "stages" | "model">): Promise<readonly InTrouble[]> =>
  Promise.all(
    stages.map(async (stage) => {
      const [running, quiet, waiting] = [
        stage.direct("Ann"),
        stage.direct("Ben"),
        stage.direct("Cleo"),
      ];
      const card = await askForNote(waiting, "tea survives");
      const text = longText(`${stage.name}-`);
      const { release } = await stopInTheMiddle(model, running, text);
      return { running, quiet, waiting, card, text, release };
    }),
  );

/** What `running` and `quiet` say in the trouble. */
export function sayMore(
  { running, quiet }: Pick<InTrouble, "running" | "quiet">,
  words: string,
): void {
  running.say("say the second answer");
  quiet.say(`say ${words}`);
}

const textsOf = (chat: TestChat): string[] => chat.shown().map(({ text }) => text);

/** Everybody gets what they asked for before, during and after the trouble, once. */
export async function expectNothingLost(
  people: readonly InTrouble[],
  words: string,
): Promise<void> {
  await Promise.all(
    people.map(async ({ running, quiet, waiting, card, text }) => {
      await quiet.wait(words);
      await running.wait("the second answer");
      expect(textsOf(running)).toEqual([text, "the second answer"]);
      expect(textsOf(quiet)).toEqual([words]);
      expect(await waiting.tap(card, "Approve")).toMatch(taken);
      await waiting.wait("write_note said: Noted.");
      expect(await notesOf(waiting)).toEqual(["tea survives"]);
    }),
  );
}
