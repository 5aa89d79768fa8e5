import type { OfferedTool, Tool } from "../core/tool.ts";
import type { toolPolicy } from "./tool-policy.ts";

/** UTF-16 units of a description that people are shown. */
const maxDescriptionLength = 200;

/** The tools that models may use, as people are told of them: by name, without those that the policy denies. Pure. */
export const offeredTools = (
  tools: readonly Tool[],
  policy: ReturnType<typeof toolPolicy>,
): readonly OfferedTool[] =>
  tools
    .flatMap((tool) => {
      const asks = whenAsked(tool, policy);
      const { name } = tool;
      return asks === undefined
        ? []
        : [{ name, description: firstSentence(tool.description), asks }];
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Undefined: it never runs. */
function whenAsked(
  { name, asks }: Tool,
  policy: ReturnType<typeof toolPolicy>,
): OfferedTool["asks"] | undefined {
  const free = policy(name, "run").type;
  const asking = policy(name, "confirm").type;
  if (free === "deny") return undefined;
  const fixed = free === asking;
  if (asks === "sometimes" && !fixed) return "sometimes";
  return (asks === "always" ? asking : free) === "confirm" ? "always" : "never";
}

/** Descriptions are written for models: people need to know what it is about. */
function firstSentence(description: string): string {
  const line = description.trim().replaceAll(/\s+/g, " ");
  const end = /[.!?](?= [A-Z])|\.$/.exec(line)?.index ?? line.length;
  return line.slice(0, Math.min(end, maxDescriptionLength)).toWellFormed();
}
