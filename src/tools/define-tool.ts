import { PermanentError } from "../core/errors.ts";
import type { Conversation, Tool, ToolDefinition } from "../core/tool.ts";

/** The context of a call without a known conversation. */
const unknown: Conversation = { names: () => false };

/** The optional parts of a tool; see `ToolDefinition`. */
type Defaulted = "timeoutMs" | "maxResultLength";

/**
 * Declares a tool. Time limit: 60 s; results are cut at 16,000 characters.
 * @throws PermanentError for a name that no provider would take.
 */
export function defineTool<Arguments>(
  definition: Omit<ToolDefinition<Arguments>, Defaulted> &
    Partial<Pick<ToolDefinition<Arguments>, Defaulted>>,
): Tool {
  if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(definition.name)) {
    throw new PermanentError(
      `"${definition.name}" cannot be a tool's name: letters, digits, _ and - only, parts joined by "."`,
    );
  }
  const { confirm, cardFacts, loopKey, ...rest } = definition;
  return {
    timeoutMs: 60_000,
    maxResultLength: 16_000,
    ...rest,
    // The arguments were parsed by this definition's own `parameters`.
    ...(cardFacts === undefined
      ? {}
      : { cardFacts: (given, asking) => cardFacts(given as Arguments, asking) }),
    ...(loopKey === undefined ? {} : { loopKey: (given: unknown) => loopKey(given as Arguments) }),
    asks: typeof confirm === "function" ? "sometimes" : confirm,
    confirm: (given, conversation = unknown) =>
      typeof confirm === "function"
        ? confirm(given as Arguments, conversation)
        : confirm === "always",
    run: (given, context) => definition.run(given as Arguments, context),
  };
}
