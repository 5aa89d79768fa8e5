import { unreachable } from "../../core/errors.ts";
import type { TurnEvent } from "./apply.ts";

/**
 * Whether an event is progress: after a crash, the next worker doesn't return
 * to before it. A step that only begins or restarts isn't progress, nor is a
 * compaction, which shortens the view only when it has written a summary. Pure.
 */
export function isProgress({ type }: TurnEvent): boolean {
  switch (type) {
    case "model-answered":
    case "call-settled":
    case "approval-decided":
    case "call-asked-again":
    case "round-closed":
    case "ended":
    // A file is never read twice: one that crashed its reader counts as read.
    case "reading-ended":
    case "kept":
      return true;
    case "model-call-started":
    case "model-call-lost":
    case "model-call-withdrawn":
    case "kept-ended":
    case "told-to-wait":
    case "compaction-started":
    case "compaction-ended":
    case "compaction-lost":
    case "calls-started":
    case "calls-withdrawn":
    case "reading-started":
    case "files-kept":
    case "resumed":
      return false;
    default:
      return unreachable(type);
  }
}
