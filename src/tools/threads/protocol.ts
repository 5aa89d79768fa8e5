/**
 * What a thread of ours says: `ready` when its libraries are loaded and the work begins (its time limit counts from
 * there), then what came out. Its input is its `workerData`.
 */
export type ThreadMessage =
  { readonly type: "ready" } | { readonly type: "done"; readonly text: string };
