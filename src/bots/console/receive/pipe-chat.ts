import { createInterface } from "node:readline";
import { decisionOf, isEdit, type Questions } from "../send/questions.ts";
import type { Conversation } from "./conversation.ts";
import { parseLine } from "./parse-line.ts";
import type { TurnWatch } from "./turn-watch.ts";

export interface PipeChatDeps {
  readonly input: NodeJS.ReadableStream;
  readonly conversation: Conversation;
  readonly questions: Questions;
  readonly watch: TurnWatch;
  /** Aborted when the console closes. */
  readonly signal: AbortSignal;
}

/**
 * One line at a time: each waits for the end of the turn before it, or answers its question.
 * Fulfils at the end.
 */
export async function runPipeChat(deps: PipeChatDeps): Promise<void> {
  const { input, watch, signal } = deps;
  const lines = createInterface({
    input,
    terminal: false,
    crlfDelay: Infinity,
  });
  const close = () => lines.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    for await (const line of lines) {
      const parsed = parseLine(line);
      if (parsed.type === "empty") continue;
      if ((await watch.next()) === "closed") return;
      if (parsed.type === "quit") break;
      if (!(await answer(line, deps))) await say(parsed, deps);
    }
    await finish(deps);
  } finally {
    signal.removeEventListener("abort", close);
    lines.close();
  }
}

async function answer(line: string, { questions, conversation }: PipeChatDeps): Promise<boolean> {
  const asked = questions.current;
  if (asked?.edit !== undefined && isEdit(line)) {
    await conversation.form(asked, { isTyped: true });
    return true;
  }
  const decision = decisionOf(line);
  const question = decision && questions.take();
  if (!question) return false;
  await conversation.decide(question, decision);
  return true;
}

async function say(
  line: Parameters<Conversation["say"]>[0],
  { questions, conversation, watch }: PipeChatDeps,
): Promise<void> {
  // The turn may answer or ask before its message's acceptance has reached us.
  const open = questions.all;
  const notExpected = watch.expect();
  if (!(await conversation.say(line))) notExpected();
  else if (line.type === "message") await questions.withdraw(open);
}

/** Denies whatever is asked, until the turn has ended; where that does not help, stops the turn. */
async function finish({ questions, conversation, watch }: PipeChatDeps): Promise<void> {
  let hasStopped = false;
  for (;;) {
    const pause = await watch.next();
    if (pause === "asked") {
      const question = questions.take();
      if (question) await conversation.decide(question, "no", { isLast: true });
    } else if (pause === "stuck" && watch.isExpecting && !hasStopped) {
      hasStopped = true;
      await conversation.say({ type: "command", name: "stop", argument: "" });
    } else break;
  }
  await questions.notify();
}
