import type { ToolSpec } from "../core/model.ts";

const maxNames = 40;

/**
 * A sentence for the system prompt of a model that cannot call tools, so that it says what it
 * cannot do instead of pretending; undefined where there are no tools. Pure.
 */
export function toolsUnavailableNote(specs: readonly ToolSpec[]): string | undefined {
  if (specs.length === 0) return undefined;
  const names = specs.slice(0, maxNames).map(({ name }) => name);
  const rest = specs.length - names.length;
  const list = names.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return (
    `You cannot call tools in this conversation. This chat has some (${list}), but they are out of your reach: ` +
    "when someone asks for what only a tool could do, say so, and never claim to have used one."
  );
}
