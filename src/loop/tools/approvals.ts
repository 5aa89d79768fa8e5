import { shortApprovalId, versionOf, type Approval, type Asking } from "../../core/approval.ts";
import type { CallRequest, EndReason } from "../../core/history.ts";
import { PermanentError } from "../../core/errors.ts";
import { auditedPersona } from "../../core/turn-persona.ts";
import { quietForMs } from "../../core/quiet-hours.ts";
import { localeFor } from "../../locales/locale-for.ts";
import { cutText } from "../view/cut-text.ts";
import type { LoopDeps } from "../deps.ts";
import { definitionOf } from "./granted.ts";
import type { PreparedCall } from "./prepare-call.ts";
import type { TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";
import { isAskedElsewhere } from "./why-not-asked.ts";

/**
 * The approval of one prepared call: for exactly these arguments, decided once,
 * by an authorised person.
 */
export function approvalFor(
  context: TurnContext,
  request: CallRequest,
  prepared: PreparedCall & { type: "ready" },
  facts?: Approval["facts"],
): Approval {
  const { deps, session } = context;
  if (prepared.verdict.type !== "confirm")
    throw new PermanentError(`${prepared.tool.name} needs no approval`);
  const { approvers, persons, policy, alwaysAllowMs = 0 } = prepared.verdict;
  const { turn, round, requester, group } = session.state;
  const isElsewhere = isAskedElsewhere(prepared.verdict, session.state);
  const askedAtMs = deps.clock.wall();
  const { title } = prepared.tool;
  const about = firstSentence(prepared.tool.description);
  return {
    v: versionOf({ approvers, persons }),
    id: newId(context),
    chat: session.chat,
    turn,
    round,
    index: request.index,
    tool: prepared.tool.name,
    ...(title === undefined ? {} : { title }),
    ...(about === "" ? {} : { about }),
    arguments: prepared.canonical,
    ...(facts === undefined ? {} : { facts }),
    digest: prepared.digest,
    requester,
    ...auditedPersona(session.state),
    approvers,
    ...(persons === undefined ? {} : { persons }),
    ...(policy === undefined ? {} : { policy }),
    definition: definitionOf(prepared.tool),
    // A standing permission is for people of the chat to give.
    ...(alwaysAllowMs > 0 && !isElsewhere ? { alwaysAllowMs } : {}),
    ...(group === true || isElsewhere ? {} : { direct: true }),
    ...(isElsewhere ? { elsewhere: true } : {}),
    askedAtMs,
    expiresAtMs: askedAtMs + ttlOf(deps, prepared.verdict, askedAtMs),
  };
}

/** What the card of a call says besides its arguments. */
export async function cardFactsOf(
  { session }: TurnContext,
  prepared: PreparedCall,
): Promise<Approval["facts"]> {
  if (prepared.type === "failed" || prepared.verdict.type === "run") return undefined;
  const { requester, preference } = session.state;
  const { chat } = session;
  const facts = await prepared.tool.cardFacts?.(prepared.given, { chat, requester });
  const zone = preference?.zone;
  return facts && { ...facts, ...(zone === undefined ? {} : { zone }) };
}

/** Ids that are tried: hardly ever more than one, since display ids have millions of values. */
const maxTries = 20;

/** An id whose display id no other open approval of the chat has. */
function newId({ deps, session }: TurnContext): string {
  for (let tries = 1; ; tries += 1) {
    const id = deps.store.newApprovalId(session.chat);
    const displayed = shortApprovalId(id);
    if (session.displayIds.has(displayed) && tries < maxTries) continue;
    session.displayIds.add(displayed);
    return id;
  }
}

/**
 * People can't decide while asleep: a silent card's time starts at the end of
 * quiet hours.
 */
function ttlOf(
  { approvalTtlMs }: LoopDeps,
  { expiresAfterMs = approvalTtlMs, quietHours }: Asking,
  atMs: number,
): number {
  const quietMs = quietHours && quietForMs(quietHours, atMs);
  return expiresAfterMs + (quietMs ?? 0);
}

/** Whether a card that is asked at this time does not ring. Pure. */
export const isSilent = ({ quietHours }: Asking, atMs: number): boolean =>
  quietHours !== undefined && quietForMs(quietHours, atMs) !== undefined;

/** Characters of what a tool says of itself on a card. */
const maxAboutLength = 200;

function firstSentence(description: string): string {
  const line = description.trim().replaceAll(/\s+/g, " ");
  const [sentence = ""] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line];
  return cutText(sentence, maxAboutLength);
}

/** A call that is to be asked for. */
export interface Asked {
  readonly approval: Approval;
  /** Its card does not ring. */
  readonly silent: boolean;
  /** Where a rule says so; absent: in the usual time. */
  readonly expiresAfterMs?: number | undefined;
}

/**
 * Asks for what one answer wants, in as few cards as may be: who may decide one call of a card may
 * decide all, and in the same time.
 */
export function askAll(
  { deps, session }: TurnContext,
  asked: readonly Asked[],
  reply: { readonly replyTo?: string },
): void {
  const most = deps.callsPerCard(session.chat);
  const alike = Map.groupBy(asked, ({ approval, silent, expiresAfterMs }) =>
    [approval.approvers, approval.persons ?? 1, expiresAfterMs ?? "", silent].join(" "),
  );
  for (const same of alike.values())
    for (let at = 0; at < same.length; at += most) {
      const [first, ...others] = same.slice(at, at + most);
      if (first === undefined) return;
      const approvals = others.map(({ approval }) => approval);
      session.ask([first.approval, ...approvals], {
        ...reply,
        ...(first.silent ? { silent: true as const } : {}),
      });
    }
}

/** Closes every approval that the open round still waits for; its card says why. */
export function closeApprovals(session: TurnSession, reason: EndReason): void {
  for (const approval of session.pendingApprovals) {
    const say = localeFor(approval.requester.language, approval.requester.id).decisions;
    if (reason === "superseded") session.close(approval, "superseded", say.superseded);
    else session.close(approval, "cancelled", say.stopped);
  }
}
