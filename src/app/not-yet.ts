import type { Settings } from "../config/settings.ts";

/** Settings that are read and checked but that this version does not act on yet: an operator is told at the start. */
export function settingsWithoutEffect(settings: Settings): readonly string[] {
  const { limits } = settings;
  const checks: readonly (readonly [string, boolean])[] = [
    ["limits", hasEntries(limits)],
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
