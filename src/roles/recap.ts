import type { Remark } from "../bots/console/format/header.ts";
import type { HistoryEntry } from "../store/turns/history.ts";

/** Remarks of a recap: two exchanges, as a rule. */
const maxRemarks = 4;

/** What was said last in the conversation that goes on, the oldest first. Pure. */
export function recapOf(entries: readonly HistoryEntry[]): readonly Remark[] {
  let said: (Remark & { readonly position: number })[] = [];
  for (const { position, entry } of entries)
    switch (entry.kind) {
      case "message":
        said.push({ by: "person", text: entry.auto?.goal ?? entry.text, position });
        break;
      case "assistant":
      case "end":
        said.push({ by: "bot", text: entry.text ?? "", position });
        break;
      case "reset":
        said = [];
        break;
      case "undo":
        said = said.filter((each) => each.position < entry.fromSeq);
        break;
      default:
    }
  return said
    .filter(({ text }) => text.trim() !== "")
    .slice(-maxRemarks)
    .map(({ by, text }) => ({ by, text }));
}
