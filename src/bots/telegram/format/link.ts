/** UTF-16 units; what is longer is no address that anyone wrote. */
const maxUrlUnits = 2048;

/**
 * Telegram refuses a whole message for one link that is none; what it takes is less than what a URL may be. Its own `tg:`
 * links are left out: one of them mentions, and so rings, a person.
 */
export function linkOf(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.href.length > maxUrlUnits) return undefined;
  const hasHost = /^[^.].*\.[^.]+$|^localhost$/.test(parsed.hostname);
  return hasHost ? parsed.href : undefined;
}

/** Addresses that Telegram's apps find in a text by themselves. */
export const isBare = (label: string, url: string): boolean =>
  url === label || url === `http://${label}` || url === `mailto:${label}`;
