import { isAutoId } from "../../core/grants.ts";
import type { Call, UsedTool } from "../../core/turn.ts";

/** Number of tools named in one line; further ones count as `others`. */
const maxNamed = 12;
const maxNameLength = 40;
const others = "…";
/** From this many on a number says how often. */
const maxMarks = 3;

/** What a turn has used so far, with a round's calls, all of which have ended. Pure. */
export function withUsed(used: readonly UsedTool[] = [], calls: readonly Call[]): UsedTool[] {
  const tools = new Map(used.map((tool) => [tool.name, tool]));
  for (const call of calls) {
    const isNamed = tools.has(call.name) || tools.size < maxNamed;
    const name = isNamed ? call.name.slice(0, 64) : others;
    const earlier = tools.get(name) ?? { name, done: 0, failed: 0 };
    const isDone = call.status === "done";
    tools.set(name, {
      ...earlier,
      done: earlier.done + (isDone ? 1 : 0),
      failed: earlier.failed + (isDone ? 0 : 1),
      ...(ranByAuto(call) ? { auto: true } : {}),
    });
  }
  return [...tools.values()];
}

/** A call that was denied at its start, because the mode had ended, did not run by it. */
const ranByAuto = ({ grant, failure }: Call): boolean =>
  grant !== undefined && isAutoId(grant) && failure !== "policy-denied";

/**
 * The tools of a turn as people see them below its answer, e.g. `⚙ fetch_url ✓ · calculate ✓✗`,
 * with `(auto)` where the permission mode replaced an approval; at most a few hundred characters, and empty where there are none. Pure.
 *
 * @param nameOf what a name on the wire is called.
 */
export function toolLine(used: readonly UsedTool[], nameOf: (wireName: string) => string): string {
  if (used.length === 0) return "";
  const tools = used.map(({ name, done, failed, auto }) => {
    const shown = name === others ? others : short(nameOf(name));
    return `${shown} ${marks("✓", done)}${marks("✗", failed)}${auto ? " (auto)" : ""}`;
  });
  return `⚙ ${tools.join(" · ")}`;
}

const marks = (mark: string, count: number): string =>
  count > maxMarks ? `${mark}×${count}` : mark.repeat(count);

const short = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1).toWellFormed()}…` : name;

/**
 * What the bot is quoted with, without the line below it: that was never the model's. Discord
 * quotes it with the asterisk of its italics. Pure.
 */
export function withoutToolLine(text: string): string {
  const last = text.lastIndexOf("\n");
  if (last < 0 || !/^\*?⚙ /u.test(text.slice(last + 1))) return text;
  let end = last;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}
