/**
 * When to run the chat again: at once, after some milliseconds, or when it is
 * woken.
 */
export type TurnResult =
  | { readonly type: "done" }
  | { readonly type: "again" }
  | { readonly type: "later"; readonly inMs: number }
  /** It is paused: nothing more was opened, and it is looked at again by itself. */
  | { readonly type: "held" };
