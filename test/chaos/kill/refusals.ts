import { answered, ask, behind, exactly, type Scenario } from "./scenario.ts";

/** Words arrive once, without what the platform refuses of them. */
const droppedPart: Scenario = {
  name: "dropped-part",
  platform: "telegram",
  prepare: ({ chat }) => Promise.resolve(chat.refuseFormatting()),
  play: ask((tag) => `say **${tag}** is bold`),
  lines: answered((tag) => `${tag} is bold`),
};

/** A reminder of a chat that is dead rests, and is there once when the chat is alive again. */
const deadChat: Scenario = {
  name: "schedule-dead-chat",
  platform: "telegram",
  async prepare({ chat, tag }) {
    chat.say(`say ${tag} begins`);
    await chat.wait(`${tag} begins`);
  },
  async play({ chat, tag, records }) {
    chat.block();
    await records.untilDead(tag);
    const { untilItRests } = await records.schedule(tag, { type: "remind", text: `${tag} is due` });
    await untilItRests();
    chat.unblock();
    await chat.wait(`⏰ ${tag} is due`);
    chat.say(`say ${behind(tag)}`);
    await chat.wait(behind(tag));
  },
  lines: ({ tag }) => [exactly(new RegExp(`^⏰ ${tag} is due`)), exactly(behind(tag))],
};

export const refusals: readonly Scenario[] = [droppedPart, deadChat];
