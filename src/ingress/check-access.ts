import { turnAway } from "../access/pairing.ts";
import { isAtLeast } from "../core/roles.ts";
import { answersItself } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

/** Limits what a crowd is sent, so that messages for members aren't buried. */
interface Window {
  /** Names the window. */
  readonly what: string;
  /** Each person is notified once per window. */
  readonly windowMs: number;
}

/** Refusals by access or ban. */
const refusals: Window = { what: "refused", windowMs: 10 * 60_000 };
/** The same before there is an owner: after the claim they read what became of their request. */
const unclaimed: Window = { ...refusals, what: "unclaimed" };
/** Answers to what strangers may ask in a group: `/start`, `/whoami`. */
const answersToStrangers: Window = { what: "asked", windowMs: 60_000 };
/** People in one group who are notified per window. */
const strangersPerGroup = 5;

/** Refuses strangers and banned people, or offers a pairing code. */
export async function refuseUnknown(
  deps: AcceptDeps,
  { inbound, chat, role, locale, isSilent }: Arrived,
): Promise<Outcome | undefined> {
  if (isAtLeast(role, "guest")) return undefined;
  if (isSilent && !answersItself(inbound)) return { type: "ignored" };
  const window = role === "stranger" && (await deps.access.isUnclaimed()) ? unclaimed : refusals;
  if (!(await mayNotify(deps, { inbound, chat }, window))) return { type: "refused" };
  const { person, direct } = inbound;
  const text =
    role === "stranger"
      ? await turnAway(deps.pairing, { person, chat, direct, locale })
      : locale.ingress.notAllowed;
  return {
    type: "reply",
    text,
    refuses: true,
    isLowPriority: true,
    leavesUnseen: true,
  };
}

/** Drops what strangers in a group ask too often, or too many of them ask. */
export async function limitStrangers(
  deps: AcceptDeps,
  { inbound, chat, role }: Arrived,
): Promise<Outcome | undefined> {
  const isKnown = isAtLeast(role, "guest");
  return isKnown || inbound.direct || (await mayNotify(deps, { inbound, chat }, answersToStrangers))
    ? undefined
    : { type: "refused" };
}

/** A person who waits for an answer gets it every time; in a group, only the first few do. */
async function mayNotify(
  { people }: Pick<AcceptDeps, "people">,
  { inbound, chat }: Pick<Arrived, "inbound" | "chat">,
  { what, windowMs }: Window,
): Promise<boolean> {
  if (answersItself(inbound)) return true;
  const { id, person, direct } = inbound;
  const told = `${what}:${chat}:${person.id}`;
  if (!(await people.mayNotify(told, id, windowMs))) return false;
  if (direct) return true;
  for (let place = 1; place <= strangersPerGroup; place += 1) {
    const taken = `${what}:${chat}#${place}`;
    const by = `${person.id}:${id}`;
    if (await people.mayNotify(taken, by, windowMs)) return true;
  }
  return false;
}

/**
 * A person's repeated attempt is logged once in this time: a flood must not fill the log.
 * Milliseconds.
 */
const auditWindowMs = 10 * 60_000;

/** Records that a person tried something they may not do. @param target `/pause`, `button pa` */
export async function auditDenied(
  { audit }: Pick<AcceptDeps, "audit">,
  { inbound, chat, role }: Pick<Arrived, "inbound" | "chat" | "role">,
  target: string,
): Promise<void> {
  const window = Math.floor(inbound.atMs / auditWindowMs);
  await audit.write(`denied-${window}`, {
    action: "attempt-denied",
    by: inbound.person,
    chat,
    target,
    details: { role },
  });
}
