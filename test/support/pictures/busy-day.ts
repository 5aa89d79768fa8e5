import { setTimeout as sleep } from "node:timers/promises";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import type { Step } from "../../emulators/model/step.ts";
import type { DiscordStage } from "../parley/discord-stage.ts";
import type { ParleyProcess } from "../parley/parley-process.ts";
import type { Shown, TestChat } from "../parley/stage.ts";
import type { TelegramStage } from "../parley/telegram-stage.ts";
import { note, packing, split, wifi } from "./talks.ts";

export interface BusyDay {
  /** One with an answer that took a while. */
  readonly slowChat: string;
  /** Lets go of the answer that is being written. */
  end(): void;
}

/** Makes one call and gives one answer, at the price of a long conversation. */
export function busyModel(): ScriptedModel {
  const model = new ScriptedModel();
  for (const { question, call, answer } of [split, note, packing, wifi]) {
    const steps: Step[] = [
      {
        toolCalls: [call],
        firstTokenDelayMs: 600,
        usage: { inputTokens: 5_200, outputTokens: 90 },
      },
      {
        text: answer,
        chunkDelayMs: 20,
        firstTokenDelayMs: 900,
        usage: { inputTokens: 5_400, outputTokens: 260 },
      },
    ];
    model.when(
      ({ lastUserText }) => lastUserText.includes(question),
      ({ roundsSinceUser }) => steps[Math.min(roundsSinceUser, 1)] ?? {},
    );
  }
  return model;
}

/** Chats as they are when an operator looks: answered, being answered, waiting, undeliverable. */
export async function busyDay(deps: {
  readonly telegram: TelegramStage;
  readonly discord: DiscordStage;
  readonly parley: ParleyProcess;
  readonly model: ScriptedModel;
  readonly ana: TestChat;
}): Promise<BusyDay> {
  const { telegram, discord, parley, model, ana } = deps;
  const ben = telegram.direct("Ben");
  const [anaInGroup] = telegram.groupOf([ana, ben]);
  const [asking] = discord.group("Ana", "Ben");
  if (anaInGroup === undefined || asking === undefined) throw new Error("expected two groups");
  await ben.command("tier", "fast");
  ben.say(split.question);
  await ben.wait(isWhole("Calculate ✓"));
  await ana.command("role", `${ben.personId} admin`);
  await ana.command("remind", "in 20h water the plants");
  await ben.command("remind", "in 3h call Ana");
  await refuseOne({ telegram, parley }, ben);
  ana.say(note.question);
  const card = await ana.wait(isCard);
  await sleep(4_000);
  await ana.tap(card, "Approve");
  await ana.wait(isWhole("Write note ✓"));
  anaInGroup.say(note.question, { mention: true });
  await anaInGroup.wait(isCard);
  asking.say(wifi.question, { mention: true });
  await asking.wait(isCard);
  const writing = model.hold(
    ({ lastUserText, roundsSinceUser }) =>
      lastUserText.includes(packing.question) && roundsSinceUser === 1,
    { at: 16 },
  );
  ben.say(packing.question);
  await writing.waitUntilHeld();
  return {
    slowChat: `telegram:${telegram.server.bot.id}:${ana.personId.split(":")[1]}`,
    end: () => writing.release(),
  };
}

/** An answer that Telegram refuses, since the person has blocked the bot for a while. */
async function refuseOne(
  { telegram, parley }: { readonly telegram: TelegramStage; readonly parley: ParleyProcess },
  chat: TestChat,
): Promise<void> {
  const blocked = telegram.server.inject({
    chatId: Number(chat.personId.slice("telegram:".length)),
    times: Infinity,
    match: ({ method }) => /^(send|edit)Message/i.test(method),
    kind: { type: "status", code: 403, description: "Forbidden: bot was blocked by the user" },
  });
  chat.say(split.question);
  await parley.waitForLog(/^undeliverable/);
  blocked.remove();
}

const isWhole =
  (tools: string) =>
  ({ text }: Shown): boolean =>
    text.includes("\n") && text.replaceAll(/[\\*]/g, "").endsWith(tools);
const isCard = ({ buttons }: Shown): boolean => buttons.includes("Approve");
