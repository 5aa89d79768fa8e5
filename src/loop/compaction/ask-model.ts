import type { Usage } from "../../core/history.ts";
import type { ModelCard, ModelEvent, ModelFailure, ModelRequest } from "../../core/model.ts";
import type { TraceRecord } from "../../core/trace.ts";
import { untilAborted } from "../../util/abort.ts";
import type { ModelChain } from "../../models/chain.ts";
import { costOfInput, payFor, type Payer } from "../model/payment.ts";
import { addSpending, spentOn, totalOf, type Spent } from "../machine/spending.ts";
import { UsageWatch, type OnUsage } from "../model/usage-watch.ts";

/** What a caller wants to know of the models that a compaction asks, and who pays for them. */
export interface CompactionObserver {
  /** Absent: no one pays. */
  readonly payer?: Payer;
  readonly onUsage?: OnUsage;
  /** Every model call, once it has ended, as a trace wants it. */
  readonly onCall?: (
    call: Pick<TraceRecord, "model" | "request" | "response" | "attempts" | "timing">,
  ) => void;
}

/** What models are asked with. */
export interface Asking {
  readonly chain: ModelChain;
  readonly signal: AbortSignal;
  readonly observer: CompactionObserver;
  /** Milliseconds, never going back. */
  readonly monotonic: () => number;
}

interface Reply {
  card: ModelCard;
  text: string;
  reasoning: string;
  usage: Usage | undefined;
  finish: (ModelEvent & { type: "finish" })["reason"] | undefined;
  failure: ModelFailure | undefined;
}

/**
 * One question, one text. Undefined when the model failed, was cut off by its
 * length or by the signal, or had no answer, and when a limit forbids the call.
 * Never throws for a model's failure.
 */
export async function askModel(
  asking: Asking,
  request: ModelRequest,
): Promise<{ readonly text: string; readonly model: string } | undefined> {
  const { chain, signal, observer, monotonic } = asking;
  const startedMs = monotonic();
  const attempts: TraceRecord["attempts"][number][] = [];
  const reply: Reply = {
    card: chain.card,
    text: "",
    reasoning: "",
    usage: undefined,
    finish: undefined,
    failure: undefined,
  };
  const paid = observer.payer ? await payFor(observer.payer, chain, request) : undefined;
  if (paid?.type === "refused") return undefined;
  let spent: Spent = {};
  const watch = new UsageWatch((used, usage, how) => {
    spent = addSpending(spent, spentOn(used, usage));
    observer.onUsage?.(used, usage, how);
  });
  const stream = chain.stream(request, signal, {
    ...watch.observer,
    onEvent: (event) => {
      if (!signal.aborted) take(reply, event);
    },
    onModel: (card) => {
      reply.card = card;
      watch.observer.onModel(card);
    },
    onAttempt: (attempt) => {
      const { card, failure, usage } = attempt;
      watch.observer.onAttempt(attempt);
      attempts.push({
        model: card.id,
        ...(failure === undefined ? {} : { failure: failure.kind }),
        ...(usage === undefined ? {} : { usage }),
      });
    },
  });
  // A model that ignores the signal must not hold up the turn.
  await untilAborted(stream, signal);
  const { card, text, reasoning, usage, finish, failure } = reply;
  watch.settle(request, text + reasoning);
  // A request that was cut off before the first token was still read by the model.
  const isCutOff = signal.aborted && attempts.length > 0 && finish === undefined;
  const took = { ...totalOf(spent), models: spent };
  paid?.settle(isCutOff && took.inputTokens === 0 ? costOfInput(card, paid.inputTokens) : took);
  observer.onCall?.({
    model: card.id,
    request,
    response: {
      text,
      reasoning,
      calls: [],
      ...(finish === undefined ? {} : { finish }),
      ...(failure === undefined ? {} : { failure }),
      ...(usage === undefined ? {} : { usage }),
    },
    attempts,
    timing: { totalMs: monotonic() - startedMs },
  });
  return finish === "stop" && text.trim() !== ""
    ? { text: text.trim(), model: card.id }
    : undefined;
}

function take(reply: Reply, event: ModelEvent): void {
  if (event.type === "text-delta") reply.text += event.text;
  if (event.type === "reasoning-delta") reply.reasoning += event.text;
  if (event.type === "text-was-reasoning") {
    reply.reasoning += reply.text.trimEnd();
    reply.text = "";
  }
  if (event.type === "text-replaced") reply.text = event.text;
  if (event.type === "usage") reply.usage = event.usage;
  if (event.type === "failure") reply.failure = event.failure;
  if (event.type === "finish") reply.finish = event.reason;
}
