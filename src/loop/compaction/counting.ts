import { countAhead, type CountTokens } from "../../models/tokens.ts";
import { layoutOf, partOf } from "./layout.ts";
import { keptOf } from "./kept.ts";
import { linesOf } from "./lines.ts";
import { estimateRequest, measureContext } from "./measure.ts";
import type { CompactionRequest } from "./request.ts";
import { wantedTokens } from "./summary.ts";

/**
 * A counter that precomputes what a measure will ask. A plan is made in small
 * steps, but the first of them would count a whole conversation and block the
 * process.
 *
 * @param measure asks for the same texts regardless of the counts.
 */
export async function countFor(measure: (count: CountTokens) => unknown): Promise<CountTokens> {
  const texts: string[] = [];
  measure((text) => {
    texts.push(text);
    return 0;
  });
  return await countAhead(texts);
}

/** A count that knows what a plan for this request asks it. */
export function countForPlan(
  request: CompactionRequest,
  protectPairs: number,
): Promise<CountTokens> {
  const { transcript, viewStart, turn, messages, tools, tool } = request;
  const part = partOf(transcript, viewStart, turn);
  const { cuts, openFrom } = layoutOf(part, { turn, protectPairs });
  const cut = cuts.at(-1) ?? part.start;
  return countFor((count) => {
    measureContext({ part, messages, tools, count });
    estimateRequest(messages, tools, count);
    wantedTokens(linesOf(part, part.start, cut), count);
    const [roomTokens, skillTokens] = [Infinity, Infinity];
    keptOf({ part, cut, turn, openFrom, tool, roomTokens, skillTokens, count });
  });
}
