import { chatKey, type ChatKey } from "../../src/core/chat.ts";
import { answerEntryId } from "../../src/core/outbox.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";
import { inEveryChat } from "../support/in-every-chat.ts";

/** As the product has them by default, in ms. */
const leaseMs = 6_000;
const retentionMs = 90 * 86_400_000;

const question =
  "Could you tell me in a few sentences how a sundial has to be set up so that it shows the right time?";
const answer =
  "A sundial shows the right time when its gnomon, the part that casts the shadow, points to the celestial pole: tilt it " +
  "by your latitude and turn it to true north, not to the north of a compass. The hour lines then belong to your place. " +
  "What remains is the equation of time, up to a quarter of an hour over the year, and the difference between your " +
  "longitude and that of your time zone, four minutes for each degree.";
const model = "openai/gpt-5-mini";
const inputTokens = 350;
const outputTokens = 110;

/** The chat with this number; Telegram's numbers have about ten digits. */
export const idleChat = (index: number): ChatKey =>
  chatKey({
    platform: "telegram",
    bot: "7700000001",
    chat: String(5_000_000_000 + index),
  });

/**
 * Leaves this many chats behind, each as after one question, its answer and the delivery; `say`
 * hears of every tenth.
 */
export async function leaveChats(
  store: Store,
  { chats, say }: { chats: number; say: (line: string) => void },
): Promise<void> {
  await inEveryChat({ chats, say }, conversation(store));
}

/** One question and its answer, by the same functions as in a process of Parley. */
function conversation(store: Store): (index: number) => Promise<void> {
  const inbox = createInbox(store);
  const turns = createTurnStore({ store, leaseMs, retentionMs, openTurn });
  const outbox = createOutboxStore(store, leaseMs);
  return async (index) => {
    const chat = idleChat(index);
    await inbox.append(chat, {
      kind: "message",
      v: 1,
      id: `u${900_000_000 + index}`,
      messageId: "101",
      person: { id: `telegram:${5_000_000_000 + index}`, name: "Somebody" },
      text: question,
      atMs: Date.now(),
    });
    const begun = await turns.begin(chat);
    if (begun.type !== "begun" || begun.state === undefined)
      throw new Error(`${chat}: expected a turn, found ${begun.type}`);
    const { turn } = begun.state;
    const id = answerEntryId({ turn });
    const committed = await turns.commit(begun.session, begun.revision, {
      state: undefined,
      turn,
      append: [
        {
          kind: "assistant",
          v: 1,
          turn,
          round: 1,
          model,
          text: answer,
          calls: [],
        },
      ],
      outbox: [{ kind: "message", v: 1, id, text: answer }],
      release: {},
      usage: {
        turns: 1,
        modelCalls: 1,
        inputTokens,
        outputTokens,
        models: {
          [model]: { requests: 1, inputTokens, outputTokens, costUsd: 0.0003 },
        },
      },
    });
    if (committed.type !== "committed") throw new Error(committed.type);
    const opened = await outbox.open(chat);
    if (opened.type !== "open") throw new Error(opened.type);
    await outbox.write(opened.session, {
      id,
      fields: { m0: "102", done: "1" },
      finished: true,
      release: {},
    });
  };
}
