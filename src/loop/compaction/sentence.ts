import type { CompactionEntry } from "../../core/history.ts";

/** What a person reads of a compaction: one quiet line. */
export const compactedSentence = ({
  tokensBefore,
  tokensAfter,
}: Pick<CompactionEntry, "tokensBefore" | "tokensAfter">): string =>
  `Shortened our earlier conversation: about ${rounded(tokensBefore)} → ${rounded(tokensAfter)} tokens. Nothing is deleted; /export has every word.`;

/** To three figures: it is an estimate. */
const rounded = (tokens: number): string =>
  tokens.toLocaleString("en-US", { maximumSignificantDigits: 3 });
