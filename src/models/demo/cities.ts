/** Places that people ask for, and the IANA time zone of each. */
const zones: Readonly<Record<string, string>> = {
  Amsterdam: "Europe/Amsterdam",
  Athens: "Europe/Athens",
  Auckland: "Pacific/Auckland",
  Bangkok: "Asia/Bangkok",
  Beijing: "Asia/Shanghai",
  Berlin: "Europe/Berlin",
  "Buenos Aires": "America/Argentina/Buenos_Aires",
  Cairo: "Africa/Cairo",
  Chicago: "America/Chicago",
  Delhi: "Asia/Kolkata",
  Dubai: "Asia/Dubai",
  Dublin: "Europe/Dublin",
  "Hong Kong": "Asia/Hong_Kong",
  Istanbul: "Europe/Istanbul",
  Jakarta: "Asia/Jakarta",
  Johannesburg: "Africa/Johannesburg",
  Kyiv: "Europe/Kyiv",
  Lagos: "Africa/Lagos",
  Lisbon: "Europe/Lisbon",
  London: "Europe/London",
  "Los Angeles": "America/Los_Angeles",
  Madrid: "Europe/Madrid",
  "Mexico City": "America/Mexico_City",
  Moscow: "Europe/Moscow",
  Mumbai: "Asia/Kolkata",
  Nairobi: "Africa/Nairobi",
  "New York": "America/New_York",
  Oslo: "Europe/Oslo",
  Paris: "Europe/Paris",
  Prague: "Europe/Prague",
  Rome: "Europe/Rome",
  "San Francisco": "America/Los_Angeles",
  "São Paulo": "America/Sao_Paulo",
  Seoul: "Asia/Seoul",
  Shanghai: "Asia/Shanghai",
  Singapore: "Asia/Singapore",
  Stockholm: "Europe/Stockholm",
  Sydney: "Australia/Sydney",
  Tokyo: "Asia/Tokyo",
  Toronto: "America/Toronto",
  UTC: "UTC",
  Vancouver: "America/Vancouver",
  Vienna: "Europe/Vienna",
  Warsaw: "Europe/Warsaw",
  Zurich: "Europe/Zurich",
};

const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

const places = Object.entries(zones).map(([city, timeZone]) => ({
  timeZone,
  pattern: new RegExp(`(?<![\\w/])${plain(city)}(?![\\w/])`, "i"),
}));
const zoneName = /(?<![\w/])[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_]+){1,2}/g;

/** The time zones that a text names, by city or by IANA name, in its order and each once. */
export function timeZonesIn(text: string): string[] {
  const readable = plain(text);
  const found = places.flatMap(({ timeZone, pattern }) => {
    const at = readable.search(pattern);
    return at < 0 ? [] : [{ timeZone, at }];
  });
  const named = [...readable.matchAll(zoneName)].map((match) => ({
    timeZone: match[0],
    at: match.index,
  }));
  return [
    ...new Set(
      [...found, ...named].toSorted((a, b) => a.at - b.at).map(({ timeZone }) => timeZone),
    ),
  ];
}
