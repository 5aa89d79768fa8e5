/** Which part of a set is read: a page of a list never reads all of it. */
export interface PartOfAll {
  /** `0`: the first one. */
  readonly cursor: string;
  /** About so many; a small set comes as a whole. */
  readonly count: number;
}

/** What exists all the time is in one part at least, and perhaps in two. */
export interface Part<Found> {
  readonly found: readonly Found[];
  /** The next one's cursor; `0`: this was the last one. */
  readonly next: string;
}
