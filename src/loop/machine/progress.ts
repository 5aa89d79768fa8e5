import { unreachable } from "../../core/errors.ts";
import type { TurnEvent } from "./apply.ts";

/**
 * Whether a turn got further with an event: whoever goes on after a crash does not come back to before it. A step that is
 * only begun, or begun again, is none; nor is the detour of a compaction, which shortens the view only where it wrote one.
 * Pure.
 */
export function isProgress({ type }: TurnEvent): boolean {
  switch (type) {
    case "model-answered":
    case "call-settled":
    case "approval-decided":
    case "call-asked-again":
    case "round-closed":
    case "ended":
    // A file is never read twice: one that ended its worker is behind the turn.
    case "reading-ended":
      return true;
    case "model-call-started":
    case "model-call-lost":
    case "model-call-withdrawn":
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
