import { isBlank } from "../../text/blank.ts";
import type { LogEntry } from "../../core/history.ts";
import type { ModelCard, RequestImage, RequestMessage } from "../../core/model.ts";
import { fromPlatform, recalledLead } from "./platform-words.ts";
import { groupRounds } from "./group-rounds.ts";
import { shortResults, type ReducibleTool } from "./reduce-results.ts";
import { selectEntries } from "./select-entries.ts";
import { writeParts } from "./write-parts.ts";

export interface ViewInput {
  readonly transcript: readonly LogEntry[];
  /** The log position of the transcript's first entry. */
  readonly viewStart: number;
  /** The open turn; absent: none is. */
  readonly turn?: number;
  readonly card: Pick<ModelCard, "id" | "tools" | "thinking">;
  /** Pictures that were loaded, by their blobs; of any other one a line says that it was there. */
  readonly images?: ReadonlyMap<string, RequestImage>;
  /** The blocks that lead, each already capped; blank ones are left out. */
  readonly context: readonly string[];
  readonly tool: ReducibleTool;
  /** How many turns stay whole, the open one included. */
  readonly keepTurns: number;
  /** What is so just now, in the platform's voice: in front of the newest message. */
  readonly latest?: string;
  /** What was said before this conversation, quoted: next to `latest`. Absent or empty: nothing. */
  readonly recalled?: string;
  /** A one-time hint for the model at the end, in the platform's voice. */
  readonly hint?: string | undefined;
}

export interface RequestView {
  readonly messages: readonly RequestMessage[];
  /**
   * Every way in which the view differs from the plain history, in words: `repair: …` for what
   * should not have been in it, and `compaction`, `undo`, `masking`, `reduction`, `reasoning`,
   * `blank`, `images`, `edit`, `closed`, `latest`, `hint`.
   */
  readonly diagnostics: readonly string[];
}

/**
 * What one model call sees of a chat: the context blocks, then the history since the last reset,
 * shortened, translated and repaired so that every provider takes it. The history itself is never
 * changed. Pure and deterministic; linear in the transcript's length; never throws, whatever the
 * history.
 */
export function buildRequestView(input: ViewInput): RequestView {
  const { transcript, viewStart, turn, card, context, latest = "", recalled = "", hint } = input;
  const selection = selectEntries(transcript, viewStart, { openTurn: turn, inPieces: true });
  const parts = groupRounds(selection.shown);
  const short = shortResults(parts, input);
  const view = writeParts(parts, {
    card,
    short,
    readings: selection.readings,
    images: input.images ?? new Map(),
  }).finish(
    [latest, isBlank(recalled) ? "" : `${fromPlatform(recalledLead)}\n${recalled}`],
    hint === undefined || isBlank(hint) ? undefined : fromPlatform(hint),
  );
  const blocks = context
    .filter((text) => !isBlank(text))
    .map((text): RequestMessage => ({ role: "system", text }));
  return {
    messages: blocks.concat(view.messages),
    diagnostics: [...selection.diagnostics, ...view.diagnostics],
  };
}
