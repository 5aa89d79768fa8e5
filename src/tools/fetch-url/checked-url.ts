import { PermanentError } from "../../core/errors.ts";

const longestUrl = 2_000;

/**
 * A URL that may be asked for, without its fragment; `base` is where a redirect came from. Numbers
 * in odd spellings (`http://2130706433/`) are IP addresses after parsing; which addresses are
 * allowed is checked at the connection.
 * @throws PermanentError
 */
export function checkedUrl(text: string, allowedPorts: readonly number[], base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || url.href.length > longestUrl)
    throw new PermanentError(`this is not a URL: ${shortened(text)}`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new PermanentError(`only http and https can be fetched, not ${shortened(url.protocol)}`);
  if (url.username !== "" || url.password !== "")
    throw new PermanentError("a URL with a name or password is not fetched.");
  const port = Number(url.port || (url.protocol === "http:" ? 80 : 443));
  if (!allowedPorts.includes(port))
    throw new PermanentError(
      `only the ports ${allowedPorts.join(", ")} can be fetched from, not ${port}`,
    );
  url.hash = "";
  return url;
}

const shortened = (text: string): string => text.slice(0, 200).toWellFormed();
