import type { CountTokens } from "../../models/tokens.ts";
import { countFor } from "../compaction/counting.ts";
import { layoutOf, partOf } from "../compaction/layout.ts";
import { estimateFrom, estimateRequest, windowFor } from "../compaction/measure.ts";
import type { CompactionRequest } from "../compaction/request.ts";

/**
 * What to shorten when a request doesn't fit into the model's window and compaction can't help: the
 * system messages and the tools (`setup-too-long`), the question and its tool results
 * (`turn-too-long`) or what was said before (`context-overflow`).
 */
export type TooLong = "setup-too-long" | "turn-too-long" | "context-overflow";

/** The setup where it fills the window on its own, else the largest of the three. */
export async function findTooLong(request: CompactionRequest): Promise<TooLong> {
  const sizesOf = measurer(request);
  const { setup, turn, earlier } = sizesOf(await countFor(sizesOf));
  const isFull = setup >= windowFor(request.card, request.options);
  if (isFull || setup >= Math.max(turn, earlier)) return "setup-too-long";
  return turn > earlier ? "turn-too-long" : "context-overflow";
}

/**
 * Whether a request fills more than half of its model's presumed window, so that a refusal without
 * words for it may mean its length.
 */
export async function fillsHalf({
  messages,
  tools,
  card,
  options,
}: CompactionRequest): Promise<boolean> {
  const sizeOf = (count: CountTokens): number => estimateRequest(messages, tools, count);
  return sizeOf(await countFor(sizeOf)) > windowFor(card, options) / 2;
}

interface Sizes {
  readonly setup: number;
  readonly turn: number;
  readonly earlier: number;
}

/** Measures the parts of a request in tokens. */
function measurer({
  transcript,
  viewStart,
  turn,
  messages,
  tools,
}: CompactionRequest): (count: CountTokens) => Sizes {
  const part = partOf(transcript, viewStart, turn);
  const { openFrom } = layoutOf(part, { turn, protectPairs: 0 });
  const leading = messages.findIndex(({ role }) => role !== "system");
  const lead = leading < 0 ? messages.length : leading;
  return (count) => {
    const setup = estimateRequest(messages.slice(0, lead), tools, count);
    const all = setup + estimateRequest(messages.slice(lead), [], count);
    const turnTokens = estimateFrom(part, openFrom, count);
    return {
      setup,
      turn: turnTokens,
      earlier: all - setup - turnTokens,
    };
  };
}
