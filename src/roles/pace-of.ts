import type { Settings } from "../config/settings.ts";
import type { Bot } from "../core/ports.ts";
import { createPace, type Pace } from "../store/limits/pace.ts";
import type { Services } from "../services.ts";

/**
 * The bot's rate limit across all processes; undefined where none is needed.
 */
export function paceOf(
  { settings, store }: Pick<Services, "settings" | "store">,
  { id, sender }: Pick<Bot, "id" | "sender">,
): Pace | undefined {
  const { limits, platform } = sender;
  if (limits === undefined) return undefined;
  const count = requestsPerSecond(settings, platform);
  if (count === undefined) return createPace(store, id, limits);
  // A fifth of it may come at once, as with the limits that are ours.
  const burst = Math.max(1, Math.floor(count / 5));
  const bot = { count, perMs: 1_000, burst: Math.min(burst, count - 1) };
  return createPace(store, id, { ...limits, bot });
}

/** The operator's limit for the platform. */
function requestsPerSecond(
  { telegram, discord }: Settings,
  platform: Bot["sender"]["platform"],
): number | undefined {
  if (platform === "telegram" && telegram.enabled) return telegram.requestsPerSecond;
  if (platform === "discord" && discord.enabled) return discord.requestsPerSecond;
  return undefined;
}
