import type { LogEntry } from "../../core/history.ts";
import { activateTool, skillOf } from "../../core/skill.ts";
import { keptSkillOf } from "./kept-skill.ts";
import { selectEntries } from "./select-entries.ts";

/**
 * The names of the skills whose text the model still sees in this conversation: in a result, or
 * kept by the newest compaction. Pure.
 */
export function activeSkills(transcript: readonly LogEntry[], viewStart: number): Set<string> {
  const names = selectEntries(transcript, viewStart).shown.map((piece) =>
    piece.type === "result" && piece.entry.name === activateTool && !piece.entry.failure
      ? skillOf(piece.entry.text)
      : undefined,
  );
  const reset = transcript.findLastIndex(({ kind }) => kind === "reset");
  const compaction = transcript.slice(reset + 1).findLast((entry) => entry.kind === "compaction");
  const kept = compaction?.kept.map(keptSkillOf) ?? [];
  return new Set([...names, ...kept].filter((name) => name !== undefined));
}
