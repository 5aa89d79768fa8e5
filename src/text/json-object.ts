/**
 * Levels. Providers, their clients and our own code read nested values recursively; no honest call
 * comes near.
 */
const maxDepth = 100;

/**
 * Parses a model's arguments. Undefined if they aren't a JSON object, or are nested too deeply to
 * be sent on. Pure.
 */
export function parseJsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) && !isTooDeep(value)
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is nested more deeply than any honest value. Pure. */
export const isTooDeep = (value: unknown): boolean => isDeeper(value, maxDepth);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}
