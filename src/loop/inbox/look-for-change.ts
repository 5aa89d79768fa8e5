import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { messageOf } from "../../core/errors.ts";
import { maxQuoteLength } from "../../core/history.ts";
import { stateVersion } from "../../core/turn.ts";
import { endOfSlot } from "../session/finish.ts";
import { contentOf } from "../../tools/fetch-url/envelope.ts";
import { CallLimit } from "../tools/call-limit.ts";
import { toolboxIn } from "../tools/named-addresses.ts";
import { prepareCall, rulingFor } from "../tools/prepare-call.ts";
import type { TurnContext } from "../turn-context.ts";
import type { TurnResult } from "../turn-result.ts";
import { activeSkills } from "../view/active-skills.ts";

/**
 * A turn that a schedule's watch began: makes its call and compares the result with the one before,
 * by their digests. The first result is only kept. Without a change, or with a call that fails, the
 * turn ends without a word; it is then as if it had never been. Undefined: the turn goes on, with
 * the change as a quote, or was interrupted.
 * @throws TurnLeft
 */
export async function lookForChange(context: TurnContext): Promise<TurnResult | undefined> {
  const { deps, session } = context;
  const { watch, schedule, ...state } = session.state;
  if (watch === undefined || schedule === undefined) throw new TypeError("nothing is watched");
  const seen = await see(context, watch);
  if (seen === "interrupted") return undefined;
  const hasFailed = "why" in seen;
  if (hasFailed) {
    const { chat } = session;
    deps.log.info({ chat, schedule: schedule.id, tool: watch.tool }, "a watch failed");
    // It may quote what a person wrote.
    deps.log.debug({ chat, schedule: schedule.id, why: seen.why }, "why the watch failed");
  }
  const before = hasFailed ? undefined : await deps.watched(session.chat, schedule.id);
  if (hasFailed || before === undefined || before === seen.digest) {
    const { again } = await session.commit({
      idle: true,
      release: {},
      plan: hasFailed
        ? endOfSlot(session, "failed")
        : { ...endOfSlot(session, "unchanged"), digest: seen.digest },
    });
    return { type: again ? "again" : "done" };
  }
  const { requester, role, group, where } = state;
  const plan = { id: schedule.id, slotMs: schedule.slotMs, digest: seen.digest };
  session.append({
    kind: "message",
    v: 1,
    id: `plan:${schedule.id}:${schedule.slotMs}`,
    person: requester,
    ...(role === undefined ? {} : { role }),
    text: watch.text,
    quote: { author: watch.tool, text: seen.value.slice(0, maxQuoteLength).toWellFormed() },
    ...(group ? { group } : {}),
    ...(where === undefined ? {} : { where }),
    schedule,
    atMs: deps.clock.wall(),
  });
  session.open({ ...state, schedule, v: stateVersion(state) });
  await session.commit({ plan });
  return undefined;
}

type Seen =
  { readonly value: string; readonly digest: string } | { readonly why: string } | "interrupted";

/** The person who let it watch has seen the addresses in its arguments: they are named. */
const conversationFor = () => ({ names: () => true, isScheduled: true });

/** Only what may run without asking a person, and changes nothing. */
async function see(
  { deps, session }: TurnContext,
  { tool: name, given, pointer }: NonNullable<TurnContext["session"]["state"]["watch"]>,
): Promise<Seen> {
  const { turn, requester } = session.state;
  const toolbox = { ...toolboxIn(deps.toolbox, session), conversationFor };
  const wireName = toolbox.specs.find((spec) => toolbox.find(spec.name)?.name === name)?.name;
  const call = { index: 0, wireId: "", name: wireName ?? name, arguments: given };
  const prepared = prepareCall(call, toolbox, rulingFor(deps.toolPolicy, session));
  if (prepared.type === "failed") return { why: prepared.text };
  const { tool, verdict } = prepared;
  if (tool.effect !== "read") return { why: `${tool.name} may change something` };
  if (verdict.type !== "run") return { why: `a person has to approve ${tool.name}` };
  using limit = new CallLimit(session, tool.timeoutMs);
  try {
    const run = tool.run(prepared.given, {
      chat: session.chat,
      requester,
      idempotencyKey: `${session.chat}/${turn}.0.0`,
      signal: limit.signal,
      activeSkills: () => activeSkills(session.transcript, session.viewStart),
    });
    const result = await Promise.race([limit.reached, run]);
    if (result === "interrupted") return result;
    if (result === "timeout") return { why: "the call took too long" };
    deps.metrics.toolCalled(tool.name, "done");
    const value = pointer === undefined ? result.text : valueAt(contentOf(result.text), pointer);
    if (value === undefined) return { why: "the result isn't JSON, so it has no parts" };
    return { value, digest: createHash("sha256").update(value).digest("base64url") };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

/** What is seen where a result has no such part. Canonical JSON is never the same text. */
const nothingThere = "nothing there";

/**
 * A part of a JSON text, as canonical JSON: RFC 6901. A list that is too short is a value, too: it may
 * grow. Undefined: the text is no JSON, or has no such part. Pure.
 */
export function valueAt(json: string, pointer: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined;
    if (Array.isArray(value) && !Object.hasOwn(value, name)) return nothingThere;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return canonicalize(value);
}
