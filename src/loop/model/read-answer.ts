import { unreachable } from "../../core/errors.ts";
import type { CallRequest, Extras, Usage } from "../../core/history.ts";
import type { ModelCard, ModelEvent, ModelFailure, RequestMessage } from "../../core/model.ts";
import type { TraceRecord } from "../../core/trace.ts";
import { untilAborted } from "../../util/abort.ts";
import { isLast } from "../../models/events.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import { effective } from "./effective-settings.ts";
import type { PreparedRequest } from "./model-request.ts";
import { localeOf } from "../locale-of.ts";
import { UsageWatch } from "./usage-watch.ts";
import { addSpending, spentOn, type Spent } from "../machine/spending.ts";
import { requestProblems } from "../view/request-problems.ts";
import type { TurnContext } from "../turn-context.ts";

/** What one model call has said so far. */
export interface Answer {
  /** The model that answered, or was asked first. */
  card: ModelCard;
  /** What the model that was asked last was sent. */
  asked: PreparedRequest;
  text: string;
  reasoning: string;
  extras: Extras | undefined;
  calls: CallRequest[];
  /** Calls that it wrote as text; empty: none. */
  printed: string;
  usage: Usage | undefined;
  failure: ModelFailure | undefined;
  /** Models that gave no answer, and whose retries didn't cure that, by `provider/model`. */
  missed: Map<string, ModelFailure>;
  finish: (ModelEvent & { type: "finish" })["reason"] | undefined;
  /** Of all attempts, also those that failed. */
  spent: Spent;
  attempts: TraceRecord["attempts"][number][];
  /** Milliseconds until the first event; undefined when none came. */
  firstEventMs: number | undefined;
}

/** Whether a part of the answer may have been seen. */
export const hasBegun = ({ text, reasoning, calls, printed }: Answer): boolean =>
  text !== "" || reasoning !== "" || calls.length > 0 || printed !== "";

/** Whether the model has only written of its calls. */
export const isPrinted = ({ calls, printed }: Answer): boolean =>
  printed !== "" && calls.length === 0;

/** Whether the answer came whole. */
export const isWhole = ({ finish, text }: Answer): boolean =>
  finish !== undefined && (finish !== "filtered" || text !== "");

interface Ask {
  readonly prepared: PreparedRequest;
  /**
   * The messages that were found to keep their provider's rules: those of a cheaper tier's model
   * may be others.
   */
  readonly checked: readonly RequestMessage[];
  /** The same question as another model of the chain sees it. */
  readonly requestFor: (card: ModelCard) => PreparedRequest;
  readonly avoid: ReadonlySet<string>;
  /** Ends this call. */
  readonly signal: AbortSignal;
}

/**
 * Asks the chain and shows the answer as it arrives. Ends early at its signal.
 * Never throws.
 */
export async function readAnswer(
  context: TurnContext,
  draft: AnswerDraft,
  ask: Ask,
): Promise<Answer> {
  const { deps, session } = context;
  const { chain } = effective(context);
  const startedMs = deps.clock.monotonic();
  const answer: Answer = {
    card: chain.card,
    asked: ask.prepared,
    text: "",
    reasoning: "",
    extras: undefined,
    calls: [],
    printed: "",
    usage: undefined,
    failure: undefined,
    missed: new Map(),
    finish: undefined,
    spent: {},
    attempts: [],
    firstEventMs: undefined,
  };
  const watch = new UsageWatch((card, usage, { estimated }) => {
    answer.spent = addSpending(answer.spent, spentOn(card, usage, { estimated }));
  });
  const over = Promise.withResolvers<void>();
  draft.awaitWords(localeOf(session).contact.silent);
  let isOver = false;
  let hasSpoken = false;
  const stream = chain.stream(
    ask.prepared.request,
    ask.signal,
    {
      ...watch.observer,
      onEvent: (event) => {
        if (isOver || ask.signal.aborted) return;
        take(answer, event);
        if (!hasSpoken && answer.text !== "") {
          hasSpoken = true;
          const afterMs = session.firstWord();
          if (afterMs !== undefined) deps.metrics.firstWord(afterMs);
        }
        draft.setText(answer.text, answer.reasoning);
        isOver = isLast(event);
        if (isOver) over.resolve();
      },
      onModel: (card) => {
        watch.observer.onModel(card);
        answer.card = card;
        answer.firstEventMs = deps.clock.monotonic() - startedMs;
      },
      onAttempt: (attempt) => {
        const { card, failure, usage } = attempt;
        if (failure === undefined) answer.missed.delete(card.id);
        else answer.missed.set(card.id, failure);
        watch.observer.onAttempt(attempt);
        answer.attempts.push({
          model: card.id,
          ...(failure === undefined ? {} : { failure: failure.kind }),
          ...(usage === undefined ? {} : { usage }),
        });
      },
      onOmitted: ({ id }, omission) =>
        deps.log.info(
          { chat: session.chat, model: id, omission },
          "a model was not sent what it cannot take",
        ),
      onRefused: ({ id }, part) =>
        deps.log.warn(
          { chat: session.chat, model: id, ...part },
          "a model's server has refused a part of a request; it is left out from now on",
        ),
    },
    {
      avoid: ask.avoid,
      requestFor: (card) => {
        answer.asked = viewFor(context, ask, card);
        return answer.asked.request;
      },
    },
  );
  // A model that goes on behind its end, or ignores the signal, must not hold up the turn.
  await untilAborted(Promise.race([stream, over.promise]), ask.signal);
  draft.awaitWords(undefined);
  const { text, reasoning, calls } = answer;
  const given = calls.map((call) => call.arguments).join("");
  watch.settle(answer.asked.request, `${text}${reasoning}${given}`);
  return answer;
}

/**
 * What a model of the chain is asked. What would break its provider's rules is not: the first
 * model's request was checked.
 */
function viewFor(
  { deps: { log }, session: { chat } }: TurnContext,
  { prepared, checked, requestFor }: Ask,
  card: ModelCard,
): PreparedRequest {
  const own = card.id === prepared.card.id ? prepared : requestFor(card);
  const { messages } = own.request;
  const problems = messages === checked ? [] : requestProblems(messages);
  if (problems.length === 0) return own;
  log.error(
    { chat, model: card.id, problems },
    "a view breaks its provider's rules; asking as the first model was asked",
  );
  return prepared;
}

function take(answer: Answer, event: ModelEvent): void {
  switch (event.type) {
    case "text-delta":
      answer.text += event.text;
      break;
    case "reasoning-delta":
      answer.reasoning += event.text;
      break;
    case "text-was-reasoning":
      answer.reasoning += answer.text.trimEnd();
      answer.text = "";
      answer.printed = "";
      break;
    case "printed-call":
      answer.printed += event.text;
      break;
    case "text-replaced":
      answer.text = event.text;
      break;
    case "tool-call":
      answer.calls.push({
        index: answer.calls.length,
        wireId: event.id,
        name: event.name,
        arguments: event.arguments,
        ...(event.extras === undefined ? {} : { extras: event.extras }),
      });
      break;
    case "usage":
      answer.usage = event.usage;
      break;
    case "failure":
      answer.failure = event.failure;
      break;
    case "finish":
      answer.finish = event.reason;
      answer.extras = event.extras;
      if (!isWhole(answer))
        answer.failure = {
          kind: "refused",
          message: "the answer was filtered",
        };
      break;
    default:
      unreachable(event);
  }
}
