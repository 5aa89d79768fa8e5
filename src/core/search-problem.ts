/** What the operator can do about a web search that fails. */
export type SearchFix =
  | { readonly kind: "start" | "address" | "json" | "login" | "engines" | "again" }
  | { readonly kind: "account"; readonly url: string };

/** Why a web search doesn't work; without a cause it finds nothing. */
export interface SearchProblem {
  /** A sentence in English, as the model reads it. */
  readonly cause?: string;
  readonly fix: SearchFix;
}
