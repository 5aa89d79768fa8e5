import { isAsStrict, type Deciders } from "../../core/approval.ts";
import { messageOf, OutcomeUnknownError } from "../../core/errors.ts";
import type { Attachment, FailureKind } from "../../core/history.ts";
import type { AnyGrant } from "../../core/grants.ts";
import type { OutboxEntry } from "../../core/outbox.ts";
import type { Effect, Tool } from "../../core/tool.ts";
import { journalKey, type Call } from "../../core/turn.ts";
import { toolTitle } from "../../locales/tool-title.ts";
import { localeOf } from "../locale-of.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import { auditCall } from "./audit-call.ts";
import { CallLimit } from "./call-limit.ts";
import { capText } from "./cap-text.ts";
import { prepareCall, rulingFor, type PreparedCall } from "./prepare-call.ts";
import { grantOf, grantsIn } from "./granted.ts";
import { keepFiles } from "./keep-files.ts";
import { keepImages } from "./keep-images.ts";
import { newestMessageOf } from "./own-words.ts";
import { syntheticResult } from "../sentences.ts";
import { toolboxIn } from "./named-addresses.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { activeSkills } from "../view/active-skills.ts";
import type { TurnContext } from "../turn-context.ts";

type Ready = PreparedCall & { type: "ready" };

interface Settled {
  readonly status: "done" | "failed" | "unknown";
  readonly text: string;
  readonly display?: string;
  readonly failure?: FailureKind;
  readonly images?: readonly Attachment[];
  /** Posted together with the result, so that a call that is run again posts nothing twice. */
  readonly files?: readonly OutboxEntry[];
}

/**
 * Claims calls in one commit, runs them at the same time, and records how each settled. @throws
 * TurnLeft
 */
export async function runCalls(
  context: TurnContext,
  draft: AnswerDraft,
  indexes: readonly number[],
): Promise<void> {
  const { deps, session } = context;
  const claimed: { call: Call; prepared: Ready }[] = [];
  const grants = await grantsFor(context, indexes);
  for (const index of indexes) {
    const call = session.state.calls[index];
    if (!call) throw new TypeError(`no call ${index}`);
    const checked = checkClaim(context, call, grants);
    if (checked.type === "ready") claimed.push({ call, prepared: checked });
    else
      settle(session, draft, call, {
        ...checked,
        status: "failed",
        elapsedMs: 0,
      });
  }
  if (claimed.length === 0) return;
  session.record({
    type: "calls-started",
    indexes: claimed.map(({ call }) => call.index),
  });
  for (const { call, prepared } of claimed)
    draft.setCall(lineKey(session, call), {
      title: titleIn(session, prepared.tool),
      arguments: prepared.canonical,
      status: "running",
    });
  await session.commit();
  // These calls have not run yet. The turn is being interrupted, so they will not.
  if (session.interruption !== undefined) {
    session.record({
      type: "calls-withdrawn",
      indexes: claimed.map(({ call }) => call.index),
    });
    return;
  }

  const startedMs = deps.clock.monotonic();
  // Calls that run side by side share their time: only the first to settle is charged with what
  // passed before it.
  let chargedMs = startedMs;
  const running = claimed.map(async ({ call, prepared }) => {
    const key = lineKey(session, call);
    const outcome = await runOne(context, call, {
      prepared,
      progress: (line) => draft.setProgress(key, line),
    });
    if (outcome === "interrupted") {
      auditInterrupted(context, call);
      return;
    }
    auditCall(context, call, outcome.failure ?? outcome.status);
    const nowMs = deps.clock.monotonic();
    settle(session, draft, call, { ...outcome, elapsedMs: nowMs - chargedMs });
    chargedMs = nowMs;
    draft.setCall(key, {
      title: titleIn(session, prepared.tool),
      arguments: prepared.canonical,
      status: outcome.status === "done" ? "done" : "failed",
      ...(outcome.display === undefined ? {} : { display: outcome.display }),
    });
  });
  await Promise.all(running);
}

/**
 * The turn's next worker runs it again or records its outcome as unknown; a
 * turn that ends here does neither.
 */
function auditInterrupted(context: TurnContext, call: Call): void {
  const { session } = context;
  const { interruption } = session;
  if (interruption === "shutdown" || interruption === "fenced") return;
  const outcome = call.effect === "once" ? "unknown" : "cancelled";
  auditCall(context, call, outcome);
}

/** The standing permissions as they are now, where one of these calls runs by one. */
async function grantsFor(
  context: TurnContext,
  indexes: readonly number[],
): Promise<readonly AnyGrant[]> {
  const { deps, session } = context;
  const ruling = rulingFor(deps.toolPolicy, session);
  const granted = session.state.calls.filter(
    ({ index, grant }) => grant !== undefined && indexes.includes(index),
  );
  return await grantsIn(
    context,
    granted.map((call) => prepareCall(call, toolboxIn(deps.toolbox, session), ruling)),
  );
}

/**
 * At the claim everything is checked again: the tool, the arguments' digest, today's policy, a
 * standing permission.
 */
