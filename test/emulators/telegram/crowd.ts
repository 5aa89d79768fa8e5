import type { World } from "../../support/parley/open-world.ts";
import { expectAnswers } from "./answers.ts";

/** Some people in Telegram, each in their private chat, who all say the same. */
export function crowd(world: Pick<World, "telegram" | "delivered">) {
  const chats = Array.from({ length: 6 }, (_, index) => world.telegram.direct(`Person${index}`));
  const said: string[] = [];
  return {
    everybodySays: (text: string): void => {
      said.push(text);
      for (const chat of chats) chat.say(`say ${text}`);
    },
    /** Fulfils when everything was answered once, in order. */
    allAnswered: async (): Promise<void> => {
      const last = said.at(-1) ?? "";
      await Promise.all(chats.map((chat) => chat.wait(({ text }) => text.startsWith(last))));
      await world.delivered();
      for (const chat of chats) expectAnswers(chat, said);
    },
  };
}
