import { isIPv6 } from "node:net";

const hostCharacters = /^(?:[\w.\-!$,~*'();&+=]|%[\da-f]{2}|[^\0-\x7f])*$/i;
const userCharacters = /^(?:[\w.\-!$,~*'();&+=:]|%[\da-f]{2}|[^\0-\x7f])*$/i;

/**
 * What TDLib has against a link; undefined: it takes the link. These are its rules and its
 * sentences: `parse_url` in tdutils/td/utils/HttpUrl.cpp, `check_link_impl` in
 * td/telegram/LinkManager.cpp.
 */
export function linkProblem(link: string): string | undefined {
  const [, scheme, rest] = /^(tg|ton|tonsite):(?:\/\/)?(.*)$/is.exec(link) ?? [];
  const url = parseUrl(rest ?? link);
  if (typeof url === "string") return url;
  if (scheme !== undefined) {
    const allowed = scheme.toLowerCase() === "tonsite" ? /^[\w.-]*$/ : /^[\w-]*$/;
    if (url.userinfo !== "" || url.port !== 0 || url.isIpv6)
      return `Wrong ${scheme.toLowerCase() === "tg" ? "tg" : "ton"} URL`;
    return allowed.test(url.host) ? undefined : "Unallowed characters in URL host";
  }
  return url.host.includes(".") || url.isIpv6 ? undefined : "Wrong HTTP URL";
}

interface LinkParts {
  readonly userinfo: string;
  readonly host: string;
  readonly isIpv6: boolean;
  /** 0: none is named. */
  readonly port: number;
}

/** A string says what is wrong with it. */
function parseUrl(link: string): LinkParts | string {
  const [, scheme, afterScheme] = /^([^:/?#@[\]]*):\/\/(.*)$/s.exec(link) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return "Unsupported URL protocol";
  const [authority = ""] = (afterScheme ?? link).split(/[/?#]/, 1);
  const [, portText] = /^.+:([^:\]@]*)$/s.exec(authority) ?? [];
  const port = portText === undefined ? 0 : Number(portText);
  if (portText !== undefined && (!/^\d+$/.test(portText) || port === 0 || port > 65_535))
    return "Wrong port number specified in the URL";
  const address = portText === undefined ? authority : authority.slice(0, -portText.length - 1);
  const at = address.lastIndexOf("@");
  const userinfo = at < 0 ? "" : address.slice(0, at);
  const host = address.slice(at + 1);
  const isIpv6 = host.startsWith("[") && host.endsWith("]");
  if (host === "") return "URL host is empty";
  if (host === ".") return "Host is invalid";
  if (isIpv6)
    return isIPv6(host.slice(1, -1))
      ? { userinfo, host, isIpv6, port }
      : "Wrong IPv6 address specified in the URL";
  if (!hostCharacters.test(host)) return "Disallowed character in URL host";
  if (!userCharacters.test(userinfo)) return "Disallowed character in URL userinfo";
  return { userinfo, host, isIpv6, port };
}
