import type { Settings } from "../config/settings.ts";
import { PermanentError } from "../core/errors.ts";

/**
 * Settings that are read and checked but that this version does not act on yet: an operator is told at the start.
 * @throws PermanentError where going on would do something else than what was asked for.
 */
export function settingsWithoutEffect(settings: Settings): readonly string[] {
  const { telegram, discord, limits } = settings;
  if (telegram.enabled && telegram.receiving.mode === "webhook") {
    throw new PermanentError(
      "telegram.mode is webhook, which this version cannot do yet: expected polling.",
    );
  }
  const checks: readonly (readonly [string, boolean])[] = [
    ["limits", hasEntries(limits)],
    ["discord.shards", discord.enabled && discord.shards !== "auto"],
  ];
  return checks.flatMap(([name, isSet]) => (isSet ? [name] : []));
}

/** Whether any list in it, however deep, has an entry. */
function hasEntries(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some(hasEntries)
  );
}
