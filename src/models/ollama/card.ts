import { z } from "zod";
import type { ModelCard } from "../../core/model.ts";
import type { CardFields, Found } from "../card-source.ts";
import { defined } from "../defined.ts";

/** The response of `/api/show`; older servers report less. */
const showSchema = z.object({
  capabilities: z.array(z.string()).optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** A window that an ordinary machine has memory for, though the model may know a larger one. */
const defaultContextWindow = 8192;

/** Until the server was asked: what most models can do. */
export function presumedCard(id: string): ModelCard {
  return {
    id,
    tools: true,
    vision: false,
    thinking: false,
    // The wire has no tool_choice.
    toolChoiceNone: false,
    streaming: true,
    jsonMode: true,
    embeddings: false,
    settableTemperature: true,
    settableKeepAlive: true,
    settableContext: true,
    contextWindow: defaultContextWindow,
  };
}

export function readShow(shown: unknown): Found {
  const parsed = showSchema.safeParse(shown);
  return { card: parsed.success ? cardFields(parsed.data) : {}, final: true };
}

function cardFields(shown: z.infer<typeof showSchema>): CardFields {
  const { capabilities, model_info: info = {} } = shown;
  const can = (name: string): boolean | undefined => capabilities?.includes(name);
  const known = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  return defined({
    tools: can("tools"),
    vision: can("vision"),
    thinking: can("thinking"),
    embeddings: can("embedding"),
    contextWindow:
      typeof known === "number" && known > 0 ? Math.min(known, defaultContextWindow) : undefined,
  });
}
