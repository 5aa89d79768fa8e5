import type { OfferedTool, Tool } from "../core/tool.ts";
import type { possibleVerdicts } from "./tool-policy.ts";

/** UTF-16 units of a description that people are shown. */
const maxDescriptionLength = 200;

/**
 * The tools that models may use, as shown to people: by name, without those
 * that the policy denies. Pure.
 */
export const offeredTools = (
  tools: readonly Tool[],
  verdicts: ReturnType<typeof possibleVerdicts>,
): readonly OfferedTool[] =>
  tools
    .flatMap((tool) => {
      const asks = whenAsked(tool, verdicts);
      const { name, effect } = tool;
      return asks === undefined
        ? []
        : [{ name, description: firstSentence(tool.description), asks, effect }];
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Whether a rule lets any call of this tool run, asked or not. Pure. */
export const mayRun = (tool: Tool, verdicts: ReturnType<typeof possibleVerdicts>): boolean =>
  whenAsked(tool, verdicts) !== undefined;

/** Undefined: it never runs. */
function whenAsked(
  { name, asks }: Tool,
  verdicts: ReturnType<typeof possibleVerdicts>,
): OfferedTool["asks"] | undefined {
  const declared = {
    always: ["confirm"],
    never: ["run"],
    sometimes: ["confirm", "run"],
  } as const;
  const possible = new Set(declared[asks].flatMap((each) => [...verdicts(name, each)]));
  if (possible.has("confirm")) return possible.has("run") ? "sometimes" : "always";
  return possible.has("run") ? "never" : undefined;
}

/** Descriptions are written for models: people only need the first sentence. */
function firstSentence(description: string): string {
  const line = description.trim().replaceAll(/\s+/g, " ");
  const end = /[.!?](?= [A-Z])|\.$/.exec(line)?.index ?? line.length;
  return line.slice(0, Math.min(end, maxDescriptionLength)).toWellFormed();
}
