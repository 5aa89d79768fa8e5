import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "bullmq";
import { openModel } from "./model.ts";
import { leaseMs, type Store } from "./store.ts";
import { queueName, queuePrefix, type TurnJob } from "./turn-queue.ts";

/** Chats that are worked on at the same time. */
const concurrency = 1_000;
/** Histories that are kept in memory; the oldest goes first. */
const mostHistories = 5_000;
const theTime = "12:00";

function end(error: Error): void {
  console.error(error);
  process.exit(1);
}

/** What this process knows of a chat's history. */
interface History {
  /** The messages as JSON, with commas between them. */
  readonly text: string;
  /** How many they are. */
  readonly position: number;
  readonly epoch: string;
}

/** Fulfils when it listens. */
export async function startWorker({
  store,
  modelUrl,
}: {
  readonly store: Store;
  readonly modelUrl: string;
}): Promise<void> {
  const model = openModel(modelUrl);
  const histories = new Map<number, History>();

  const keep = (chat: number, history: History): void => {
    histories.set(chat, history);
    const [oldest] = histories.keys();
    if (histories.size > mostHistories && oldest !== undefined) histories.delete(oldest);
  };

  /** The model's answer to a history, with all messages that lead to it. */
  const answerTo = async (history: string) => {
    const messages: string[] = [];
    let inputTokens = 0;
    let outputTokens = 0;
    for (;;) {
      const answer = await model.ask([history, ...messages].join(","));
      inputTokens += answer.inputTokens;
      outputTokens += answer.outputTokens;
      const { text, calls } = answer;
      const asked = calls.length > 0 ? { tool_calls: calls } : {};
      messages.push(JSON.stringify({ role: "assistant", content: text, ...asked }));
      if (calls.length === 0)
        return { messages, answer: JSON.stringify(text), inputTokens, outputTokens };
      for (const { id } of calls)
        messages.push(JSON.stringify({ role: "tool", tool_call_id: id, content: theTime }));
    }
  };

  /** Answers the messages of a chat's inbox, one after the other. */
  const drain = async (chat: number): Promise<void> => {
    for (;;) {
      const known = histories.get(chat);
      const begun = await store.begin(chat, known);
      if (begun.type === "nothing") return;
      if (begun.type === "later") {
        await sleep(begun.inMs);
        continue;
      }
      const { epoch, position, messages } = begun;
      const before = position > 0 && known !== undefined ? [known.text] : [];
      const history = [...before, ...messages].join(",");
      const done = await answerTo(history);
      const committed = store.commit(chat, begun, done);
      // In the same write as the commit, and after it: a wake-up for nothing does no harm.
      const woken = store.ready(chat);
      const waiting = await committed;
      await woken;
      if (waiting === undefined) continue;
      keep(chat, {
        text: [history, ...done.messages].join(","),
        position: position + messages.length + done.messages.length,
        epoch,
      });
      if (waiting === 0) return;
    }
  };

  const worker = new Worker<TurnJob>(queueName, ({ data }) => drain(data.chat), {
    connection: store.redis,
    prefix: queuePrefix,
    concurrency,
    lockDuration: leaseMs,
    stalledInterval: 1_000,
    // However often a process dies, the chat is continued.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on("error", end);
  worker.on("failed", (_job, error) => end(error));
  await worker.waitUntilReady();
}
