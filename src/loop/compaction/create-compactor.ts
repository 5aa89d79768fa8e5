import type { Logger } from "pino";
import { unreachable } from "../../core/errors.ts";
import type { CompactionEntry } from "../../core/history.ts";
import type { ModelChain } from "../../models/chain.ts";
import { maxTokensOf } from "../../models/tokens.ts";
import { runAgent, type AgentLoop } from "./agent/run-agent.ts";
import type { Asking } from "./ask-model.ts";
import type { Compactor } from "./compactor.ts";
import { countFor, countForPlan } from "./counting.ts";
import { partOf, type Part } from "./layout.ts";
import { measureContext, windowFor } from "./measure.ts";
import { needsCompaction } from "./needs.ts";
import { outlookOf } from "./outlook.ts";
import { betterOf, planCompaction, type Plan } from "./plan.ts";
import { recordOf } from "./record.ts";
import type { CompactionRequest } from "./request.ts";
import type { ContextSettings } from "./settings.ts";
import { summarise } from "./summarise.ts";
import { outlineOf } from "./summary.ts";

export interface CompactorDeps {
  readonly settings: ContextSettings;
  /** The models of the tier `compaction`. */
  readonly chain: () => ModelChain;
  readonly agent: AgentLoop;
  /** Milliseconds, never going back. */
  readonly monotonic: () => number;
  readonly log: Logger;
}

interface InVain {
  /**
   * The log position at which the view began: a reset or another compaction makes it another one.
   */
  readonly from: number;
  /** The context's size. */
  readonly tokens: number;
}

/** Chats and models for which it is remembered that nothing was to be gained. */
const maxRemembered = 1_000;

export function createCompactor(deps: CompactorDeps): Compactor {
  /**
   * By chat and model: when nothing was to be gained. Forgotten with the process, at the cost of a
   * look.
   */
  const inVain = new Map<string, InVain>();
  const remember = (key: string, found: InVain): void => {
    inVain.delete(key);
    inVain.set(key, found);
    for (const oldest of inVain.keys()) {
      if (inVain.size <= maxRemembered) break;
      inVain.delete(oldest);
    }
  };
  return {
    async check(request) {
      const key = `${request.chat} ${request.card.id}`;
      // A job may outlive the next append.
      const now = { ...request, transcript: [...request.transcript] };
      const { settings = deps.settings } = request;
      if (!(await isDue(settings, now, inVain.get(key)))) return undefined;
      const outlook = outlookOf({
        request: now,
        settings,
        count: await countForPlan(now, settings.protectPairs),
      });
      const plan = await planCompaction(outlook);
      if (plan === undefined) {
        const { beforeTokens: tokens, part } = outlook;
        remember(key, { from: beginningOf(part), tokens });
        return undefined;
      }
      inVain.delete(key);
      return plan;
    },
    async compact(plan, signal, observer = {}) {
      const { chat, turn, viewStart } = plan.outlook.request;
      const made = signal.aborted ? plan.record : await recordFor(deps, plan, { signal, observer });
      if (signal.aborted) return { type: "aborted" };
      const entry = betterOf(plan, made);
      const { strategy, model, tokensBefore, tokensAfter } = entry;
      deps.log.info(
        { chat, turn, strategy, model, tokensBefore, tokensAfter },
        "a conversation was compacted",
      );
      return {
        type: "compacted",
        entry,
        viewStart: Math.max(viewStart, entry.toSeq + 1),
      };
    },
  };
}

const beginningOf = ({ viewStart, start }: Part): number => viewStart + start;

/** The tokenizer is not loaded as long as a bound that costs nothing says that there is room. */
async function isDue(
  { compactAt }: ContextSettings,
  request: CompactionRequest,
  inVain: InVain | undefined,
): Promise<boolean> {
  if (request.why !== "checkpoint") return true;
  const { card, options, messages, tools } = request;
  const windowTokens = windowFor(card, options);
  const part = partOf(request.transcript, request.viewStart, request.turn);
  const sizes = { part, messages, tools };
  const atMost = measureContext({ ...sizes, count: maxTokensOf }).tokens;
  if (atMost < compactAt * windowTokens) return false;
  const count = await countFor((each) => measureContext({ ...sizes, count: each }));
  const { tokens } = measureContext({ ...sizes, count });
  const { last } = part;
  return needsCompaction({
    tokens,
    windowTokens,
    compactAt,
    last,
    inVainAtTokens: inVain?.from === beginningOf(part) ? inVain.tokens : undefined,
  });
}

async function recordFor(
  deps: CompactorDeps,
  plan: Plan,
  { signal, observer }: Pick<Asking, "signal" | "observer">,
): Promise<CompactionEntry> {
  const { strategy } = plan.outlook.settings;
  // Where it is enough to cut old results, there is nothing to summarise.
  if (plan.extent.cut <= plan.outlook.part.start) return plan.record;
  switch (strategy) {
    case "truncate":
      return plan.record;
    case "summarise":
    case "agent": {
      const { monotonic, agent: loop } = deps;
      const asking = { chain: deps.chain(), signal, observer, monotonic };
      const mayUseTools = strategy === "agent" && asking.chain.card.tools;
      const made = mayUseTools ? await runAgent({ plan, asking, loop }) : undefined;
      if (made !== undefined || signal.aborted) return made ?? plan.record;
      return await summarised(plan, asking);
    }
    default:
      return unreachable(strategy);
  }
}

async function summarised(plan: Plan, asking: Asking): Promise<CompactionEntry> {
  const { outlook } = plan;
  const outline = outlineOf(outlook, plan.extent.cut);
  const { summary, model } = await summarise(outlook, outline, asking);
  return model === undefined
    ? plan.record
    : recordOf(outlook, plan.extent, { summary, strategy: "summarise", model });
}
