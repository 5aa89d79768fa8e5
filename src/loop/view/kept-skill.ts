import { activateTool, skillOf } from "../../core/skill.ts";

/** What a result begins with that a compaction keeps. */
const resultHead = /^Result of [^\n]*\n/;

/** The skill whose text a compaction has kept with this. Undefined: it is something else. */
export function keptSkillOf(kept: string): string | undefined {
  const [head] = resultHead.exec(kept) ?? [];
  return head?.startsWith(`Result of ${activateTool} `)
    ? skillOf(kept.slice(head.length))
    : undefined;
}
