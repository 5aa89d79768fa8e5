/** UTF-16 units; what is longer is no address that anyone wrote. */
const maxUrlUnits = 2048;

/**
 * The characters that TDLib's `parse_url` (HttpUrl.cpp) accepts in a host and, with a colon, before
 * its `@`.
 */
const allowedInHost = /^(?:[\w.\-!$,~*'();&+=]|%[\da-f]{2})*$/i;
const allowedInUser = /^(?:[\w.\-!$,~*'();&+=:]|%[\da-f]{2})*$/i;

/**
 * The address for a link, or undefined: Telegram would refuse the whole message for it, so its
 * address is shown as text. The rules are those of TDLib's `LinkManager::check_link_impl`: a dot in
 * the host or an IPv6 address, and no port 0. Telegram's own `tg:` links are never made: one of
 * them mentions, and so notifies, a person.
 */
export function linkOf(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.href.length > maxUrlUnits) return undefined;
  const { hostname, port, username, password, href } = parsed;
  const isHost =
    hostname.startsWith("[") ||
    (hostname.includes(".") && hostname !== "." && allowedInHost.test(hostname));
  const isUser = allowedInUser.test(`${username}:${password}`);
  return isHost && isUser && port !== "0" ? href : undefined;
}

/** Addresses that Telegram's apps find in a text by themselves. */
export const isBare = (label: string, url: string): boolean =>
  url === label || url === `http://${label}` || url === `mailto:${label}`;
