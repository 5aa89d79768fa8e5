import type { CompactionEntry } from "../../core/history.ts";
import type { CompactionObserver } from "./ask-model.ts";
import type { Plan } from "./plan.ts";
import type { CompactionRequest } from "./request.ts";

/** What is to be compacted, and how far. */
export type CompactionJob = Plan;

export type CompactionOutcome =
  /** To be appended; from then on the view begins at `viewStart`. */
  | {
      readonly type: "compacted";
      readonly entry: CompactionEntry;
      readonly viewStart: number;
    }
  /** The signal came first; nothing is to be appended. */
  | { readonly type: "aborted" };

export interface Compactor {
  /**
   * Whether a request's view has to be shortened, and how far. Undefined: it is small enough, or
   * nothing is to be gained. Costs next to nothing while a conversation is short.
   */
  check(request: CompactionRequest): Promise<CompactionJob | undefined>;
  /** Never throws for a model's failure: what no model shortens is cut. */
  compact(
    job: CompactionJob,
    signal: AbortSignal,
    observer?: CompactionObserver,
  ): Promise<CompactionOutcome>;
}
