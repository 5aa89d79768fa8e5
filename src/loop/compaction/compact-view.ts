import { answerEntryId } from "../../core/outbox.ts";
import { namedPersona } from "../../core/turn-persona.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import type { CompactionObserver } from "./ask-model.ts";
import type { CompactionJob } from "./compactor.ts";
import type { CompactionRequest } from "./request.ts";
import { contextFor } from "./settings.ts";
import { endIfInterrupted } from "../session/end-if-interrupted.ts";
import { effective } from "../model/effective-settings.ts";
import { payerFor } from "../model/pay-for-call.ts";
import { imagesOf } from "../inbox/read-attachments.ts";
import { requestFor, type PreparedRequest } from "../model/model-request.ts";
import { addSpending, spentOn, type Spent } from "../machine/spending.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { localeOf } from "../locale-of.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * How often one session believes a provider that a request is too long, against its own figures.
 */
const maxOverflows = 5;

/**
 * What one session knows of compactions: at most one comes before each model call, whatever it has
 * brought.
 */
export class Compactions {
  #job: CompactionJob | undefined;
  #overflows = 0;
  #checkedAtCall = 0;

  /** Whether the request that is about to be sent has to be made shorter first. */
  async isDue(context: TurnContext, prepared: PreparedRequest): Promise<boolean> {
    const { session } = context;
    const { modelCalls } = session.state.counters;
    if (this.#checkedAtCall === modelCalls) return false;
    this.#checkedAtCall = modelCalls;
    this.#job = await check(context, prepared, "checkpoint");
    return this.#job !== undefined;
  }

  /** A provider says that the request was too long. Whether it can be made shorter. */
  async helpsOverflow(context: TurnContext, refused: PreparedRequest): Promise<boolean> {
    if (this.#overflows >= maxOverflows) return false;
    this.#overflows += 1;
    this.#job = await check(context, refused, "overflow");
    return this.#job !== undefined;
  }

  /**
   * Decides what to do; again if another session began it, or a person asks for
   * it.
   */
  async take(context: TurnContext): Promise<CompactionJob | undefined> {
    const { session } = context;
    const job = this.#job;
    this.#job = undefined;
    this.#checkedAtCall = session.state.counters.modelCalls;
    if (job !== undefined) return job;
    const why = session.state.compactOnly ? "asked" : "checkpoint";
    return await check(context, requestFor(context, undefined), why);
  }
}

const check = (
  context: TurnContext,
  prepared: PreparedRequest,
  why: CompactionRequest["why"],
): Promise<CompactionJob | undefined> =>
  context.deps.compactor.check(compactionOf(context, prepared, why));

/** A prepared request with what its size follows from. */
export function compactionOf(
  context: TurnContext,
  { request, context: blocks, card }: PreparedRequest,
  why: CompactionRequest["why"],
): CompactionRequest {
  const { deps, session } = context;
  const { toolbox } = deps;
  const { chain } = effective(context);
  return {
    chat: session.chat,
    settings: contextFor(deps.context, session.settings),
    turn: session.state.turn,
    transcript: session.transcript,
    viewStart: session.viewStart,
    card,
    options: {
      ...(chain.optionsFor?.(card) ?? chain.options),
      ...request.options,
    },
    context: blocks,
    images: imagesOf(session),
    tools: request.tools,
    tool: (name) => toolbox.find(name),
    messages: request.messages,
    why,
  };
}

/**
 * Shortens what the models see of the chat, and says so in one quiet line. The history itself
 * stays; a session that dies on the way has changed nothing. @throws TurnLeft
 */
export async function compactView(
  context: TurnContext,
  { draft, compactions }: { readonly draft: AnswerDraft; readonly compactions: Compactions },
): Promise<void> {
  const { deps, session } = context;
  const startedMs = deps.clock.monotonic();
  const elapsedMs = (): number => deps.clock.monotonic() - startedMs;
  const { compactOnly } = session.state;
  const { turn: words } = localeOf(session);
  const job = await compactions.take(context);
  if (job === undefined) {
    if (compactOnly) notify(session, words.nothingToShorten);
  } else {
    draft.setNews(words.shortening);
  }
  let spent: Spent = {};
  const outcome =
    job &&
    (await deps.compactor.compact(job, session.signal, {
      payer: await payerFor(context),
      onUsage: (card, usage, { estimated }) => {
        spent = addSpending(spent, spentOn(card, usage, { estimated }));
      },
      onCall: (call) => trace(context, call),
    }));
  draft.setNews("");
  const isLate = session.interruption === "deadline";
  // What was cut because time ran out still makes room; otherwise every later turn would end here.
  const entry =
    outcome?.type === "aborted" && isLate
      ? job?.record
      : outcome?.type === "compacted"
        ? outcome.entry
        : undefined;
  if (entry !== undefined) {
    session.append(entry);
    session.moveView(Math.max(session.viewStart, entry.toSeq + 1));
    const { tokensBefore, tokensAfter } = entry;
    notify(session, words.shortened(rounded(tokensBefore), rounded(tokensAfter)));
  }
  if (outcome?.type === "aborted" && !(isLate && compactOnly)) {
    const used = { spent, elapsedMs: elapsedMs() };
    if (session.interruption === "shutdown") session.record({ type: "compaction-lost", ...used });
    endIfInterrupted(context, used);
    return;
  }
  session.record({
    type: "compaction-ended",
    spent,
    elapsedMs: elapsedMs(),
  });
  // A compaction costs time and money: it is not made twice.
  if (!compactOnly) await session.commit();
}

/** To three figures: it is an estimate. */
const rounded = (tokens: number): string =>
  tokens.toLocaleString("en-US", { maximumSignificantDigits: 3 });

function notify(session: TurnSession, text: string): void {
  const { turn, replyTo, compactOnly } = session.state;
  const reply = replyTo === undefined ? {} : { replyTo };
  if (compactOnly) {
    // The turn's only words: they take the place of what its draft has shown.
    const id = answerEntryId(session.state);
    session.post({
      kind: "message",
      v: 1,
      id,
      text,
      silent: true,
      ...reply,
    });
    return;
  }
  session.post({
    kind: "notice",
    v: 1,
    // Of one model call there may be two: before it, and when its provider still rejects it as too
    // long.
    id: `compaction-${turn}-${session.viewStart + session.transcript.length}`,
    text,
    silent: true,
    ...reply,
  });
}

function trace(
  { deps, session }: TurnContext,
  call: Parameters<NonNullable<CompactionObserver["onCall"]>>[0],
): void {
  const { turn, counters } = session.state;
  deps.trace?.write({
    ...call,
    v: 1,
    chat: session.chat,
    turn,
    call: counters.modelCalls,
    purpose: "compaction",
    atMs: deps.clock.wall(),
    tier: "compaction",
    ...namedPersona(session.state),
    why: "the conversation is shortened",
    diagnostics: [],
  });
}
