/** The zone that is meant, or those that look like it. Pure. */
export type FoundZone = { readonly zone: string } | { readonly near: readonly string[] };

const maxNear = 5;
const normal = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, "_");

/** Every IANA zone's name. */
export const allZones = (): readonly string[] => ["UTC", ...Intl.supportedValuesOf("timeZone")];

/** What clocks show: `2027-01-05 09:00`, as Sweden writes it. Pure. */
export const clockText = (zone: string, atMs: number): string =>
  new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  }).format(atMs);

/** An IANA zone, in any case; an offset such as `+02:00` is none: it knows no summer time. Pure. */
export function zoneNamed(name: string): string | undefined {
  if (!/^(?:utc|gmt|[a-z_]+\/[a-z_/+-]+\d{0,2})$/i.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone;
  } catch {
    return undefined;
  }
}

/**
 * A zone by its name, its city or a part of both. Pure.
 * @param nearest the candidate that a mistyped word was meant to be, if there is one
 */
export function findZone(
  text: string,
  nearest: (word: string, candidates: readonly string[], atMost?: number) => string | undefined,
): FoundZone {
  const given = normal(text);
  const named = zoneNamed(given);
  if (named !== undefined) return { zone: named };
  const zones = allZones();
  const cities = zones.filter((zone) => normal(cityOf(zone)) === given);
  if (cities.length === 1 && cities[0] !== undefined) return { zone: cities[0] };
  const parts = zones.filter((zone) => given.length > 2 && startsWord(normal(zone), given));
  if (parts.length > 0) return { near: parts.slice(0, maxNear) };
  const words = new Map(
    zones.flatMap((zone) => [zone, cityOf(zone)].map((one) => [normal(one), zone])),
  );
  // A first letter is hardly ever mistyped; of short words, half would fit any other.
  const candidates = [...words.keys()].filter((word) => word[0] === given[0]);
  const near = words.get(nearest(given, candidates, Math.floor(given.length / 3)) ?? "");
  return { near: near === undefined ? [] : [near] };
}

const startsWord = (zone: string, part: string): boolean =>
  zone.startsWith(part) || zone.includes(`/${part}`) || zone.includes(`_${part}`);

export const cityOf = (zone: string): string => zone.split("/").at(-1) ?? zone;
