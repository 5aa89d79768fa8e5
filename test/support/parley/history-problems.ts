import type { LogEntry } from "../../../src/core/history.ts";

type Assistant = LogEntry & { readonly kind: "assistant" };
type Result = LogEntry & { readonly kind: "tool" };

/**
 * What no history of an idle chat may have: a call without exactly one result behind it, in the
 * order of the calls; a result that no one asked for, or whose text does not begin with its
 * failure; a turn that goes on behind its end; a message that nothing answers or ends.
 */
export function historyProblems(entries: readonly LogEntry[]): string[] {
  const problems: string[] = [];
  const ended = new Set<number>();
  let isOpen = false;
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] as LogEntry;
    if ("turn" in entry && ended.has(entry.turn))
      problems.push(`${index}: ${entry.kind} behind the end of its turn`);
    switch (entry.kind) {
      case "message":
        isOpen = true;
        break;
      case "assistant": {
        const results = resultsBehind(entries, index);
        problems.push(...resultProblems(entry, results).map((each) => `${index}: ${each}`));
        index += results.length;
        isOpen = entry.calls.length > 0;
        break;
      }
      case "tool":
        problems.push(`${index}: a result of ${entry.name} without a call`);
        break;
      case "end":
        ended.add(entry.turn);
        isOpen = false;
        break;
      case "edit":
      case "reading":
      case "reset":
      case "undo":
      case "compaction":
        break;
      default:
        entry satisfies never;
    }
  }
  if (isOpen) problems.push("its last turn has no end");
  return problems;
}

function resultsBehind(entries: readonly LogEntry[], at: number): Result[] {
  const behind = entries.slice(at + 1);
  const next = behind.findIndex(({ kind }) => kind !== "tool");
  return behind.slice(0, next < 0 ? undefined : next) as Result[];
}

function resultProblems(
  { calls, turn, round, partial }: Assistant,
  results: readonly Result[],
): string[] {
  const keyOf = (of: { index: number; name: string }): string =>
    `${turn}.${round}.${of.index} ${of.name}`;
  const asked = calls.map(keyOf).join(", ");
  const answered = results
    .map((each) => `${each.turn}.${each.round}.${each.index} ${each.name}`)
    .join(", ");
  return [
    ...(asked === answered ? [] : [`calls [${asked}] have results [${answered}]`]),
    ...(partial === true && calls.length > 0 ? ["a part has calls"] : []),
    ...results
      .filter(({ failure, text }) => failure !== undefined && !text.startsWith(`${failure}: `))
      .map(({ failure, text }) => `a ${failure} reads: ${text}`),
  ];
}
