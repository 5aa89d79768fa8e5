import type { CompactionEntry } from "../../core/history.ts";

/**
 * After an attempt that did not help, the context has to grow by this share of the window before
 * the next.
 */
const growth = 0.1;

/**
 * Whether the view has to be shortened before the next model call. Not again in a row: where the
 * last compaction could not bring it below the trigger, or the last look found nothing to gain, it
 * has to have grown first, unless it does not fit into the window at all: then each call is worth a
 * look. Pure.
 */
export function needsCompaction(state: {
  /** Of the next request. */
  readonly tokens: number;
  readonly windowTokens: number;
  /** The share of the window from which on it is compacted. */
  readonly compactAt: number;
  /** The newest compaction since the last reset. */
  readonly last: Pick<CompactionEntry, "tokensAfter"> | undefined;
  /** How large it was when nothing was to be gained. */
  readonly inVainAtTokens: number | undefined;
}): boolean {
  const { tokens, windowTokens, last, inVainAtTokens } = state;
  const triggerTokens = state.compactAt * windowTokens;
  if (tokens < triggerTokens) return false;
  if (tokens >= windowTokens) return true;
  const grown = growth * windowTokens;
  if (inVainAtTokens !== undefined && tokens < inVainAtTokens + grown) return false;
  const helped = last === undefined || last.tokensAfter < triggerTokens;
  return helped || tokens >= last.tokensAfter + grown;
}
