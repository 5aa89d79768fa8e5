import type { Tool } from "../../../core/tool.ts";
import type { LoopPolicy, LoopState, Observation } from "../../../core/turn.ts";
import { loopHint, type Repetition } from "./loop-hint.ts";

export { observe } from "./observe.ts";

/** Calls that are remembered, unless a limit asks for more. */
const memory = 30;

export interface DetectionSettings {
  readonly policy: LoopPolicy;
  /** By the name on the wire; undefined for a tool that is not there. */
  readonly toolOf: (name: string) => Pick<Tool, "effect" | "repeatable" | "loop"> | undefined;
}

/**
 * Looks for loops in the turn's newest calls, and remembers those of the round that has just ended,
 * in the order in which the model asked for them. Pure.
 *
 * A call is part of a loop when, with it,
 * - the same call had the same result `sameCall` times among the remembered ones, or
 * - the same tool failed in the same way `sameTool` times in a row, or
 * - the same tool ran `sameTool` times in a row without progress, unless it is `repeatable` (a `read` tool is,
 *   unless it says otherwise): progress is a success with arguments and a result that no other remembered success of
 *   the tool has. Different calls of one round that succeed count once, because the model made them before it read a
 *   result, or
 * - two calls alternated twice (A-B-A-B), unless both tools are `repeatable` and all results differed: that is polling.
 *
 * A round with any such call is one detection and leaves a hint; a round without takes the hint
 * away. What was found once is not forgotten: every further round that repeats it is a detection
 * again, and one that does something else is none. A tool's own numbers go before the policy's, and
 * a tool with `loop: false` is never part of a loop.
 */
export function detectLoop(
  state: LoopState | undefined,
  round: readonly Observation[],
  settings: DetectionSettings,
): LoopState {
  const { recent = [], detections = 0 } = state ?? {};
  const asked = round.map((call, index) =>
    index === 0 ? call : { ...call, joined: true as const },
  );
  const all = [...recent, ...asked];
  const found = round
    .map((_, index) => all.slice(0, recent.length + index + 1))
    .map((calls) => repetitionIn(calls, settings))
    .findLast((repetition) => repetition !== undefined);
  const kept = Math.max(...all.map(({ tool }) => limitsOf(tool, settings).memory), memory);
  const remembered = all.slice(-kept);
  if (found === undefined) return { recent: remembered, detections };
  return {
    recent: remembered,
    detections: detections + 1,
    hint: loopHint(found, detections + 1 === settings.policy.hints),
  };
}

interface Limits {
  readonly sameCall: number;
  readonly sameTool: number;
  /** Calls to look back on. */
  readonly memory: number;
  readonly exempt: boolean;
  readonly repeatable: boolean;
}

function limitsOf(name: string, { policy, toolOf }: DetectionSettings): Limits {
  const tool = toolOf(name);
  const own = tool?.loop === false ? undefined : tool?.loop;
  const { sameCall = policy.sameCall, sameTool = policy.sameTool } = own ?? {};
  return {
    sameCall,
    sameTool,
    memory: Math.max(memory, sameCall, sameTool),
    exempt: tool?.loop === false,
    repeatable: tool?.repeatable ?? tool?.effect === "read",
  };
}

/** The loop that the newest of these calls is part of. */
function repetitionIn(
  known: readonly Observation[],
  settings: DetectionSettings,
): Repetition | undefined {
  const newest = known.at(-1);
  if (newest === undefined) return undefined;
  const { tool } = newest;
  const limits = limitsOf(tool, settings);
  if (limits.exempt) return undefined;
  const calls = known.slice(-limits.memory);
  const same = calls.filter(({ call, result }) => call === newest.call && result === newest.result);
  if (same.length >= limits.sameCall) return { type: "same-call", tool, times: same.length };
  const errors = trailing(
    calls,
    (each) => each.tool === tool && each.failed && each.result === newest.result,
  );
  if (errors >= limits.sameTool) return { type: "same-error", tool, times: errors };
  const row = limits.repeatable ? 0 : callsWithoutProgress(calls, tool);
  if (row >= limits.sameTool) return { type: "same-tool", tool, times: row };
  return cycleIn(calls, settings);
}

/** How many calls of the tool at the end brought nothing new; different ones of a round are one. */
function callsWithoutProgress(calls: readonly Observation[], tool: string): number {
  const successes = calls.filter((each) => each.tool === tool && !each.failed);
  const isOnly = (key: "call" | "result", call: Observation): boolean =>
    !call.failed && successes.filter((each) => each[key] === call[key]).length === 1;
  const row = trailing(
    calls,
    (each) => each.tool === tool && !(isOnly("call", each) && isOnly("result", each)),
  );
  return calls
    .slice(calls.length - row)
    .filter((each, index) => index === 0 || each.joined !== true || !isOnly("call", each)).length;
}

/** How many calls at the end are like that. */
function trailing(calls: readonly Observation[], isAlike: (call: Observation) => boolean): number {
  return calls.length - 1 - calls.findLastIndex((call) => !isAlike(call));
}

/** A-B-A-B at the end. */
function cycleIn(
  calls: readonly Observation[],
  settings: DetectionSettings,
): Repetition | undefined {
  const [a, b, c, d] = calls.slice(-4);
  if (!a || !b || !c || !d) return undefined;
  if (a.call === b.call || a.call !== c.call || b.call !== d.call) return undefined;
  const both = [limitsOf(a.tool, settings), limitsOf(b.tool, settings)];
  const isPolling =
    both.every(({ repeatable }) => repeatable) && a.result !== c.result && b.result !== d.result;
  if (isPolling || both.some(({ exempt }) => exempt)) return undefined;
  return { type: "cycle", tools: [a.tool, b.tool] };
}
