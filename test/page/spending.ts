import { spansAt } from "../../src/core/limit-windows.ts";
import { limitedChat } from "../../src/core/limit-scopes.ts";
import { spentEntries, spentPrefix } from "../../src/store/limits/spent.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import type { Place } from "../ingress/open-ingress.ts";

const metrics = ["usd", "tokens", "count"] as const;

/** What the scripts wrote when someone spent this on an earlier day. */
export async function spentAt(
  { redis }: Pick<Store, "redis">,
  atMs: number,
  { place, model, usd, tokens }: SpentCall,
): Promise<void> {
  const names = { person: place.person.id, chat: limitedChat(place.chat) };
  const entries = spentEntries(names, tookOf({ model, usd, tokens }), spansAt(atMs));
  for (const [name, member, , ...amounts] of entries)
    for (const [index, metric] of metrics.entries())
      await redis.zincrby(
        `${spentPrefix}${name}:${metric}`,
        Number(amounts[index]),
        String(member),
      );
}

export interface SpentCall {
  readonly place: Place;
  readonly model: string;
  readonly usd: number;
  readonly tokens: number;
}

/** A turn of one call. */
export const tookOf = ({ model, usd, tokens }: Omit<SpentCall, "place">) => ({
  inputTokens: tokens,
  outputTokens: 0,
  tokens,
  costUsd: usd,
  isFirst: true,
  turns: 1,
  models: { [model]: { requests: 1, inputTokens: tokens, outputTokens: 0, costUsd: usd } },
});
