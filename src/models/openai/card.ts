import type { ModelCard } from "../../core/model.ts";
import type { Dialect } from "./dialect.ts";

/**
 * The o-series and gpt-5 know only `max_completion_tokens` and refuse every temperature but their
 * own.
 */
const reasoningFamily = /(?:^|\/)(?:o\d|gpt-5)(?!.*chat)/;
const blindFamily = /^(?:gpt-3\.5|gpt-4(?:$|-\d{4}|-32k)|o1-mini|o3-mini)/;

export function isReasoningModel(model: string): boolean {
  return reasoningFamily.test(model);
}

/** The presumed card of a model until the server has answered. */
export function presumedCard(options: {
  /** `provider/model`. */
  readonly id: string;
  /** As the server calls it. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly isOfficial: boolean;
}): ModelCard {
  const { id, model, dialect, isOfficial } = options;
  const reasons = isReasoningModel(model);
  return {
    tools: true,
    vision: isOfficial && !blindFamily.test(model),
    thinking: isOfficial && reasons,
    toolChoiceNone: true,
    streaming: true,
    jsonMode: true,
    embeddings: false,
    settableTemperature: !reasons,
    settableKeepAlive: false,
    settableContext: false,
    contextWindow: 128_000,
    ...dialect.card,
    id,
  };
}