function checkClaim(context: TurnContext, call: Call, grants: readonly AnyGrant[]): PreparedCall {
  const { deps, session } = context;
  const ruling = rulingFor(deps.toolPolicy, session);
  const prepared = prepareCall(call, toolboxIn(deps.toolbox, session), ruling);
  if (prepared.type === "failed") return prepared;
  const { verdict, digest, tool } = prepared;
  if (digest !== call.digest || tool.effect !== call.effect) return isOther;
  if (verdict.type === "run") return prepared;
  if (call.grant !== undefined)
    return grantOf(context, grants, prepared, call.grant) ? prepared : notAnyMore;
  return isApprovedFor(call, verdict) ? prepared : isOther;
}

const isOther: PreparedCall = {
  type: "failed",
  failure: "policy-denied",
  text: "policy-denied: the tool or the policy has changed since this was proposed.",
};

const notAnyMore: PreparedCall = {
  type: "failed",
  failure: "policy-denied",
  text: "policy-denied: not run. It was allowed to run unasked, and is not any more. Propose it again, and a person is asked.",
};

/**
 * An approval counts as long as the current rules require no other and no more
 * approvers than were asked.
 */
const isApprovedFor = ({ approvers, persons }: Call, needed: Deciders): boolean =>
  approvers !== undefined && isAsStrict({ approvers, persons }, needed);

async function runOne(
  context: TurnContext,
  call: Call,
  {
    prepared,
    progress,
  }: {
    readonly prepared: Ready;
    readonly progress: (line: string) => void;
  },
): Promise<Settled | "interrupted"> {
  const { deps, session } = context;
  const { tool } = prepared;
  const { turn, round, requester, role, preference, group, where } = session.state;
  using limit = new CallLimit(session, tool.timeoutMs);
  try {
    const key = journalKey(turn, round, call.index);
    const run = tool.run(prepared.given, {
      chat: session.chat,
      requester,
      role,
      messageId: newestMessageOf(session.transcript, session.state)?.messageId,
      zone: preference?.zone,
      askedAtMs: session.begun.approvals.find(({ approval }) => approval.id === call.approvalId)
        ?.approval.askedAtMs,
      ...(group === true ? { group } : {}),
      ...(where === undefined ? {} : { where }),
      idempotencyKey: `${session.chat}/${key}`,
      signal: limit.signal,
      progress,
      mayUse: (name) => session.narrowing?.allowsTool(name) ?? true,
      activeSkills: () => activeSkills(session.transcript, session.viewStart),
    });
    // Check the limit first: a tool that respects its signal rejects, which
    // isn't a failure of the tool.
    const result = await Promise.race([limit.reached, run]);
    if (result === "interrupted") return result;
    if (result === "timeout") return timedOut(tool.effect);
    const display = result.display === undefined ? {} : { display: result.display };
    const text = await capText(
      deps,
      { chat: session.chat, turn },
      result.text,
      tool.maxResultLength,
    );
    const { images, ...shown } = await keepImages(context, result.files);
    const { notes, files } = await keepFiles(context, call, result.files);
    return {
      status: "done",
      text: [text, ...shown.notes, ...notes].join("\n"),
      files,
      images,
      ...display,
    };
  } catch (error) {
    if (error instanceof OutcomeUnknownError && tool.effect === "once") {
      return {
        status: "unknown",
        failure: "outcome-unknown",
        text: `outcome-unknown: ${messageOf(error).slice(0, 2_000)}`,
      };
    }
    deps.log.info({ chat: session.chat, tool: tool.name }, "a tool failed");
    // Its message may quote what a person wrote.
    deps.log.debug({ chat: session.chat, error }, "why the tool failed");
    return {
      status: "failed",
      failure: "tool-error",
      text: `tool-error: ${messageOf(error).slice(0, 2_000)}`,
    };
  }
}

const timedOut = (effect: Effect): Settled =>
  effect === "once"
    ? {
        status: "unknown",
        failure: "outcome-unknown",
        text: syntheticResult("outcome-unknown"),
      }
    : {
        status: "failed",
        failure: "timeout",
        text: syntheticResult("timeout"),
      };

function settle(
  session: TurnSession,
  draft: AnswerDraft,
  call: Call,
  outcome: Omit<Settled, "failure"> & {
    failure?: FailureKind;
    elapsedMs: number;
  },
): void {
  const { turn, round } = session.state;
  const { status, failure, text, display, elapsedMs } = outcome;
  const { files = [], images = [] } = outcome;
  session.write(journalKey(turn, round, call.index), {
    v: 1,
    text,
    ...(display === undefined ? {} : { display }),
    ...(failure === undefined ? {} : { failure }),
    ...(images.length === 0 ? {} : { images: [...images] }),
  });
  session.post(...files);
  session.record({
    type: "call-settled",
    index: call.index,
    status,
    ...(failure === undefined ? {} : { failure }),
    elapsedMs,
  });
  if (status !== "done")
    draft.setCall(lineKey(session, call), {
      title: titleIn(session, call),
      arguments: "{}",
      status: "failed",
    });
}

const lineKey = (session: TurnSession, call: Call): string =>
  `${session.state.round}.${call.index}`;

const titleIn = (
  session: TurnSession,
  { name, title }: Pick<Tool, "name"> & Pick<Partial<Tool>, "title">,
): string => toolTitle({ tool: name, title }, localeOf(session));
