import type { CompactionEntry } from "../../core/history.ts";
import type { CountTokens } from "../../models/tokens.ts";
import type { ContextSettings } from "./settings.ts";
import { buildRequestView } from "../view/build-request-view.ts";
import { layoutOf, partOf, type Layout, type Part } from "./layout.ts";
import { estimateRequest, measureContext, windowFor } from "./measure.ts";
import { lineShortener, type ShortenLine } from "./shorten.ts";
import type { CompactionRequest } from "./request.ts";

/**
 * A conversation that may have to be shortened: how large it is, how large it may be, where it can
 * be cut.
 */
export interface Outlook {
  readonly request: CompactionRequest;
  readonly settings: ContextSettings;
  readonly count: CountTokens;
  readonly shorten: ShortenLine;
  readonly part: Part;
  readonly layout: Layout;
  readonly windowTokens: number;
  /** Of the next request as it is. */
  readonly beforeTokens: number;
  /** How the provider's tokens, in which all sizes are, relate to what `count` counts. */
  readonly scale: number;
  /** To which it is to be brought. */
  readonly targetTokens: number;
  /** There is room enough below this: nothing that is protected is given up for more. */
  readonly roomyTokens: number;
  /**
   * Where that cannot be had without what is protected: what is good enough, and what is where even
   * that cannot be reached, because what leads the request and its tools take most of the window.
   */
  readonly goalsTokens: readonly number[];
  /** Less than this is no gain. */
  readonly minGainTokens: number;
  /** At most so long is a summary, the earlier one's part included. As `count` counts. */
  readonly summaryTokens: number;
  /** Maximum size of the verbatim part. As `count` counts. */
  readonly keptTokens: number;
  /** Of which active skills may take this much more. */
  readonly skillTokens: number;
  /** Of the next request, as it would be with this record appended. */
  tokensWith(record: CompactionEntry): number;
}

/**
 * A summary takes at most half of the target; longer ones than this aren't
 * needed, and few models write them.
 */
const maxSummaryTokens = 8_000;
const minSummaryTokens = 200;
/** Shares of the window. */
const headroom = 0.1;
const full = 0.9;
const minGain = 0.05;
const keptShare = 0.2;
const skillShare = 0.2;
/** Of the whole, when a person asks for it. */
const minGainAsked = 0.1;

/** Pure. */
export function outlookOf(given: {
  readonly request: CompactionRequest;
  readonly settings: ContextSettings;
  readonly count: CountTokens;
}): Outlook {
  const { request, settings, count } = given;
  const { transcript, viewStart, turn, messages, tools, why } = request;
  const part = partOf(transcript, viewStart, turn);
  const toolTokens = estimateRequest([], tools, count);
  const estimated = estimateRequest(messages, [], count) + toolTokens;
  const measured = measureContext({ part, messages, tools, count }).tokens;
  // A server that refuses a request as too long may have counted the one before too low.
  const beforeTokens = why === "overflow" ? Math.max(measured, estimated) : measured;
  const cardTokens = windowFor(request.card, request.options);
  // A request that was refused as too long shows how much less room there is than the card says.
  const windowTokens = why === "overflow" ? Math.min(cardTokens, beforeTokens) : cardTokens;
  const targetTokens =
    settings.compactTo * (why === "asked" ? Math.min(windowTokens, beforeTokens) : windowTokens);
  const share = (of: number): number => Math.max(targetTokens, of * windowTokens);
  const { compactAt, protectPairs } = settings;
  const roomyTokens = share(compactAt - headroom);
  const layout = layoutOf(part, { turn, protectPairs });
  const scale = scaleOf(beforeTokens, estimated);
  return {
    request,
    settings,
    count,
    shorten: lineShortener(count),
    part,
    layout,
    windowTokens,
    beforeTokens,
    scale,
    targetTokens,
    roomyTokens,
    goalsTokens: [
      // An open turn that uses tools grows on: with hardly any room it would be compacted in every
      // round.
      ...(isGrowing(layout) ? [targetTokens, (targetTokens + roomyTokens) / 2] : []),
      roomyTokens,
      share(compactAt),
      share(full),
    ],
    minGainTokens: why === "asked" ? minGainAsked * beforeTokens : minGain * windowTokens,
    summaryTokens: Math.max(
      minSummaryTokens,
      Math.min(maxSummaryTokens, Math.floor(targetTokens / 2 / scale)),
    ),
    keptTokens: (keptShare * windowTokens) / scale,
    skillTokens: (skillShare * windowTokens) / scale,
    tokensWith(record) {
      const view = buildRequestView({
        ...request,
        transcript: [...transcript, record],
        keepTurns: settings.keepTurns,
      });
      const tokens = estimateRequest(view.messages, [], count) + toolTokens;
      return Math.round(scale * tokens);
    },
  };
}

/** Whether the open turn has older rounds. */
const isGrowing = ({ cuts, openFrom }: Layout): boolean => cuts.some((cut) => cut > openFrom);

/**
 * How the provider's tokens relate to our estimate; what lies beyond that is no measure but a
 * mistake.
 */
const scaleOf = (tokens: number, estimated: number): number =>
  estimated === 0 ? 1 : Math.min(4, Math.max(0.25, tokens / estimated));
